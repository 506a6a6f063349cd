import LodestoneCore
import Glibc

/// A card that turns under a fixed lubber line: what stands at the top is where the device points.
struct CompassRose {
  /// The heading in degrees; nil draws the card without needle and letters.
  var heading: Double?
  /// How the needle looks.
  var style = Style.accent

  /// Draws it in the middle of a region, as large as fits.
  func draw(on canvas: inout Canvas, in region: Region) {
    let side = min(region.width / 2, region.height - 1)
    guard side >= 3 else { return }
    let left = region.column + (region.width - side * 2) / 2
    let top = region.row + 1
    var card = BrailleCanvas(columns: side * 2, rows: side)
    let centre = Double(side * 2)
    let radius = centre - 1
    card.circle(centre: (centre, centre), radius: radius)
    if let heading, heading.isFinite { drawTicks(heading, centre, radius, on: &card) }
    card.draw(on: &canvas, column: left, row: top, style: .dim)
    if let heading, heading.isFinite {
      var needle = BrailleCanvas(columns: side * 2, rows: side)
      drawNeedle(heading, centre, radius * 0.58, on: &needle)
      needle.draw(on: &canvas, column: left, row: top, style: style)
      drawLetters(heading, centre, radius * 0.76, on: &canvas, left, top)
    }
    canvas.put("▼", column: left + side, row: region.row, style: .bold)
  }

  private func drawTicks(_ heading: Double, _ centre: Double, _ radius: Double, on card: inout BrailleCanvas) {
    for bearing in stride(from: 0.0, to: 360, by: 30) {
      let inner = bearing.truncatingRemainder(dividingBy: 90) == 0 ? 0.88 : 0.93
      card.line(
        from: place(bearing - heading, centre, radius * inner), to: place(bearing - heading, centre, radius))
    }
  }

  /// A slim rhombus whose long half points north; the southern half is an outline's single line.
  private func drawNeedle(_ heading: Double, _ centre: Double, _ length: Double, on needle: inout BrailleCanvas) {
    let tip = place(-heading, centre, length)
    let half = max(1.2, length * 0.09)
    for offset in stride(from: -half, through: half, by: 0.5) {
      needle.line(from: place(-heading + 90, centre, offset), to: tip)
    }
    needle.line(from: (centre, centre), to: place(-heading + 180, centre, length))
    needle.disc(centre: (centre, centre), radius: half)
  }

  private func drawLetters(
    _ heading: Double, _ centre: Double, _ radius: Double, on canvas: inout Canvas, _ left: Int, _ top: Int
  ) {
    let letters: [(Unicode.Scalar, Double)] = [("N", 0), ("E", 90), ("S", 180), ("W", 270)]
    for (letter, bearing) in letters {
      let place = place(bearing - heading, centre, radius)
      canvas.put(
        letter, column: left + Int(place.x / 2), row: top + Int(place.y / 4), style: letter == "N" ? .alarm : .bold)
    }
  }

  /// A place at an angle clockwise from the top.
  private func place(_ degrees: Double, _ centre: Double, _ radius: Double) -> (x: Double, y: Double) {
    (centre + radius * sin(Angle.radians(degrees)), centre - radius * cos(Angle.radians(degrees)))
  }
}
