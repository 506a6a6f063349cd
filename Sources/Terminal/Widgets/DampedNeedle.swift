/// A needle on a spring: what the eye follows moves as in an instrument of brass, the numbers do not.
public struct DampedNeedle: Sendable {
  /// Swings a second of the needle without damping.
  private static let frequency = 0.5
  /// Share of the damping at which it would not swing at all.
  private static let damping = 0.7
  /// Seconds of one step of the equation of motion at most.
  private static let longestStep = 0.02

  private var place: Double?
  private var speed = 0.0
  private var last = 0.0

  /// A needle that has not moved yet.
  public init() {}

  /// The needle's place when its mark has been at `target` since the last call, in the unit of the target.
  public mutating func follow(_ target: Double, at time: Double) -> Double {
    let elapsed = time - last
    last = time
    guard var place, elapsed >= 0, elapsed < 1, target.isFinite else {
      place = target.isFinite ? target : nil
      speed = 0
      return target
    }
    let omega = 2 * Double.pi * Self.frequency
    let steps = max(1, Int((elapsed / Self.longestStep).rounded(.up)))
    let step = elapsed / Double(steps)
    for _ in 0..<steps {
      speed += (omega * omega * (target - place) - 2 * Self.damping * omega * speed) * step
      place += speed * step
    }
    self.place = place
    return place
  }
}
