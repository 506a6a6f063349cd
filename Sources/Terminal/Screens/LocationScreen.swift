import LodestoneCore
import Navigation

/// The state of the location screen.
public struct LocationState: ScreenState {
  /// The receiver.
  public typealias Device = Location
  /// Its name.
  public static let title = "Location"
  /// The state that all screens share.
  public var status = ScreenStatus()
  /// The last reading; nil before the first.
  public var reading: LocationReading?
  /// The unit of the distances shown.
  public var unit: DistanceUnit
  /// Whether distance and bearing count from a place that was given, and not from the first fix.
  public var hasGivenOrigin: Bool

  /// A state without a reading.
  public init(unit: DistanceUnit = .metre, hasGivenOrigin: Bool = false) {
    self.unit = unit
    self.hasGivenOrigin = hasGivenOrigin
  }

  /// The last reading while it holds.
  var current: LocationReading? { status.isAway ? nil : reading }

  /// Origin and unit.
  public var keys: [ScreenKey] {
    [
      ScreenKey("o", "origin", "count distance and bearing from here"),
      ScreenKey("u", "unit", "show distances in metres, kilometres, miles or nautical miles"),
    ]
  }

  /// Takes a reading.
  public mutating func take(_ reading: LocationReading, from instrument: Location) { self.reading = reading }

  /// Takes another origin, or another unit.
  public mutating func press(_ key: Character, _ instrument: inout Location) {
    switch key {
    case "o":
      instrument.countFromHere()
      hasGivenOrigin = true
    case "u":
      let all = DistanceUnit.allCases
      unit = all[((all.firstIndex(of: unit) ?? 0) + 1) % all.count]
    default: break
    }
  }

  /// Draws the location.
  public func draw(into canvas: inout Canvas) { LocationScreen.draw(self, into: &canvas) }
}

/// A coordinate, its accuracy, and the way from where it began.
public enum LocationScreen {
  /// Draws the state on a cleared canvas of any size.
  public static func draw(_ state: LocationState, into canvas: inout Canvas) {
    var status = state.status
    if !status.isAway, state.reading?.position.coordinate == nil { status.note("waiting for a fix") }
    let area = canvas.drawRemarks(status, in: canvas.drawFrame(state))
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
    canvas.drawFigures(Array(rows.prefix(max(0, area.height - used))), in: region.below(used))
  }

  private static func digits(_ state: LocationState) -> BigDigits {
    guard let distance = state.current?.distance else { return BigDigits(text: "---", style: .dim) }
    return BigDigits(text: written(distance, state.unit))
  }

  /// A distance with as many decimals as a receiver is good for.
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
      FigureRow(label: "On a map", value: link(place)),
    ] + left(state.current?.climbLeft)
  }

  /// The place as maps take it: RFC 5870.
  private static func link(_ place: Coordinate?) -> String {
    guard let place else { return Figures.absent }
    return "geo:" + Figures.fixed(place.latitude, decimals: 6) + "," + Figures.fixed(place.longitude, decimals: 6)
  }

  /// The row with the rest of a climb, in metres; empty where no climb was asked for.
  private static func left(_ metres: Double?) -> [FigureRow] {
    guard let metres else { return [] }
    let value = Figures.fixed(abs(metres), decimals: 0) + (metres < 0 ? " m past the goal" : " m")
    return [FigureRow(label: "Left to climb", value: value)]
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
