import LodestoneCore

/// Rates that a bus or a cable has garbled: a single one far from those before and after it. One of 1000°/s turned a heading by
/// 20°, and more of them had a sound gyroscope accused.
struct RateGlitches: Sendable {
  /// The last rate that was taken, and one after it that is not believed yet, in degrees per second, with its seconds.
  private var last: Vector3?
  private var odd: (rate: Vector3, step: Double)?

  /// Degrees by which one such rate must turn a board, and the rotational acceleration in degrees per second squared that no hand
  /// makes.
  private static let (turn, fastest) = (1.5, 10_000.0)

  /// The rate to reckon with: the newest one, or the one before in its place; a turn that was not believed is made up for.
  /// - Parameters:
  ///   - rate: in degrees per second.
  ///   - step: seconds since the one before.
  mutating func sound(_ rate: Vector3, step: Double) -> Vector3 {
    guard let last, step > 0, step < Fusion.longestStep else {
      (self.last, odd) = (rate, nil)
      return rate
    }
    let off = (rate - last).squaredLength
    if let odd {
      self.odd = nil
      self.last = rate
      return (rate - odd.rate).squaredLength < off ? rate + (odd.rate - last) * (odd.step / step) : rate
    }
    let limit = max(Self.turn / step, Self.fastest * step)
    guard off > limit * limit else {
      self.last = rate
      return rate
    }
    odd = (rate, step)
    return last
  }
}
