import Support
import Testing

@testable import LodestoneTerminal

@Suite struct RendererTests {
  /// A canvas of random characters, narrow and wide, in random styles; most cells as in another.
  private func random(
    _ width: Int, _ height: Int, like base: Canvas?, using generator: inout SeededGenerator
  ) -> Canvas {
    var canvas = base ?? Canvas(width: width, height: height)
    let characters: [Unicode.Scalar] = ["a", "B", " ", "µ", "⣿", "━", "€", "█"]
    for _ in 0..<Int.random(in: 0...width * height / 2, using: &generator) {
      canvas.put(
        characters[Int.random(in: 0..<characters.count, using: &generator)],
        column: Int.random(in: 0..<width, using: &generator), row: Int.random(in: 0..<height, using: &generator),
        style: Style.allCases[Int.random(in: 0..<Style.allCases.count, using: &generator)])
    }
    return canvas
  }

  @Test func terminalShowsExactlyTheCanvasAfterAnySequenceOfFrames() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<60 {
      let (width, height) = (Int.random(in: 1...90, using: &generator), Int.random(in: 1...30, using: &generator))
      var terminal = VirtualTerminal(width: width, height: height)
      var renderer = Renderer(palette: .sixteen, synchronized: Bool.random(using: &generator))
      var canvas: Canvas?
      for frame in 0..<6 {
        let next = random(width, height, like: frame % 3 == 2 ? nil : canvas, using: &generator)
        var bytes: [UInt8] = []
        renderer.append(next, to: &bytes)
        terminal.feed(bytes)
        #expect(terminal.faults.isEmpty)
        #expect(terminal.cells == next.cells)
        canvas = next
      }
    }
  }

  @Test func unchangedFrameCostsNothing() {
    var renderer = Renderer(palette: .sixteen)
    var canvas = Canvas(width: 40, height: 10)
    canvas.text("steady", column: 3, row: 3)
    var bytes: [UInt8] = []
    renderer.append(canvas, to: &bytes)
    bytes.removeAll()
    renderer.append(canvas, to: &bytes)
    #expect(bytes.isEmpty)
  }

  @Test func oneChangedDigitIsOneMoveAndOneByte() {
    var renderer = Renderer(palette: .none, synchronized: false)
    var canvas = Canvas(width: 40, height: 10)
    canvas.text("128.4", column: 3, row: 4)
    var bytes: [UInt8] = []
    renderer.append(canvas, to: &bytes)
    bytes.removeAll()
    canvas.text("128.5", column: 3, row: 4)
    renderer.append(canvas, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[5;8H5")
  }

  @Test func shortGapIsWrittenAgainAndLongOneSkipped() {
    var renderer = Renderer(palette: .none, synchronized: false)
    var canvas = Canvas(width: 40, height: 2)
    canvas.text("1.2 and then much later 3", column: 0, row: 0)
    var bytes: [UInt8] = []
    renderer.append(canvas, to: &bytes)
    bytes.removeAll()
    canvas.text("5.6 and then much later 7", column: 0, row: 0)
    renderer.append(canvas, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;1H5.6\u{1B}[21C7")
  }

  @Test func newSizeIsDrawnWhole() {
    var renderer = Renderer(palette: .sixteen)
    var bytes: [UInt8] = []
    renderer.append(Canvas(width: 40, height: 10), to: &bytes)
    bytes.removeAll()
    var canvas = Canvas(width: 60, height: 20)
    canvas.text("larger", column: 50, row: 19, style: .good)
    renderer.append(canvas, to: &bytes)
    var terminal = VirtualTerminal(width: 60, height: 20)
    terminal.feed(bytes)
    #expect(terminal.cells == canvas.cells)
  }

  @Test func noColourMeansNoStyleSequence() {
    var canvas = Canvas(width: 40, height: 10)
    for (row, style) in Style.allCases.enumerated() { canvas.text("style", column: 0, row: row, style: style) }
    var renderer = Renderer(palette: .none)
    var bytes: [UInt8] = []
    renderer.append(canvas, to: &bytes)
    #expect(!bytes.contains(UInt8(ascii: "m")))
  }

  @Test func environmentDecidesThePalette() {
    #expect(Palette(environment: ["TERM": "xterm"]) == .sixteen)
    #expect(Palette(environment: ["TERM": "xterm", "NO_COLOR": ""]) == .sixteen)
    #expect(Palette(environment: ["TERM": "xterm", "NO_COLOR": "1"]) == .none)
    #expect(Palette(environment: ["TERM": "dumb"]) == .none)
    #expect(!Palette.canMoveCursor(environment: [:]))
  }
}
