import LodestoneCore

/// Rates that a bus or a cable has garbled: one or two in a row far from those before and after them, and from each
/// other. One of 1000°/s turned a heading by 20°, and more of them had a sound gyroscope accused.
package struct RateGlitches: Sendable {
  /// The last rate that was taken, in degrees per second.
  private var last: Vector3?
  /// The newest rate of those after it that are not believed yet, how many they are, and by how much they would have
  /// turned the board more than the last one, in degrees.
  private var odd: (rate: Vector3, count: Int, turn: Vector3)?
  /// Whether the newest rate is not believed yet.
  package var isInDoubt: Bool { odd != nil }
  /// Whether the newest rate has shown that those before it which were not believed are garbled.
  package private(set) var wereGarbled = false
  /// The recent change from one rate to the next, in degrees per second.
  private var change = 0.0

  /// Seconds after which a rate tells nothing of the next one.
  package static let longestStep = 0.5
  /// Degrees by which such rates must turn a board.
  private static let turn = 1.0
  /// The rotational accelerations in degrees per second squared that a board at rest does not begin with, and that no
  /// hand makes.
  private static let (fast, fastest) = (4000.0, 10_000.0)
  /// The multiple of the usual change that no motion makes, and the number of rates over which the usual change
  /// follows.
  private static let (unusual, memory) = (20.0, 8.0)
  /// Rates in a row that may be garbled.
  private static let most = 2

  /// A filter that has seen no rate yet.
  package init() {}

  /// The rate to reckon with: the newest one, or the last one taken in its place; a turn that was not believed is made
  /// up for.
  /// - Parameters:
  ///   - rate: in degrees per second.
  ///   - step: seconds since the one before.
  package mutating func sound(_ rate: Vector3, step: Double) -> Vector3 {
    wereGarbled = false
    guard let last, step > 0, step < Self.longestStep else {
      (self.last, odd) = (rate, nil)
      return rate
    }
    let off = (rate - last).squaredLength
    let limit = max(Self.turn / step, min(Self.fastest * step, max(Self.fast * step, Self.unusual * change)))
    let isFar = off > limit * limit
    guard let odd else {
      if isFar { self.odd = (rate, 1, (rate - last) * step) } else { take(rate, off) }
      return isFar ? last : rate
    }
    let jump = (rate - odd.rate).squaredLength
    if isFar, odd.count < Self.most, jump > limit * limit {
      self.odd = (rate, odd.count + 1, odd.turn + (rate - last) * step)
      return last
    }
    self.odd = nil
    take(rate, off)
    wereGarbled = jump >= off
    return jump < off ? rate + odd.turn / step : rate
  }

  private mutating func take(_ rate: Vector3, _ square: Double) {
    last = rate
    change += (square.squareRoot() - change) / Self.memory
  }
}
