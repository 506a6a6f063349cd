import LodestoneCore

/// The deviation card for the chart table as SVG: a table each 15°, the curve and the headings it was fitted to. Plain
/// values in, text out.
public struct DeviationCard: Sendable {
  /// A deviation at a compass heading, both in degrees, east positive.
  public struct Point: Equatable, Sendable {
    /// The heading that the compass shows.
    public var compass: Double
    /// The deviation that has to be added to it.
    public var deviation: Double

    /// A deviation at a heading.
    public init(compass: Double, deviation: Double) {
      self.compass = compass
      self.deviation = deviation
    }
  }

  /// The headline: which compass the card is for.
  public var title: String
  /// The line below the headline: the coefficients and how good they are.
  public var subtitle: String
  /// Each 15°.
  public var table: [Point]
  /// The headings at which the swing was measured.
  public var marks: [Point]

  /// A card. What is not finite is left out.
  public init(title: String, subtitle: String, table: [Point], marks: [Point]) {
    self.title = title
    self.subtitle = subtitle
    self.table = table.filter { $0.compass.isFinite && $0.deviation.isFinite }
    self.marks = marks.filter { $0.compass.isFinite && $0.deviation.isFinite }
  }

  /// The whole card.
  public var svg: String {
    var canvas = PlotCanvas(width: 900, height: 640)
    canvas.text(String(title.prefix(80)), x: 50, y: 44, style: .title)
    canvas.text(subtitle, x: 50, y: 68, style: .subtitle)
    drawTable(on: &canvas)
    drawCurve(on: &canvas, in: PlotFrame(x: 420, y: 120, width: 430, height: 440))
    return canvas.document
  }

  private func drawTable(on canvas: inout PlotCanvas) {
    let columns = [50.0, 130, 240]
    for (x, words) in zip(columns, ["Compass", "Deviation", "Magnetic"]) {
      canvas.text(words, x: x, y: 108, style: .heading)
    }
    var y = 128.0
    for point in table.prefix(24) {
      canvas.text(Self.heading(point.compass), x: columns[0], y: y, style: .tick)
      canvas.text(Self.deviation(point.deviation), x: columns[1], y: y, style: .tick)
      canvas.text(Self.heading(point.compass + point.deviation), x: columns[2], y: y, style: .tick)
      canvas.path([(columns[0], y + 6), (columns[2] + 70, y + 6)], .grid)
      y += 20
    }
  }

  /// Headings run down, as they do on a card of paper; west is left.
  private func drawCurve(on canvas: inout PlotCanvas, in frame: PlotFrame) {
    let largest = max(1, (table + marks).map { abs($0.deviation) }.max() ?? 1) * 1.15
    let x = PlotAxis(-largest, largest, from: frame.x, to: frame.right)
    let y = PlotAxis(0, 360, from: frame.y, to: frame.bottom)
    canvas.rectangle(frame, .frame)
    for heading in stride(from: 0.0, through: 360, by: 45) {
      canvas.path([(frame.x, y.place(heading)), (frame.right, y.place(heading))], .grid)
      let label = Self.heading(heading == 360 ? 0 : heading)
      canvas.text(label, x: frame.x - 8, y: y.place(heading) + 4, style: .tick, anchor: .end)
    }
    canvas.path([(x.place(0), frame.y), (x.place(0), frame.bottom)], .reference)
    for share in [-1.0, -0.5, 0.5, 1] {
      let degrees = largest / 1.15 * share
      canvas.path([(x.place(degrees), frame.y), (x.place(degrees), frame.bottom)], .grid)
      let label = Self.deviation(degrees)
      canvas.text(label, x: x.place(degrees), y: frame.bottom + 18, style: .tick, anchor: .middle)
    }
    canvas.text("deviation", x: frame.middleX, y: frame.bottom + 36, style: .tick, anchor: .middle)
    let curve = table + (table.first.map { [Point(compass: 360, deviation: $0.deviation)] } ?? [])
    canvas.path(curve.map { (x: x.place($0.deviation), y: y.place($0.compass)) }, .curve)
    for mark in marks.prefix(360) {
      let compass = Angle.wrapped(degrees: mark.compass)
      canvas.circle(x: x.place(mark.deviation), y: y.place(compass), radius: 4, .outline)
    }
  }

  private static func heading(_ degrees: Double) -> String {
    let digits = degrees.headingText(decimals: 0)
    return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits + "°"
  }

  /// A deviation as mariners write it: 3.5° E, 2.0° W.
  public static func deviation(_ degrees: Double) -> String {
    let text = abs(degrees).text(decimals: 1)
    if text == "0.0" { return "0.0°" }
    return "\(text)° \(degrees < 0 ? "W" : "E")"
  }
}
