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
  /// The same against true north; nil where the place is not known.
  public var trueHeading: Heading<TrueNorth>?
  /// Pitch and roll as the compass shows them, in degrees: the heading axis above the horizontal, its right side down.
  public var compassTilt: (pitch: Double, roll: Double)?
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

  /// The columns.
  public static let schema = RecordSchema("attitude", columns, line: AttitudeLine.self)

  static let columns: [Column] =
    ["qw", "qx", "qy", "qz"].map { .number($0, .none, decimals: 6) }
    + ["yaw", "pitch", "roll"].map { .number($0, .degrees, decimals: 2) }
    + ["rate_x", "rate_y", "rate_z"].map { .number($0, .degreesPerSecond, decimals: 3) }
    + ["gravity_x", "gravity_y", "gravity_z"].map { .number($0, .gravities, decimals: 4) }
    + ["user_x", "user_y", "user_z"].map { .number($0, .gravities, decimals: 4) }
    + ["bx", "by", "bz"].map { .field($0) }
    + [
      .word("field_accuracy", FieldAccuracy.allCases.map { $0.rawValue }),
      .number("yaw_accuracy", .degrees, decimals: 2), .number("inclination_accuracy", .degrees, decimals: 2),
      .integer("at_rest"), .word("frame", AttitudeFrame.allCases.map { $0.rawValue }),
      .heading("device_heading"), .number("device_pitch", .degrees, decimals: 2),
      .number("device_roll", .degrees, decimals: 2),
      .heading("magnetic_heading"), .heading("true_heading"),
      .number("compass_pitch", .degrees, decimals: 2, reach: .byName),
      .number("compass_roll", .degrees, decimals: 2, reach: .byName),
    ]

  /// Puts a value for each column.
  public func fill(_ row: inout Row) {
    row.put(attitude?.w)
    row.put(attitude?.v)
    row.put(attitude.map { convention == .device ? $0.yawPitchRoll : $0.aerospaceAngles })
    row.put(rate)
    row.put(gravity)
    row.put(userAcceleration)
    row.put(field?.microtesla)
    row.put(fieldAccuracy.flatMap { FieldAccuracy.allCases.firstIndex(of: $0) }.map { Double($0) })
    row.put(yawAccuracy)
    row.put(inclinationAccuracy)
    row.put(attitude == nil ? nil : isAtRest ? 1 : 0)
    row.put(AttitudeFrame.allCases.firstIndex(of: frame).map { Double($0) })
    row.put(device?.magnetic?.degrees ?? device?.trueNorth?.degrees)
    row.put(device?.pitch)
    row.put(device?.roll)
    row.put(magneticHeading?.degrees)
    row.put(trueHeading?.degrees)
    row.put(compassTilt?.pitch)
    row.put(compassTilt?.roll)
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

  /// The columns of an attitude, and its matrix row by row.
  public static let schema = RecordSchema(
    "attitude",
    AttitudeReading.columns
      + ["m11", "m12", "m13", "m21", "m22", "m23", "m31", "m32", "m33"].map { .number($0, .none, decimals: 6) },
    line: AttitudeLine.self)

  /// Puts a value for each column.
  public func fill(_ row: inout Row) {
    attitude.fill(&row)
    let matrix = attitude.attitude?.matrix
    row.put(matrix?.row0)
    row.put(matrix?.row1)
    row.put(matrix?.row2)
  }
}

/// One line for people.
public struct AttitudeLine: RecordLine {
  private let places: [Int?]
  private static let names = ["yaw", "pitch", "roll"]

  /// A writer for rows of this kind.
  public init(_ schema: RecordSchema, units: DisplayUnits) {
    places = (Self.names + ["yaw_accuracy"]).map { schema.index(of: $0) }
  }

  /// Appends `yaw 12.3°   pitch -0.4°   roll 1.0°   ±3.1°`.
  public func append(_ row: borrowing Row, to text: inout TextBuffer) {
    for (index, name) in Self.names.enumerated() {
      if index > 0 { text.append("   ") }
      text.append(text: name)
      text.append(" ")
      text.append(row[places[index]], decimals: 1, absent: "-")
      text.append("°")
    }
    guard let accuracy = row[places[3]] else { return }
    text.append("   ±")
    text.append(accuracy, decimals: 1)
    text.append("°")
  }
}

extension Quaternion {
  /// Yaw about z, pitch about the new x and roll about the newest y, in degrees: this = R_z(yaw) R_x(pitch) R_y(roll). Yaw
  /// and roll within ±180, pitch within ±90; upright, at ±90, roll is 0.
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
