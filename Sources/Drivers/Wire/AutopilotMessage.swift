import LodestoneCore

/// A message of an autopilot, told by its name in text. Its axes point forward, right and down, and its numbers are in
/// the units of its definition. Sources: docs.px4.io, "uORB Message Reference"; mavlink/mavlink, common.xml.
enum AutopilotMessage: Sendable {
  /// Gauss, m/s² and rad/s: the topics of PX4, and HIGHRES_IMU of MAVLink.
  case plain
  /// Thousandths of a gauss, of g and of rad/s, and hundredths of a degree Celsius: RAW_IMU, as ArduPilot fills it, and
  /// the SCALED_IMUs of MAVLink.
  case thousandths
  /// Thousandths of a gauss, m/s² and rad/s: MAG and IMU of ArduPilot's log, as its tools print them.
  case logged

  /// The axes of all of them.
  static let axes = WireAxes.forwardRightDown

  /// The message of MAVLink with this name; nil for one without a field.
  init?(named name: Span<UInt8>) {
    switch ColumnWord(name) {
    case "raw_imu", "scaled_imu", "scaled_imu2", "scaled_imu3": self = .thousandths
    case "highres_imu": self = .plain
    case "mag", "imu": self = .logged
    default: return nil
    }
  }

  /// The message whose values are the columns of a log: of PX4, VehicleMagnetometer, SensorMag or SensorCombined, of
  /// ArduPilot MAG or IMU, of MAVLink one with all of `xacc`, `xgyro` and `xmag`; nil for any other table. ArduPilot's
  /// are `plain` for their axes alone, and so are those of MicroStrain's inertial sensors as its SensorConnect exports
  /// them. Sources: ardupilot.org, "Onboard Message Log Messages"; MicroStrain, "MIP Data Communications Protocol".
  static func ofTable(_ names: [[UInt8]]) -> (message: AutopilotMessage, tellsUnits: Bool)? {
    let names = Set(names.map { String(decoding: $0, as: UTF8.self) })
    func hasAll(of some: [String]) -> Bool { names.isSuperset(of: some) }
    if hasAll(of: ["xacc", "xgyro", "xmag"]) {
      return (names.contains("abs_pressure") ? .plain : .thousandths, true)
    }
    let isOther = [
      ["magnetometer_ga[0]"], ["timestamp_sample", "device_id", "x"], ["accelerometer_m_s2[0]"], ["MagX", "OfsX"],
      ["GyrX", "AccX", "EG"], ["X Mag [x8006]"], ["X Accel [x8004]"],
    ].contains { hasAll(of: $0) }
    return isOther ? (.plain, false) : nil
  }

  /// The unit of a field.
  var fieldUnit: FieldUnit { self == .plain ? .gauss : .milligauss }
  /// The unit of an acceleration.
  var accelerationUnit: AccelerationUnit { self == .thousandths ? .milligravity : .metresPerSecondSquared }
  /// Radians per second in one number of a rotation rate.
  var radiansPerSecond: Double { self == .thousandths ? 0.001 : 1 }

  /// Puts a quantity, by its first role, into a message of samples.
  func put(_ vector: Vector3, _ first: UInt8, into message: inout WireMessage) {
    let vector = Self.axes.sampled(vector)
    switch first {
    case CSVColumns.Role.field: (message.field, message.fieldUnit) = (vector, fieldUnit)
    case CSVColumns.Role.acceleration: (message.acceleration, message.accelerationUnit) = (vector, accelerationUnit)
    default: (message.rotationRate, message.rotationRateUnit) = (vector * radiansPerSecond, .radiansPerSecond)
    }
  }

  /// Turns all quantities of a message that was read as any other.
  func turn(_ message: inout WireMessage) {
    if self == .thousandths { message.temperature = message.temperature.map { $0 / 100 } }
    if let field = message.field { put(field, CSVColumns.Role.field, into: &message) }
    if let acceleration = message.acceleration { put(acceleration, CSVColumns.Role.acceleration, into: &message) }
    if let rate = message.rotationRate { put(rate, CSVColumns.Role.rotationRate, into: &message) }
  }
}

// MARK: Lines

extension LabelReader.Context {
  /// Takes note of the autopilot's message that a line names before its numbers: a topic of PX4 (`TOPIC: sensor_mag`)
  /// and the instance of it (`Instance 1:`), as its shell prints them, its values as ROS does (`magnetometer_ga:`), or
  /// a message of MAVLink (`RAW_IMU {xacc : …`), as MAVProxy does.
  /// - Returns: where the line's own names begin: at its end for a message without anything of interest.
  mutating func noteAutopilot(_ line: Span<UInt8>) -> Int {
    var start = 0
    while start < line.count, line[start].isBlank { start += 1 }
    if line.holds("TOPIC: ", at: start) {
      take(topic: line, from: start + 7)
    } else if line.holds("Instance ", at: start), autopilot != nil, start + 9 < line.count {
      take(instance: line[start + 9])
    } else if Self.values.contains(where: { line.holds($0, at: start) })
      || line.holds("gyro_rad:", at: start) && start + 9 == line.count
    {
      autopilot = .plain
    } else if let name = Self.messageName(of: line, from: start) ?? Self.structName(in: line) {
      return take(message: line.extracting(name)) ? name.upperBound : line.count
    }
    return 0
  }

  /// Names of values that no one but PX4 has. A `gyro_rad` may be anyone's, unless an array follows on lines of its
  /// own.
  private static let values: [StaticString] = ["magnetometer_ga", "accelerometer_m_s2"]

  /// The topic of a sensor tells what its bare x, y and z are; those of another are a place, a speed or the like.
  private mutating func take(topic line: Span<UInt8>, from start: Int) {
    let isOfSensor = line.holds("sensor_", at: start)
    guard isOfSensor || line.holds("vehicle_", at: start) else { return }
    (autopilot, sensor) = (nil, LineLabel.elsewhere)
    for (name, first) in Self.sensors where isOfSensor && line.holds(name, at: start + 7) {
      (autopilot, sensor) = (.plain, first)
    }
    (isNamed, source, outer) = (true, ColumnWord(), ColumnWord())
  }

  private static let sensors: [(StaticString, UInt8)] = [
    ("mag", CSVColumns.Role.field), ("accel", CSVColumns.Role.acceleration), ("gyro", CSVColumns.Role.rotationRate),
    ("combined", LineLabel.elsewhere),
  ]

  private mutating func take(instance digit: UInt8) {
    var word: ColumnWord = "instance"
    word.append(digit)
    (source, outer) = (word, word)
  }

  /// The name of a message of MAVLink or of ArduPilot's log, in capitals before values in braces as pymavlink prints
  /// them: `RAW_IMU {xacc : 1, …}`, `MAG {TimeUS : 5000000, …}`.
  private static func messageName(of line: Span<UInt8>, from start: Int) -> Range<Int>? {
    guard let brace = line.quickIndex(of: UInt8(ascii: "{"), in: start..<line.count) else { return nil }
    var (end, key) = (brace, brace + 1)
    while key < line.count, line[key].isLetter || line[key].isDigit || line[key] == UInt8(ascii: "_") { key += 1 }
    guard key > brace + 1, line.holds(" : ", at: key) else { return nil }
    while end > start, line[end - 1].isBlank { end -= 1 }
    var first = end
    while first > start, line[first - 1].isCapital || line[first - 1].isDigit || line[first - 1] == UInt8(ascii: "_") {
      first -= 1
    }
    // Names of three letters are those of ArduPilot's log.
    let isLog = line.holds("TimeUS", in: brace + 1..<key)
    return end - first > (isLog ? 2 : 3) ? first..<end : nil
  }

  /// The name of MAVLink's message within that of its structure, as Mission Planner writes logs as text:
  /// `…,mavlink_raw_imu_t,time_usec,…`.
  private static func structName(in line: Span<UInt8>) -> Range<Int>? {
    guard let mark = line.quickIndex(of: UInt8(ascii: "_"), in: line.indices), line.holds("mavlink", at: mark - 7)
    else { return nil }
    let start = mark + 1
    var end = start
    while end < line.count, line[end].isLetter || line[end].isDigit || line[end] == UInt8(ascii: "_") { end += 1 }
    return line.holds("_t", at: end - 2) ? start..<end - 2 : nil
  }

  /// Takes the message's name: each with a field tells of one compass, and VFR_HUD the heading from true north. False
  /// for any other.
  private mutating func take(message name: Span<UInt8>) -> Bool {
    let word = ColumnWord(name)
    headingIsTrue = word == "vfr_hud"
    autopilot = AutopilotMessage(named: name)
    (source, outer) = (word, word)
    return headingIsTrue || autopilot != nil
  }
}
