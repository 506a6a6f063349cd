import LodestoneCore

/// How much of a field of the device, as of iron on it, is in north: equation (4), for each of its axes.
struct FollowedIron: Sendable {
  /// East in the device's axes by the horizontal field, as north has followed it, in rad/µT.
  private(set) var east = Vector3.zero
  /// The turn of north by iron that has become known since, and that is still to be turned back, in radians.
  private(set) var owed = 0.0

  /// Seconds in which that is done: what is known of iron changes to and fro at first.
  private static let span = 10.0

  /// North has been set.
  mutating func begin() { (east, owed) = (.zero, 0) }

  /// North follows a field by this gain, while a field of the device turns it by `now`, in rad/µT.
  mutating func follow(_ now: Vector3, gain: Double) {
    east += (now - east) * gain
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
