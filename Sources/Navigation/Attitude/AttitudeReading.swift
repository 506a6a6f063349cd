import LodestoneCore
import Glibc

/// The attitude at one moment. Absent is nil, never zero.
public struct AttitudeReading: Record, Sendable {
  /// When its sample was taken, in seconds.
  public var time: Double
  /// The frame that the attitude is against.
  public var frame: AttitudeFrame
  /// Turns device axes into the frame's; nil where only the device itself tells one.
  public var attitude: Quaternion?
  /// How it turns, in degrees per second, without the gyroscope's bias, in the device's axes.
  public var rate: Vector3?
  /// Where gravity pulls, of length 1, in the device's axes: (0, 0, −1) for a board that lies face up.
  public var gravity: Vector3?
  /// Acceleration beside gravity, in g. The sum of the two is what an accelerometer reads with the opposite sign.
  public var userAcceleration: Vector3?
  /// The corrected field in the device's axes.
  public var field: MagneticField?
  /// How far the field is to be trusted.
  public var fieldAccuracy: FieldAccuracy?
  /// 95 % of yaws are within this many degrees; nil in frames that are not against north.
  public var yawAccuracy: Double?
  /// 95 % of attitudes are tilted by at most this many degrees.
  public var inclinationAccuracy: Double?
  /// Neither turned nor pushed for a while.
  public var isAtRest = false
  /// Values that the device computed itself.
  public var device: OwnHeading?
  /// The compass's heading: that of the edge that is up, or of the back; nil before north is known.
  public var magneticHeading: Heading<MagneticNorth>?
  /// The compass's heading against true north; nil where the place is not known.
  public var trueHeading: Heading<TrueNorth>?
  /// Pitch and roll as the compass shows them, in degrees: the heading axis above the horizontal, its right side down.
  public var compassTilt: (pitch: Double, roll: Double)?
  /// About the vertical, clockwise positive, in degrees per second; nil until the gyroscope's bias is known.
  public var rateOfTurn: Double?
  /// Which axes the numbers are along.
  public var convention = AttitudeConvention.device

  /// A reading of nothing yet.
  public init() { self.init(time: 0, frame: .magnetic) }

  /// A reading of nothing yet, at a time.
  public init(time: Double, frame: AttitudeFrame) {
    self.time = time
    self.frame = frame
  }

  /// How far a field is to be trusted, by how far north may be off.
  public enum FieldAccuracy: String, CaseIterable, Sendable {
    /// No calibration.
    case uncalibrated
    /// Worse than 10°, or without a figure.
    case low
    /// 95 % within 10°.
    case medium
    /// 95 % within 3°.
    case high

    /// By the accuracy of north in degrees.
    init(_ degrees: Double?) { self = degrees.map { $0 <= 3 ? .high : $0 <= 10 ? .medium : .low } ?? .low }
  }

  /// The kind of record.
  public static let schema = RecordSchema("attitude", of: AttitudeReading.self, line: AttitudeLine.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    func number(_ name: String) -> Column { .number(name, .none, decimals: 6) }
    func degrees(_ name: String, reach: Column.Reach = .all) -> Column {
      .number(name, .degrees, decimals: 2, reach: reach)
    }
    func rate(_ name: String) -> Column { .number(name, .degreesPerSecond, decimals: 3) }
    func gravities(_ name: String) -> Column { .number(name, .gravities, decimals: 4) }
    columns.add(number("qw"), attitude?.w)
    columns.add(number("qx"), number("qy"), number("qz"), attitude?.v)
    columns.add(
      degrees("yaw"), degrees("pitch"), degrees("roll"),
      attitude.map { convention == .device ? $0.yawPitchRoll : $0.aerospaceAngles })
    columns.add(rate("rate_x"), rate("rate_y"), rate("rate_z"), self.rate)
    columns.add(gravities("gravity_x"), gravities("gravity_y"), gravities("gravity_z"), gravity)
    columns.add(gravities("user_x"), gravities("user_y"), gravities("user_z"), userAcceleration)
    columns.add(.field("bx"), .field("by"), .field("bz"), field?.microtesla)
    columns.add("field_accuracy", word: fieldAccuracy)
    columns.add(degrees("yaw_accuracy"), yawAccuracy)
    columns.add(degrees("inclination_accuracy"), inclinationAccuracy)
    columns.add(.integer("at_rest"), attitude == nil ? nil : isAtRest ? 1 : 0)
    columns.add("frame", word: frame)
    columns.add(.heading("device_heading"), device?.magnetic?.degrees ?? device?.trueNorth?.degrees)
    columns.add(degrees("device_pitch"), device?.pitch)
    columns.add(degrees("device_roll"), device?.roll)
    columns.add(.heading("magnetic_heading"), magneticHeading?.degrees)
    columns.add(.heading("true_heading"), trueHeading?.degrees)
    columns.add(degrees("compass_pitch", reach: .byName), compassTilt?.pitch)
    columns.add(degrees("compass_roll", reach: .byName), compassTilt?.roll)
    columns.add(.number("rate_of_turn", .degreesPerSecond, decimals: 2, reach: .byName), rateOfTurn)
  }
}

/// An attitude with its matrix.
public struct AttitudeMatrixReading: Record, Sendable {
  /// The attitude.
  public var attitude = AttitudeReading()
  /// When its sample was taken, in seconds.
  public var time: Double { attitude.time }

  /// A reading of nothing yet.
  public init() {}

  /// The kind of record: an attitude, and its matrix row by row.
  public static let schema = RecordSchema("attitude", of: AttitudeMatrixReading.self, line: AttitudeLine.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    func number(_ name: String) -> Column { .number(name, .none, decimals: 6) }
    attitude.list(in: &columns)
    let matrix = attitude.attitude?.matrix
    columns.add(number("m11"), number("m12"), number("m13"), matrix?.row0)
    columns.add(number("m21"), number("m22"), number("m23"), matrix?.row1)
    columns.add(number("m31"), number("m32"), number("m33"), matrix?.row2)
  }
}

/// One line for people.
public struct AttitudeLine: RecordLine {
  /// Columns of the attitude, the device's own, and the yaw's accuracy.
  private let places: [Int?]
  private static let names = ["yaw", "pitch", "roll"]
  private static let ownNames = ["device_heading", "device_pitch", "device_roll"]

  /// A writer for rows of this kind.
  public init(_ schema: RecordSchema, units: DisplayUnits) {
    places = (Self.names + Self.ownNames + ["yaw_accuracy"]).map { schema.index(of: $0) }
  }

  /// Appends `yaw 12.3°   pitch -0.4°   roll 1.0°   ±3.1°`, or the device's own heading, pitch and roll where there is
  /// nothing else.
  public func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let (yaw, ownPitch, ownRoll) = (row[places[0]], row[places[4]], row[places[5]])
    let isOwn = yaw == nil && (ownPitch != nil || ownRoll != nil)
    for (index, name) in Self.names.enumerated() {
      if index > 0 { text.append("   ") }
      text.append(text: isOwn && index == 0 ? "heading" : name)
      text.append(" ")
      text.append(row[places[isOwn ? index + 3 : index]], decimals: 1, absent: "-")
      text.append("°")
    }
    if isOwn { text.append("   (the device's own)") }
    guard let accuracy = row[places[6]] else { return }
    text.append("   ±")
    text.append(accuracy, decimals: 1)
    text.append("°")
  }
}

extension Quaternion {
  /// Yaw about z, pitch about the new x and roll about the newest y, in degrees: this = R_z(yaw) R_x(pitch) R_y(roll).
  /// Yaw and roll within ±180, pitch within ±90; upright, at ±90, roll is 0.
  public var yawPitchRoll: Vector3 {
    let m = matrix
    let pitch = Angle.degrees(asin(max(-1, min(1, m.row2.y))))
    guard hypot(m.row0.y, m.row1.y) > 1e-6 else {
      return Vector3(Angle.degrees(atan2(m.row1.x, m.row0.x)), pitch, 0)
    }
    return Vector3(
      Angle.degrees(atan2(-m.row0.y, m.row1.y)), pitch, Angle.degrees(atan2(-m.row2.x, m.row2.z)))
  }
}
