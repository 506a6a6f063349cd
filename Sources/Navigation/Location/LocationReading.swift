import LodestoneCore

/// The place and the movement of a receiver at one moment.
public struct LocationReading: Record, Equatable {
  /// The time in seconds since the stream began; UTC since 1970-01-01 in a log that tells dates.
  public var time = 0.0
  /// The position from the receiver; without a coordinate while it has no fix.
  public var position = Position()
  /// The distance from the origin along the ellipsoid, in metres.
  public var distance: Double?
  /// The direction from the origin to here, in degrees clockwise from true north; nil within the error of the fix.
  public var bearing: Double?
  /// The climb in m/s, upwards positive; nil where it is not more than noise.
  public var climb: Double?
  /// Metres that are left of a climb, negative past its end; nil where no goal was set, or the altitude is not known.
  public var climbLeft: Double?
  /// The number of the trip in the stream, from 1: half an hour without a fix begins another; nil without a fix.
  public var trip: Int?
  /// The number of the segment, from 1: each gap begins another; nil without a fix.
  public var segment: Int?

  /// A reading of nothing yet.
  public init() {}

  /// A reading of a position.
  public init(_ position: Position) {
    time = position.time
    self.position = position
  }

  /// The kind of record.
  public static let schema = RecordSchema("location", of: LocationReading.self, line: LocationLine.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.number("latitude", .degrees, decimals: 8), position.coordinate?.latitude)
    columns.add(.number("longitude", .degrees, decimals: 8), position.coordinate?.longitude)
    columns.add(.number("horizontal_accuracy", .metres, decimals: 2), position.horizontalAccuracy)
    columns.add(.number("altitude", .metres, decimals: 2), position.altitude)
    columns.add(.number("sea_level_altitude", .metres, decimals: 2), position.seaLevelAltitude)
    columns.add(.number("vertical_accuracy", .metres, decimals: 2), position.verticalAccuracy)
    columns.add(.number("fix_time", .seconds, decimals: 3), position.unixTime)
    columns.add(.heading("course"), position.course)
    columns.add(.number("speed", .metresPerSecond, decimals: 2), position.speed)
    columns.add(.distance("distance"), distance)
    columns.add(.heading("bearing"), bearing)
    columns.add(.number("climb", .metresPerSecond, decimals: 2), climb)
    columns.add("accuracy_basis", word: position.accuracyBasis)
    columns.add(.number("climb_left", .metres, decimals: 1), climbLeft)
    columns.add(.integer("trip"), trip.map { Double($0) })
    columns.add(.integer("segment", reach: .byName), segment.map { Double($0) })
  }
}

/// One line for people.
public struct LocationLine: RecordLine {
  private let unit: DistanceUnit
  private let latitude, longitude, horizontal, altitude, seaLevel, vertical, fixTime: Int?
  private let course, speed, distance, bearing, climb, climbLeft: Int?

  /// A writer for rows of this kind.
  public init(_ schema: RecordSchema, units: DisplayUnits) {
    unit = units.distance
    latitude = schema.index(of: "latitude")
    longitude = schema.index(of: "longitude")
    horizontal = schema.index(of: "horizontal_accuracy")
    altitude = schema.index(of: "altitude")
    seaLevel = schema.index(of: "sea_level_altitude")
    vertical = schema.index(of: "vertical_accuracy")
    fixTime = schema.index(of: "fix_time")
    course = schema.index(of: "course")
    speed = schema.index(of: "speed")
    distance = schema.index(of: "distance")
    bearing = schema.index(of: "bearing")
    climb = schema.index(of: "climb")
    climbLeft = schema.index(of: "climb_left")
  }

  /// Appends `12:35:19   48.117300,11.516667 ±13.5 m   545.4 m above the sea ±6.2 m   …`; the coordinate is as `--at`
  /// takes it.
  public func append(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let latitude = row[latitude], let longitude = row[longitude] else { return text.append("no fix") }
    if let time = row[fixTime] {
      text.append(utc: time, decimals: 0)
      text.append("   ")
    }
    text.append(latitude, decimals: 6)
    text.append(",")
    text.append(longitude, decimals: 6)
    append(accuracy: row[horizontal], to: &text)
    if let height = row[seaLevel] ?? row[altitude] {
      text.append("   ")
      text.append(height, decimals: 1)
      text.append(row[seaLevel] == nil ? " m above the ellipsoid" : " m above the sea")
      append(accuracy: row[vertical], to: &text)
    }
    appendWay(row, to: &text)
    appendMovement(row, to: &text)
  }

  private func append(accuracy: Double?, to text: inout TextBuffer) {
    guard let accuracy else { return }
    text.append(" ±")
    text.append(accuracy, decimals: accuracy < 1 ? 2 : 1)
    text.append(" m")
  }

  private func appendWay(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let distance = row[distance] else { return }
    text.append("   distance ")
    text.append(distance / unit.metres, decimals: unit == .metre ? 1 : 3)
    text.append(text: " " + unit.rawValue)
    guard let bearing = row[bearing] else { return }
    text.append(" at ")
    text.append(headingDegrees: bearing, decimals: 1)
    text.append("°")
  }

  private func appendMovement(_ row: borrowing Row, to text: inout TextBuffer) {
    if let speed = row[speed] {
      text.append("   ")
      text.append(speed, decimals: 1)
      text.append(" m/s")
      if let course = row[course] {
        text.append(" towards ")
        text.append(headingDegrees: course, decimals: 1)
        text.append("°")
      }
    }
    if let climb = row[climb] {
      text.append(climb < 0 ? "   descending " : "   climbing ")
      text.append(abs(climb), decimals: 1)
      text.append(" m/s")
    }
    guard let left = row[climbLeft] else { return }
    text.append("   ")
    text.append(abs(left), decimals: 0)
    text.append(left < 0 ? " m past the goal" : " m left to climb")
  }
}

/// Lets a reading pass that is at least so far from the one that passed before it.
public struct LocationFilter: Sendable {
  private let metres: Double
  private var last: Coordinate?

  /// A filter that passes readings at least `metres` apart.
  public init(metres: Double) { self.metres = metres }

  /// Whether it passes; one without a fix does.
  public mutating func passes(_ reading: borrowing LocationReading) -> Bool {
    guard let here = reading.position.coordinate else { return true }
    if let last, Geodesic(from: last, to: here).distance < metres { return false }
    last = here
    return true
  }
}
