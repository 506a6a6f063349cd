import LodestoneCore
import Drivers

/// Tells once that a board turns faster than its gyroscope measures, and marks such rates of a chip.
struct RateWatch {
  private var end = RateEnd()
  private var isTold = false

  /// Marks a sample whose rate is at the end of the range.
  /// - Returns: the notice, for the first such sample.
  mutating func mark(_ sample: inout Sample) -> StreamNotice? {
    guard let rate = sample.rotationRate, end.isReached(by: rate.degreesPerSecond) else { return nil }
    sample.flags.insert(.rateSaturated)
    return notice(of: sample)
  }

  /// The notice, for the first sample that is marked so.
  mutating func notice(of sample: Sample) -> StreamNotice? {
    guard !isTold, sample.flags.contains(.rateSaturated), let rate = sample.rotationRate?.degreesPerSecond else {
      return nil
    }
    isTold = true
    return .rateSaturated(limit: max(abs(rate.x), abs(rate.y), abs(rate.z)))
  }
}
