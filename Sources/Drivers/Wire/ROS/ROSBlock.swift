/// The vectors of an inertial sensor's message as `rostopic echo` and `ros2 topic echo` print it: a name on a line of
/// its own, and the axes below. Its rates are in rad/s; the unit of its accelerations, m/s² with gravity, is left to
/// their length, as that of the field's blocks is, which come behind: a message that states all of its units closes the
/// question for those. Source: sensor_msgs/Imu.msg and REP 103, "Units".
enum ROSBlock {
  private static let names: [(name: StaticString, words: String)] = [
    ("angular_velocity:", "gyro (rad/s):"), ("linear_acceleration:", "accel:"),
  ]

  /// The line as one with usual names; nil for any other line.
  static func words(_ line: Span<UInt8>) -> [UInt8]? {
    guard !line.isEmpty, line[0] == UInt8(ascii: "a") || line[0] == UInt8(ascii: "l") else { return nil }
    guard let block = names.first(where: { line.holds($0.name) }) else { return nil }
    guard (block.name.utf8CodeUnitCount..<line.count).allSatisfy({ line[$0].isBlank }) else { return nil }
    return Array(block.words.utf8)
  }
}
