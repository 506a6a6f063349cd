import LodestoneCore

/// How a board has turned lately, and what that makes of a gap in its rates.
///
/// The mean of the rates at both ends says little of a gap that a swing to and fro, as with steps, is not slow against:
/// a board that swings is found about its middle, by a variance that grows no more. About each axis the surer of the
/// two counts.
struct RecentTurns: Sendable {
  /// The mean rate in radians per second, and the mean square about each axis of what rates differ from it.
  private var (slow, power) = (Vector3.zero, Vector3.zero)
  /// The turn from the middle of the swings in radians, and its mean square about each axis.
  private var (swing, swings) = (Vector3.zero, Vector3.zero)
  /// Seconds so far.
  private var elapsed = 0.0

  /// Seconds of the mean rate, of the middle, and over which it is remembered how boards turn.
  private static let (slowSpan, middleSpan, memory) = (1.5, 1.0, 5.0)
  /// The variance of a board about its middle for the mean square of its swings, and of a mean rate, which is late, for
  /// its own.
  private static let (swingShare, slowShare) = (2.0, 0.5)

  /// Takes a rate less its bias in radians per second, for seconds.
  mutating func add(_ rate: Vector3, for step: Double) {
    slow += (rate - slow) * min(1, step / Self.slowSpan)
    swing += (rate - slow) * step - swing * min(1, step / Self.middleSpan)
    elapsed = min(Self.memory, elapsed + step)
    let share = step / elapsed
    power += ((rate - slow).squares - power) * share
    swings += (swing.squares - swings) * share
  }

  /// The rate over a gap and the variance of the turn by it, about each axis, in radians per second and in rad².
  /// - Parameters:
  ///   - before: the rate as it began.
  ///   - after: the rate as it ended; that before while it is not known.
  ///   - share: of what boards turn by that the rates at both ends leave open.
  func across(from before: Vector3, to after: Vector3, for step: Double, share: Double) -> (
    rate: Vector3, variance: Vector3
  ) {
    let (ends, back) = ((before + after) * 0.5, slow - swing / step)
    let ofBack = swings * Self.swingShare + slow.squares * (Self.slowShare * step * step)
    let ofEnds = unsure(from: before, to: after, for: step, share: share)
    var (rate, variance) = (ends, ofEnds)
    for axis in 0..<3 where elapsed > 0 && ofBack[axis] < ofEnds[axis] {
      (rate[axis], variance[axis]) = (back[axis], ofBack[axis])
    }
    return (rate, variance)
  }

  /// Takes a gap: the board is about the middle of its swings after it.
  mutating func bridge() { swing = .zero }

  /// The variance about each axis, in rad², of a turn of which the rates at both ends are known.
  func unsure(from before: Vector3, to after: Vector3, for step: Double, share: Double) -> Vector3 {
    let change = (after - before).squares
    return Vector3(max(power.x, change.x / 2), max(power.y, change.y / 2), max(power.z, change.z / 2))
      * (share * step * step)
  }
}

extension Vector3 {
  /// The squares of its elements.
  var squares: Vector3 { Vector3(x * x, y * y, z * z) }
}
