import LodestoneCore

/// A field that comes again and again to the last digit: a register or a bus may send what it sent.
struct RepeatedField: Sendable {
  /// The field that came last, in µT, and the attitude when it was new.
  private var field = Vector3.zero
  private var attitude = Quaternion.identity
  /// The board has turned away from that attitude.
  private var isOld = false

  /// Standard deviations of noise, and a share of it, by which a field changes on a board that turns.
  private static let (change, changeShare) = (6.0, 0.05)

  /// Whether a field is the same to the last digit though the board has turned. It is no field then until it changes,
  /// though the board may turn back.
  /// - Parameters:
  ///   - new: as it was measured, in µT.
  ///   - now: the attitude of the board.
  ///   - noise: what noise makes of one axis, one standard deviation in µT.
  mutating func isStuck(_ new: Vector3, attitude now: Quaternion, noise: Double) -> Bool {
    guard new == field else {
      (field, attitude, isOld) = (new, now, false)
      return false
    }
    guard !isOld else { return true }
    let limit = max(Self.change * noise, Self.changeShare * new.length)
    let expected = now.conjugate * (attitude * new)
    isOld = (expected - new).squaredLength > limit * limit
    return isOld
  }
}
