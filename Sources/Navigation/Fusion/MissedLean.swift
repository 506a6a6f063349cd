import LodestoneCore

/// The part of a turn missed by the gyroscope that has tilted the board: its rates were clipped or frozen, or rows were
/// lost. The force of a board that no longer turns then leans, and stays so, but is as long as gravity. A push that
/// leans a force as far makes it longer, by half the square of the lean.
struct MissedLean: Sendable {
  /// A force leans as after such a turn.
  var isSuspected: Bool { seconds > 0 }
  /// The variance of up as long as it is not sure, in rad².
  var variance: Double { seconds > Self.seenSoon ? square : 0 }
  /// The square of its lean, in rad², and for how many seconds it has leaned.
  private var (square, seconds) = (0.0, 0.0)

  /// Radians that the errors of an accelerometer, and pushes whose length hides in them, do not make.
  private static let least = Angle.radians(2.5)
  /// Shares of the square of a lean: the square of the push that the force's length may show at most, and that of the
  /// change from the mean of 0.6 s to the one of 0.3 s.
  private static let (shown, changed) = (0.25, 0.04)
  /// By how much the square of a force may be more and less than that of gravity, as an accelerometer errs from one
  /// attitude to another: the least push makes it more than the first.
  private static let (longer, shorter) = (0.0015, 0.06)
  /// Seconds after which it is reckoned with, and after which it is sure.
  private static let (seenSoon, patience) = (0.2, 0.7)
  /// Radians per second of a board that is held still.
  private static let still = Angle.radians(6)

  /// Takes what forces are like; true once it is sure that up is another one.
  /// - Parameters:
  ///   - rate: of the board, in radians per second.
  ///   - expected: the variance of up about a horizontal axis, in rad²: within three deviations it is found without
  ///     this.
  ///   - step: seconds since the window before.
  mutating func isSure(_ now: Pushes.Now, rate: Double, expected: Double, step: Double) -> Bool {
    square = (now.lean * now.lean).sum()
    guard
      square > max(Self.least * Self.least, 9 * expected), rate < Self.still,
      now.most < max(Self.shown * square, Self.longer), now.least > -max(Self.shown * square, Self.shorter),
      (now.change * now.change).sum() < Self.changed * square
    else {
      seconds = 0
      return false
    }
    seconds += step
    return seconds > Self.patience
  }
}
