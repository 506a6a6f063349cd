import LodestoneCore
import Navigation

/// What the location's screen shows: plain values, filled by the command.
public struct LocationState: Sendable {
  /// The receiver's address or name; from outside.
  public var device = ""
  /// The last reading; nil before the first.
  public var reading: LocationReading?
  /// What distances are shown in.
  public var unit = DistanceUnit.metre
  /// Distance and bearing count from a place that was given, and not from the first fix.
  public var hasGivenOrigin = false
  /// The receiver is away or silent and waited for: what it said before no longer holds.
  public var isAway = false
  /// The display stands still.
  public var isPaused = false
  /// The keys are listed instead of values.
  public var showsKeys = false
  /// Fixes a second.
  public var rate: Double?
  /// What must be said besides; may come from outside.
  public var notes: [String] = []

  /// Nothing yet.
  public init() {}

  /// The last reading while it holds.
  var current: LocationReading? { isAway ? nil : reading }

  /// What is said besides, that the receiver is away or has no fix before all.
  var remarks: [String] {
    let lack = isAway ? "waiting for \(device)" : reading?.position.coordinate == nil ? "waiting for a fix" : nil
    return (lack.map { [$0] } ?? []) + notes
  }

  /// Does what a key of this screen is for; false for one that is none.
  public mutating func press(_ key: Character) -> Bool {
    switch key {
    case " ", "p": isPaused.toggle()
    case "?": showsKeys.toggle()
    case "u":
      let all = DistanceUnit.allCases
      unit = all[((all.firstIndex(of: unit) ?? 0) + 1) % all.count]
    default: return false
    }
    return true
  }
}

/// A coordinate, its accuracy, and the way from where it began.
public enum LocationScreen {
  private static let keys = [
    ("o", "origin", "count distance and bearing from here"),
    ("u", "unit", "show distances in metres, kilometres, miles or nautical miles"),
    ("p", "pause", "make the display stand still, or go on"),
    ("?", "keys", "show what the keys are for, or the values again"),
    ("q", "quit", "quit"),
  ]

  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: LocationState, into canvas: inout Canvas) {
    let rate = state.rate.map { Figures.fixed($0, decimals: $0 < 9.5 ? 1 : 0) + " Hz" }
    let area = canvas.drawFrame(
      title: "Location", device: state.device, status: [state.isPaused ? "PAUSED" : nil, rate].compactMap { $0 },
      keys: keys.map { ($0.0, $0.0 == "p" && state.isPaused ? "resume" : $0.1) })
    guard !state.showsKeys else { return drawKeys(on: &canvas, in: area) }
    let region = Region(column: area.column, row: area.row, width: min(area.width, 58), height: area.height)
    let rows = figures(state)
    var used = 0
    let digits = self.digits(state)
    if area.height >= rows.count + BigDigits.height + 3, digits.width + 5 <= region.width {
      digits.draw(on: &canvas, column: region.column + region.width - digits.width - 5, row: region.row)
      canvas.text("Distance", column: region.column, row: region.row, style: .dim)
      canvas.text(state.unit.rawValue, endingAt: region.column + region.width, row: region.row + 4, style: .dim)
      used = BigDigits.height + 1
    }
    // The foot is for what is said besides; where it is narrow, the last rows give way.
    let remarks = state.remarks.flatMap { CellText.wrapped("! " + $0.harmless, to: area.width) }
      .prefix(area.height >= 14 ? 3 : 1)
    let room = max(0, area.height - used - remarks.count)
    canvas.drawFigures(
      Array(rows.prefix(room)), in: region.below(used))
    for (offset, line) in remarks.enumerated() where area.height >= remarks.count {
      canvas.text(
        line, column: area.column, row: area.row + area.height - remarks.count + offset,
        style: offset == 0 && state.current?.position.coordinate == nil ? .alarm : .warning)
    }
  }

  private static func drawKeys(on canvas: inout Canvas, in area: Region) {
    var used = 0
    for (key, _, meaning) in keys where used < area.height {
      let row = area.below(used)
      canvas.text(key, column: row.column, row: row.row, style: .bold)
      let right = Region(column: row.column + 3, row: row.row, width: row.width - 3, height: row.height)
      used += max(1, canvas.drawParagraph(meaning, in: right, limit: 3, style: .plain))
    }
  }

  private static func digits(_ state: LocationState) -> BigDigits {
    guard let distance = state.current?.distance else { return BigDigits(text: "---", style: .dim) }
    return BigDigits(text: written(distance, state.unit))
  }

  /// As many decimals as a receiver is good for.
  private static func written(_ metres: Double, _ unit: DistanceUnit) -> String {
    Figures.fixed(metres / unit.metres, decimals: unit == .metre ? 1 : metres < 100 * unit.metres ? 3 : 1)
  }

  /// The most important first: a small terminal has no room for the last.
  private static func figures(_ state: LocationState) -> [FigureRow] {
    let position = state.current?.position
    let place = position?.coordinate
    let radius = position?.horizontalAccuracy.map { "±" + metres($0) }
    let accuracy = position?.verticalAccuracy
    let distance = state.current?.distance.map { written($0, state.unit) + " " + state.unit.rawValue }
    let start = state.hasGivenOrigin ? "the origin" : "the start"
    let speed = position?.speed.map { Figures.fixed($0, decimals: 1) + " m/s" }
    return [
      FigureRow(label: "Latitude", value: angle(place?.latitude, "N", "S"), style: .bold),
      FigureRow(label: "Longitude", value: angle(place?.longitude, "E", "W"), style: .bold),
      FigureRow(label: "Accuracy (95 %)", value: radius ?? Figures.absent),
      FigureRow(label: "Distance from " + start, value: distance ?? Figures.absent),
      FigureRow(label: "Bearing from there", value: degrees(state.current?.bearing)),
      FigureRow(label: "Climb", value: climb(state.current?.climb)),
      FigureRow(label: "Above the sea", value: height(position?.seaLevelAltitude, within: accuracy)),
      FigureRow(label: "Above the ellipsoid", value: height(position?.altitude, within: accuracy)),
      FigureRow(label: "Speed", value: speed ?? Figures.absent),
      FigureRow(label: "Course", value: degrees(position?.course)),
      FigureRow(label: "Time of the fix", value: time(position?.unixTime)),
    ]
  }

  private static func metres(_ value: Double) -> String { Figures.fixed(value, decimals: 1) + " m" }

  private static func height(_ value: Double?, within accuracy: Double?) -> String {
    guard let value else { return Figures.absent }
    return metres(value) + (accuracy.map { " ±" + metres($0) } ?? "")
  }

  private static func degrees(_ value: Double?) -> String {
    value == nil ? Figures.absent : Figures.direction(value) + "°"
  }

  private static func angle(_ degrees: Double?, _ positive: String, _ negative: String) -> String {
    guard let degrees, degrees.isFinite else { return Figures.absent }
    return Figures.fixed(abs(degrees), decimals: 6) + "° " + (degrees < 0 ? negative : positive)
  }

  private static func climb(_ rate: Double?) -> String {
    guard let rate else { return Figures.absent }
    return (rate < 0 ? "descending " : "climbing ") + Figures.fixed(abs(rate), decimals: 1) + " m/s"
  }

  private static func time(_ unixTime: Double?) -> String {
    guard let unixTime, unixTime.isFinite else { return Figures.absent }
    var text = TextBuffer()
    text.append(utc: unixTime, decimals: 0, between: " ", zone: " UTC")
    return text.text
  }
}
