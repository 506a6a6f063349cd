import LodestoneCore

/// The right-handed axes that a protocol's vectors are along, where it says so. Samples are along x right, y forward, z
/// up, which are the device's for a board whose top edge is its front; how it sits in the device, `--mount` tells.
public enum WireAxes: Sendable {
  /// Axes as samples have them, or unknown: passed on as they are.
  case rightForwardUp
  /// Autopilots and most attitude sensors: x forward, y right, z down.
  case forwardRightDown
  /// Vehicles in robotics: x forward, y left, z up.
  case forwardLeftUp

  /// A vector of a sample from one on the wire.
  @inline(__always)
  func sampled(_ v: Vector3) -> Vector3 {
    switch self {
    case .rightForwardUp: v
    case .forwardRightDown: Vector3(v.y, v.x, -v.z)
    case .forwardLeftUp: Vector3(-v.y, v.x, v.z)
    }
  }

  /// A vector on the wire from one of a sample.
  func sent(_ v: Vector3) -> Vector3 {
    switch self {
    case .rightForwardUp: v
    case .forwardRightDown: Vector3(v.y, v.x, -v.z)
    case .forwardLeftUp: Vector3(v.y, -v.x, v.z)
    }
  }
}

extension WireMessage {
  /// Turns the vectors of a message that was read along `axes` to those of samples.
  mutating func turn(from axes: WireAxes) {
    field = field.map { axes.sampled($0) }
    acceleration = acceleration.map { axes.sampled($0) }
    rotationRate = rotationRate.map { axes.sampled($0) }
  }

  /// Turns the vectors of a sample to the axes of a protocol that is about to send them.
  public mutating func turn(to axes: WireAxes) {
    field = field.map { axes.sent($0) }
    acceleration = acceleration.map { axes.sent($0) }
    rotationRate = rotationRate.map { axes.sent($0) }
  }
}
