import Testing

@testable import LodestoneTerminal

@Suite struct CanvasTests {
  @Test func sizeIsBroughtIntoRange() {
    #expect(Canvas(width: 0, height: -5).cells.count == 1)
    #expect(Canvas(width: .max, height: .max).width == 1000)
  }

  @Test func drawingOutsideIsClipped() {
    var canvas = Canvas(width: 5, height: 2)
    canvas.text("abcdefgh", column: -2, row: 0)
    canvas.text("below", column: 0, row: 2)
    canvas.text("above", column: 0, row: -1)
    canvas.put("z", column: 5, row: 1)
    #expect(canvas.lines == ["cdefg", ""])
  }

  @Test func textEndsAndCentresWhereAsked() {
    var canvas = Canvas(width: 10, height: 2)
    canvas.text("µT", endingAt: 10, row: 0)
    canvas.text("mid", centredIn: Region(column: 2, row: 0, width: 7, height: 1), row: 1)
    #expect(canvas.lines == ["        µT", "    mid"])
  }

  @Test func brailleDotsFollowUnicode() {
    // Dot numbers of the Unicode chart U+2800: 1 2 3 7 down the left column, 4 5 6 8 down the right.
    let dots: [(Int, Int, Unicode.Scalar)] = [
      (0, 0, "⠁"), (0, 1, "⠂"), (0, 2, "⠄"), (0, 3, "⡀"), (1, 0, "⠈"), (1, 1, "⠐"), (1, 2, "⠠"), (1, 3, "⢀"),
    ]
    for (x, y, scalar) in dots {
      var drawing = BrailleCanvas(columns: 1, rows: 1)
      drawing.set(x, y)
      var canvas = Canvas(width: 1, height: 1)
      drawing.draw(on: &canvas, column: 0, row: 0, style: .plain)
      #expect(canvas[0, 0]?.scalar == scalar)
    }
  }

  @Test func linesReachFromEndToEndAndAreClipped() {
    var drawing = BrailleCanvas(columns: 3, rows: 1)
    drawing.line(from: (0, 0), to: (5, 0))
    drawing.line(from: (-1e5, 3), to: (1e5, 3))
    drawing.line(from: (.nan, 0), to: (5, .infinity))
    drawing.line(from: (-100, -100), to: (-50, 400))
    var canvas = Canvas(width: 3, height: 1)
    drawing.draw(on: &canvas, column: 0, row: 0, style: .plain)
    #expect(canvas.lines == ["⣉⣉⣉"])
  }

  @Test func drawingsJoinTheirDots() {
    var canvas = Canvas(width: 1, height: 1)
    for x in 0...1 {
      var drawing = BrailleCanvas(columns: 1, rows: 1)
      drawing.set(x, 0)
      drawing.draw(on: &canvas, column: 0, row: 0, style: .plain)
    }
    #expect(canvas.lines == ["⠉"])
  }
}
