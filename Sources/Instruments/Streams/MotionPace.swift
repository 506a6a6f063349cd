import Drivers
import LodestoneCore

/// An accelerometer and gyroscope that measure more often than the magnetometer beside them: when to ask them, and what
/// either has said and waits. A measurement is stamped with its middle and heard of when it is over, a slow one later
/// than a fast one: each waits until nothing older can come from the other, so that times never go back.
struct MotionPace {
  private var sampling: Sampling
  /// The oldest first.
  private var motions: [Sample] = []
  private var fields: [Sample] = []
  /// The time of what was given last.
  private var given = -Double.infinity

  /// The most samples that wait for the other sensor, where that is silent.
  private static let mostMotions = 64
  private static let mostFields = 2

  /// A configured chip that starts now.
  init(of chip: any Chip, at now: Double) { sampling = Sampling(of: chip, at: now) }

  /// The time to ask the accelerometer and gyroscope next.
  var nextPoll: Double { sampling.nextPoll }

  /// Takes the measurement of a poll at a moment; nil if it brought none.
  mutating func take(_ measurement: Measurement?, at moment: Double) {
    guard case .sample(let time, _, _) = sampling.take(measurement, at: moment), let measurement else { return }
    motions.append(
      Sample(time: time, acceleration: measurement.acceleration, rotationRate: measurement.rotationRate))
  }

  /// A sample of the magnetometer.
  mutating func take(field sample: Sample) { fields.append(sample) }

  /// The next sample whose turn it is.
  /// - Parameter earliest: the earliest time that a field to come can have.
  mutating func next(before earliest: Double) -> Sample? {
    let (motion, field) = (motions.first?.time, fields.first?.time)
    if let motion, motion <= field ?? earliest || motions.count > Self.mostMotions {
      return give(motions.removeFirst())
    }
    if let field, field <= motion ?? sampling.earliestTime || fields.count > Self.mostFields {
      return give(fields.removeFirst())
    }
    return nil
  }

  private mutating func give(_ sample: Sample) -> Sample {
    var sample = sample
    sample.time = max(sample.time, given)
    given = sample.time
    return sample
  }
}
