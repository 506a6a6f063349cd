import LodestoneCore
import Drivers

/// Tells once that a board turns faster than its gyroscope measures, and marks such rates of a chip.
struct RateWatch {
  private var end = RateEnd()
  private var count = 0

  /// Marked samples after which it is told: one number may stay by chance.
  private static let enough = 3

  /// Marks a sample whose rate is at the end of the range.
  /// - Returns: the notice, once.
  mutating func mark(_ sample: inout Sample) -> StreamNotice? {
    guard let rate = sample.rotationRate, end.isReached(by: rate.degreesPerSecond) else { return nil }
    sample.flags.insert(.rateSaturated)
    return notice(of: rate)
  }

  /// The notice, once, after some samples that are marked so, by the rate of one.
  mutating func notice(of rate: RotationRate?) -> StreamNotice? {
    guard count < Self.enough, let rate = rate?.degreesPerSecond else { return nil }
    count += 1
    return count < Self.enough ? nil : .rateSaturated(limit: max(abs(rate.x), abs(rate.y), abs(rate.z)))
  }
}
