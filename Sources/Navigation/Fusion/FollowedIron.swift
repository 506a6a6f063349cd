import LodestoneCore

/// The part of a field of the device, as of iron on it or of a calibration that is a little off, that is in north:
/// equation (4), for each of its axes. A board that turns while a gyroscope carries north takes most of it out of the
/// mean.
struct FollowedIron: Sendable {
  /// East in the device's axes by the horizontal field, as north has followed it, in rad/µT.
  private(set) var east = Vector3.zero
  /// The same for a field of the device that grows with the one it is in, as an error of gains: element (i, k) for the
  /// part of it along i by the field along k, in rad.
  private(set) var gains = Matrix3(diagonal: .zero)
  /// The turn of north by iron that has become known since, and that is still to be turned back, in radians.
  private(set) var owed = 0.0

  /// Seconds in which that is done: what is known of iron changes to and fro at first.
  private static let span = 10.0

  /// North follows a field by a gain: by 1 where it is set.
  /// - Parameters:
  ///   - field: in µT, in the frame.
  ///   - horizontal: the horizontal part of the field that should be there, in µT.
  mutating func follow(_ field: Vector3, attitude: Matrix3, horizontal: Double, gain: Double) {
    let now = attitude.row0 / horizontal
    east += (now - east) * gain
    gains = gains + (.outer(now, attitude.transposed * field) + gains * -1) * gain
    owed -= owed * gain
  }

  /// Takes what iron that is known has changed by, in µT. Returns by how much north is off for that, in radians.
  mutating func learn(_ change: Vector3) -> Double {
    let off = east.dot(change)
    owed -= off
    return off
  }

  /// The turn that is due after seconds, in radians.
  mutating func turnBack(after step: Double) -> Double {
    let turn = owed * min(1, step / Self.span)
    owed -= turn
    return turn
  }
}
