import LodestoneCore

/// Rows of `ros2 topic echo --csv`, which prints the values of a message without names: seconds, nanoseconds and the
/// frame, then of a MagneticField three axes in T and their nine covariances, of an Imu an orientation, a rotation rate
/// in rad/s and an acceleration in m/s², each with nine. Source: ros2/common_interfaces, sensor_msgs.
struct ROSRows: Sendable {
  /// Numbers behind the frame.
  private static let (fieldCount, motionCount) = (12, 37)
  /// Whether there has been one.
  private(set) var haveCome = false
  /// The frame of a row, where its axes are not known.
  private(set) var unknownFrame: [UInt8]?

  /// Reads a row into an empty message; false, and the message is as it was, for any other line.
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool {
    var fields = Fields(from: 0, to: line.count)
    guard line.count > 0, line[0].isDigit, let seconds = fields.number(in: line),
      let nanoseconds = fields.number(in: line), (0..<1e9).contains(nanoseconds),
      nanoseconds == nanoseconds.rounded(), seconds == seconds.rounded(), fields.hasMore
    else { return false }
    let frame = fields.text(in: line)
    guard frame.isEmpty || line[frame.lowerBound].isLetter || line[frame.lowerBound] == UInt8(ascii: "/") else {
      return false
    }
    var (values, count) = (InlineArray<37, Double>(repeating: 0), 0)
    while fields.hasMore {
      guard count < Self.motionCount, let value = fields.number(in: line) else { return false }
      values[count] = value
      count += 1
    }
    func vector(_ start: Int) -> Vector3 { Vector3(values[start], values[start + 1], values[start + 2]) }
    switch count {
    case Self.fieldCount: (message.field, message.fieldUnit) = (vector(0), .tesla)
    case Self.motionCount:
      (message.rotationRate, message.rotationRateUnit) = (vector(13), .radiansPerSecond)
      (message.acceleration, message.accelerationUnit) = (vector(25), .metresPerSecondSquared)
    default: return false
    }
    message.time = seconds + nanoseconds * 1e-9
    let own = ROSFrame(line, frame)
    if let axes = own.axes {
      message.turn(from: axes)
    } else if unknownFrame == nil {
      unknownFrame = line.bytes(in: own.name)
    }
    haveCome = true
    return true
  }
}
