import LodestoneCore

/// A field or a force that comes again and again to the last digit: a register or a bus may send what it sent.
struct RepeatedVector: Sendable {
  /// The one that came last, and the attitude when it was new.
  private var last = Vector3.zero
  private var attitude = Quaternion.identity
  /// The board has turned away from that attitude.
  private var isOld = false

  /// Standard deviations of noise, and a share of it, by which it changes on a board that turns.
  private static let (change, changeShare) = (6.0, 0.05)

  /// Whether it is the same to the last digit though the board has turned. It counts for nothing then until it changes,
  /// though the board may turn back.
  /// - Parameters:
  ///   - new: as it was measured.
  ///   - now: the attitude of the board.
  ///   - noise: what noise makes of one axis, one standard deviation.
  mutating func isStuck(_ new: Vector3, attitude now: Quaternion, noise: Double) -> Bool {
    guard new == last else {
      (last, attitude, isOld) = (new, now, false)
      return false
    }
    guard !isOld else { return true }
    let limit = max(Self.change * noise, Self.changeShare * new.length)
    let expected = now.conjugate * (attitude * new)
    isOld = (expected - new).squaredLength > limit * limit
    return isOld
  }
}
