import LodestoneCore

/// A rectangle on the canvas, y downward.
struct PlotFrame {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
  var middleX: Double { x + width / 2 }
  var middleY: Double { y + height / 2 }
}

/// SVG text that grows. Everything that is not ours is escaped here.
struct PlotCanvas {
  private let width: Int
  private let height: Int
  private var body = ""

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// How text looks.
  enum TextStyle: String {
    case title, subtitle, heading, tick
    /// On top of data: with a white seam.
    case note
  }

  /// The direction in which text runs from its point.
  enum Anchor: String {
    case start, middle, end
  }

  /// How a line, an area or a dot looks: a class of the style sheet.
  enum Mark: String {
    case grid, frame, outline, reference, sample, ignored, centre, covered, missing, shade, curve, area
  }

  /// The document, complete.
  var document: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
    <style>
    text { font-family: Inter, "Helvetica Neue", Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; }
    .title { font-size: 22px; font-weight: 600; fill: #0f172a; }
    .subtitle { font-size: 13px; fill: #475569; }
    .heading { font-size: 13px; font-weight: 600; fill: #1e293b; }
    .tick { font-size: 11px; fill: #64748b; }
    .note { font-size: 11px; fill: #334155; stroke: #ffffff; stroke-width: 3px; paint-order: stroke; }
    path, circle, rect { fill: none; stroke-linejoin: round; }
    .grid { stroke: #e2e8f0; stroke-width: 1; }
    .frame { stroke: #cbd5e1; stroke-width: 1; }
    .outline { stroke: #0f172a; stroke-width: 1.3; }
    .reference { stroke: #94a3b8; stroke-width: 1.2; stroke-dasharray: 5 4; }
    .sample { stroke: #2563eb; stroke-opacity: 0.45; stroke-width: 2.4; stroke-linecap: round; }
    .ignored { stroke: #ea580c; stroke-opacity: 0.6; stroke-width: 2.4; stroke-linecap: round; }
    .centre { stroke: #dc2626; stroke-width: 1.6; }
    .covered { stroke: #15803d; stroke-width: 1.2; fill: #16a34a; fill-opacity: 0.3; }
    .missing { stroke: #dc2626; stroke-width: 1.6; fill: #ffffff; }
    .shade { fill: #fed7aa; fill-opacity: 0.6; }
    .curve { stroke: #2563eb; stroke-width: 1.8; }
    .area { fill: #2563eb; fill-opacity: 0.1; }
    </style>
    <rect width="\(width)" height="\(height)" style="fill:#ffffff"/>
    \(body)</svg>

    """
  }

  mutating func text(
    _ text: String, x: Double, y: Double, style: TextStyle, anchor: Anchor = .start, turned: Bool = false
  ) {
    let turn = turned ? #" transform="rotate(-90 \#(number(x)) \#(number(y)))""# : ""
    body +=
      #"<text class="\#(style.rawValue)" x="\#(number(x))" y="\#(number(y))" text-anchor="\#(anchor.rawValue)"\#(turn)>"#
      + Self.escaped(text) + "</text>\n"
  }

  /// A line through points; closed when it is an area.
  mutating func path(_ points: [(x: Double, y: Double)], _ mark: Mark, closed: Bool = false) {
    guard let first = points.first else { return }
    let rest = points.dropFirst().map { "L\(number($0.x)) \(number($0.y))" }.joined()
    body +=
      #"<path class="\#(mark.rawValue)" d="M\#(number(first.x)) \#(number(first.y))\#(rest)\#(closed ? "Z" : "")"/>"#
    body += "\n"
  }

  /// Many dots as one path: each a line of no length with round ends.
  mutating func dots(_ points: [(x: Double, y: Double)], _ mark: Mark) {
    guard !points.isEmpty else { return }
    body += #"<path class="\#(mark.rawValue)" d=""#
    for point in points { body += "M\(number(point.x)) \(number(point.y))h0" }
    body += "\"/>\n"
  }

  mutating func rectangle(_ frame: PlotFrame, _ mark: Mark, title: String? = nil) {
    body += #"<rect class="\#(mark.rawValue)" x="\#(number(frame.x))" y="\#(number(frame.y))""#
    body += #" width="\#(number(frame.width))" height="\#(number(frame.height))""#
    body += title.map { "><title>\(Self.escaped($0))</title></rect>\n" } ?? "/>\n"
  }

  mutating func circle(x: Double, y: Double, radius: Double, _ mark: Mark) {
    body += #"<circle class="\#(mark.rawValue)" cx="\#(number(x))" cy="\#(number(y))" r="\#(number(radius))"/>"#
    body += "\n"
  }

  /// The sign of a mark in a legend.
  mutating func dot(x: Double, y: Double, _ mark: Mark) {
    switch mark {
    case .sample, .ignored: dots([(x - 3, y - 2), (x + 1, y + 3), (x + 4, y - 1)], mark)
    default: path([(x - 6, y), (x + 6, y)], mark)
    }
  }

  private func number(_ value: Double) -> String {
    let text = value.text(decimals: 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Text as XML 1.0 allows it (section 2.2), with markup made harmless.
  static func escaped(_ text: String) -> String {
    text.replacingHarmful { _ in "\u{fffd}" }.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
