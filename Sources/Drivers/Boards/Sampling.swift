/// Turns polls of a chip into samples: says when to ask next, stamps each measurement with the moment it was taken,
/// drops what was seen before, and counts what was missed. It reads no clock; times are seconds on the caller's
/// monotonic one, the middle of the transfer that asked.
///
/// A chip's oscillator is off by a few percent, and a poll sees readiness late by up to one interval. The moment of
/// readiness is therefore the predicted one, kept between the last poll that found nothing and the one that found it;
/// the period follows what is left over.
public struct Sampling: Sendable {
  /// The result of a poll.
  public enum Outcome: Equatable, Sendable {
    /// No new measurement.
    case nothing
    /// A measurement taken at `time`, after `missed` that were not seen. `isFrozen`: it has been the same, digit by
    /// digit, for longer than noise allows.
    case sample(time: Double, missed: Int, isFrozen: Bool)
  }

  private let timing: Timing
  private let flagsNewData: Bool
  private let frozenAfter: Int?

  /// The chip's true period as far as known, in seconds.
  public private(set) var period: Double
  /// The time to ask the chip next.
  public private(set) var nextPoll: Double
  /// The number of measurements that were not seen, so far.
  public private(set) var missed = 0

  /// The last moment of readiness, or of the start while there is none.
  private var ready: Double
  /// The time at which the last measurement was found: it was ready by then, whatever is thought of the phase.
  private var found: Double
  /// The number of measurements so far, up to `settling`.
  private var count = 0
  private var hasSample: Bool { count > 0 }
  /// The last poll since then that found nothing.
  private var lastEmpty: Double?
  private var last = Measurement()
  private var repeats = 0

  /// The share by which a chip's period may be off its data sheet's.
  private static let tolerance = 0.2
  /// The share of a prediction's error that goes into the period.
  private static let gain = 0.05
  /// The number of measurements after which the period counts as known.
  private static let settling = 50
  /// Periods by which two measurements may be apart beyond one with none between: until then, and from then on.
  private static let unsettledSlack = 0.2
  private static let slack = 0.05

  /// Sampling of a chip that was configured just now. One that runs by itself may have a measurement ready of the
  /// settings before, and end another one that began with them: it is asked a period later.
  public init(of chip: any Chip, at now: Double) {
    let (driver, timing) = (type(of: chip), chip.timing)
    let begin = now + (timing.isOnCommand ? 0 : timing.period)
    self.init(timing, flagsNewData: driver.flagsNewData, frozenAfter: driver.frozenAfter, at: begin)
  }

  /// Sampling by a chip's properties.
  public init(_ timing: Timing, flagsNewData: Bool, frozenAfter: Int?, at now: Double) {
    self.timing = timing
    self.flagsNewData = flagsNewData
    self.frozenAfter = frozenAfter
    period = timing.period
    ready = now
    found = now
    nextPoll = now + timing.period
  }

  /// The time between two polls while nothing is ready.
  private var interval: Double { min(max(period / 8, 0.0003), 0.01) }

  /// Seconds for which nothing has come.
  public func silence(at now: Double) -> Double { now - ready }

  /// No measurement to come was taken before this, as far as the chip keeps its period.
  public var earliestTime: Double { ready + (1 - Self.unsettledSlack) * period - timing.latency }

  /// Takes the measurement of a poll at `now`; nil if it brought none.
  public mutating func take(_ measurement: Measurement?, at now: Double) -> Outcome {
    guard let measurement, !isSeen(measurement, at: now) else {
      lastEmpty = now
      nextPoll = now + interval
      return .nothing
    }
    let skipped = advance(to: now, with: measurement)
    countRepeats(of: measurement)
    count = min(count + 1, Self.settling)
    found = now
    missed += skipped
    // Found at once, it may have been ready for long: come earlier next time.
    let lead = lastEmpty == nil ? interval : 0
    nextPoll = timing.isOnCommand ? now + period : max(ready + period - lead, now)
    lastEmpty = nil
    let isFrozen = frozenAfter.map { repeats >= $0 } ?? false
    return .sample(time: ready - timing.latency, missed: skipped, isFrozen: isFrozen)
  }

  /// Whether these are the last numbers again, from a chip whose flag does not tell, within the period of the last
  /// ones.
  private func isSeen(_ measurement: Measurement, at now: Double) -> Bool {
    !flagsNewData && hasSample && isSame(measurement) && now - ready < 1.5 * period
  }

  private func isSame(_ measurement: Measurement) -> Bool {
    measurement.field == last.field && measurement.acceleration == last.acceleration
      && measurement.rotationRate == last.rotationRate
  }

  private mutating func countRepeats(of measurement: Measurement) {
    repeats = hasSample && isSame(measurement) && !measurement.saturated ? repeats + 1 : 0
    last = measurement
  }

  /// Moves `ready` to this measurement and returns how many lie between.
  private mutating func advance(to now: Double, with measurement: Measurement) -> Int {
    // The latest measurement became ready in this window.
    let earliest = max(lastEmpty ?? ready, now - period)
    guard hasSample, !timing.isOnCommand else {
      ready = clamped(ready + period, earliest, now)
      return 0
    }
    // Equal by chance: it came with its period, unseen.
    if !flagsNewData, isSame(measurement) {
      ready += period * max(1, ((now - ready) / period - 0.75).rounded())
      return 0
    }
    let periods = fewestPeriods(to: earliest)
    let predicted = ready + periods * period
    let moment = clamped(lastEmpty == nil ? predicted - interval / 4 : predicted, earliest, now)
    let share = periods < 1e6 ? Self.gain * (moment - predicted) / periods : 0
    period = clamped(
      period + share, timing.period * (1 - Self.tolerance), timing.period * (1 + Self.tolerance))
    ready = moment
    let skipped = periods < 1e6 ? Int(periods) - 1 : 1_000_000
    return max(skipped, measurement.overrun ? 1 : 0)
  }

  /// The least number of periods between the last measurement and one that was not ready before `earliest`. What may
  /// have been missed and may not is not counted: in the first periods nobody knows the phase.
  private func fewestPeriods(to earliest: Double) -> Double {
    let slack = count < Self.settling ? Self.unsettledSlack : Self.slack
    return max(1, ((earliest - max(found, ready)) / period - slack).rounded(.up))
  }

  private func clamped(_ value: Double, _ low: Double, _ high: Double) -> Double { max(low, min(value, high)) }
}
