import LodestoneCore

/// One row of a sweep: a raw field with what was measured beside it.
struct SweepPoint: Sendable {
  /// Seconds.
  var time: Double
  /// The field in µT, in the magnetometer's axes.
  var raw: Vector3
  /// The specific force in g; nil where the device gave none.
  var force: Vector3?
  /// Rotation rate in radians per second; nil where the device gave none.
  var rate: Vector3?
  /// The chip's, in degrees Celsius; nil where the device gave none.
  var temperature: Double?
}

/// The rows of a recording that a fit can use, and counts of the samples that were repeated or saturated.
/// Bounded: past its capacity it keeps every second row.
struct Sweep: Sendable {
  /// Rows with a field of their own.
  private(set) var measurements = Thinned(capacity: 1 << 16)
  /// All rows, those whose field only repeats the one before too: their force and time count for rests.
  var rows: Thinned { otherRows ?? measurements }
  /// All rows, where they are not the measurements: nil until a row is none.
  private var otherRows: Thinned?
  /// Samples that held a field.
  private(set) var received = 0
  /// The number of these that are exactly like the one before: the loop was faster than the chip.
  private(set) var repeated = 0
  /// The number of these that are at the end of the chip's range.
  private(set) var saturated = 0
  private var last: Vector3?
  /// Force and rate of messages without a field, for the next field that has none.
  private var (heldForce, heldRate) = (HeldVector(), HeldVector())
  private var glitches = RateGlitches()
  /// The time of the last rate, and of the first of those that are not believed yet.
  private var (rateTime, doubtTime) = (-Double.infinity, Double?.none)
  /// The time of the last rate at the end of the gyroscope's range.
  private var rateEnded = -Double.infinity
  /// The rests that were cut out of it.
  private(set) var cut = CutRests()

  init() {}

  /// The sweep of some samples.
  init(_ samples: some Sequence<Sample>) {
    measurements.reserve(samples.underestimatedCount)
    for sample in samples { add(sample) }
  }

  /// Rows in the order of time, evenly thinned.
  struct Thinned: Sendable {
    fileprivate(set) var kept: [SweepPoint] = []
    fileprivate let capacity: Int
    private var stride = 1
    private var skipped = 0

    init(capacity: Int) { self.capacity = capacity }

    fileprivate mutating func reserve(_ count: Int) { kept.reserveCapacity(min(count, capacity)) }

    /// Adds a row; false where it was not kept.
    fileprivate mutating func add(_ measurement: SweepPoint) -> Bool {
      skipped += 1
      guard skipped >= stride else { return false }
      skipped = 0
      kept.append(measurement)
      if kept.count >= capacity {
        kept = Swift.stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        stride *= 2
      }
      return true
    }

    fileprivate mutating func scale(by factor: Double) {
      for index in kept.indices { kept[index].raw = kept[index].raw * factor }
    }

    /// Forgets the newest rates, as far as they are of these times.
    fileprivate mutating func forgetRates(of times: ClosedRange<Double>) {
      var index = kept.count - 1
      while index >= 0, times.contains(kept[index].time) {
        kept[index].rate = nil
        index -= 1
      }
    }

    fileprivate mutating func subtract(_ drift: Drift) {
      for index in kept.indices { kept[index].raw -= drift.offset(at: kept[index].time) }
    }
  }

  /// The use of a sample in the sweep.
  enum Entry {
    /// No field, a broken or a saturated one, or a row thinned out.
    case nothing
    /// A row whose field repeats the one before.
    case repetition(SweepPoint)
    /// A measurement.
    case measurement(SweepPoint)
  }

  /// Takes what a sample says of the field.
  @discardableResult
  mutating func add(_ sample: Sample) -> Entry {
    guard let raw = sample.field?.microtesla else {
      if sample.time.isFinite { hold(sample) }
      return .nothing
    }
    received &+= 1
    guard raw.isFinite, abs(raw.x) + abs(raw.y) + abs(raw.z) < 1e6, sample.time.isFinite else {
      return .nothing
    }
    let row = SweepPoint(
      time: sample.time, raw: raw, force: Self.force(of: sample) ?? Self.take(&heldForce, at: sample.time),
      rate: rate(of: sample) ?? Self.take(&heldRate, at: sample.time),
      temperature: sample.temperature.flatMap { Sample.temperatures.contains($0) ? $0 : nil })
    if raw == last {
      repeated &+= 1
      return sample.flags.contains(.saturated) || !addRepetition(row) ? .nothing : .repetition(row)
    }
    last = raw
    if sample.flags.contains(.saturated) {
      saturated &+= 1
      return .nothing
    }
    _ = otherRows?.add(row)
    return measurements.add(row) ? .measurement(row) : .nothing
  }

  private mutating func addRepetition(_ row: SweepPoint) -> Bool {
    if otherRows == nil { otherRows = measurements }
    return otherRows?.add(row) ?? false
  }

  /// Keeps what an accelerometer or a gyroscope tells in a message of its own.
  private mutating func hold(_ sample: Sample) {
    if let force = Self.force(of: sample) { heldForce.take(force, at: sample.time) }
    if sample.rotationRate == nil { return }
    if let rate = rate(of: sample) { heldRate.take(rate, at: sample.time) } else { heldRate.forget() }
  }

  /// The measurement that is held for a time in seconds, once: told again it would count as another.
  private static func take(_ held: inout HeldVector, at time: Double) -> Vector3? {
    defer { held.forget() }
    return held.value(at: time)
  }

  private static func force(of sample: Sample) -> Vector3? {
    guard let force = sample.acceleration?.g, force.isFinite, force.squaredLength > 1e-4, force.squaredLength < 1e6
    else { return nil }
    return force
  }

  private mutating func rate(of sample: Sample) -> Vector3? {
    guard let rate = sample.rotationRate?.degreesPerSecond, rate.isFinite, rate.squaredLength < 1e10 else { return nil }
    if sample.flags.contains(.rateSaturated) {
      rateEnded = sample.time
      measurements.forgetRates(of: sample.time - Self.unsureOfRate...sample.time)
      otherRows?.forgetRates(of: sample.time - Self.unsureOfRate...sample.time)
    }
    guard abs(sample.time - rateEnded) >= Self.unsureOfRate else { return nil }
    let step = sample.time - rateTime
    rateTime = sample.time
    _ = glitches.sound(rate, step: step)
    if glitches.isInDoubt {
      doubtTime = doubtTime ?? sample.time
    } else if let begin = doubtTime {
      if glitches.wereGarbled, begin <= sample.time {
        measurements.forgetRates(of: begin...sample.time)
        otherRows?.forgetRates(of: begin...sample.time)
      }
      doubtTime = nil
    }
    return rate * (.pi / 180)
  }

  /// Seconds before and after a rate at the end of the gyroscope's range in which the sweep has none: a gap in which no
  /// fit takes a turn for known.
  private static let unsureOfRate = 0.16

  /// Seconds between neighbours: the median, so that gaps do not count. A step of half a second and more is no time but
  /// a count, and one below a microsecond a repeated stamp: either is then taken for a fiftieth of a second.
  var interval: Double {
    guard measurements.kept.count > 2 else { return 0.02 }
    let steps = probes(999).map { measurements.kept[$0 + 1].time - measurements.kept[$0].time }.sorted()
    let median = steps[steps.count / 2]
    return median >= 1e-6 && median < 0.5 ? median : 0.02
  }

  /// The number of steps of `interval` seconds in a time; bounded, whatever the interval.
  static func count(of seconds: Double, every interval: Double, atLeast least: Int) -> Int {
    guard interval > 0, seconds / interval >= Double(least) else { return least }
    return Int(min(seconds / interval, 1e9))
  }

  /// The mean of the chip's temperature in degrees Celsius; nil for a device that tells none.
  var temperature: Double? {
    var (sum, count) = (0.0, 0.0)
    for temperature in measurements.kept.lazy.compactMap({ $0.temperature }) {
      sum += temperature
      count += 1
    }
    return count > 0 ? sum / count : nil
  }

  private func probes(_ count: Int) -> [Int] {
    let last = measurements.kept.count - 1
    let step = max(1, last / count)
    return Array(Swift.stride(from: 0, to: last, by: step))
  }

  /// This sweep with every field and nothing else multiplied.
  func scaled(by factor: Double) -> Sweep {
    var sweep = self
    sweep.measurements.scale(by: factor)
    sweep.otherRows?.scale(by: factor)
    return sweep
  }

  /// This sweep as it would be had the offset always been the last one.
  func without(_ drift: Drift) -> Sweep {
    var sweep = self
    sweep.measurements.subtract(drift)
    sweep.otherRows?.subtract(drift)
    return sweep
  }

  /// This sweep as if no rest had been longer than ten seconds.
  var withoutLongRests: Sweep {
    var sweep = self
    sweep.cut = CutRests(measurements.kept, interval: interval)
    sweep.measurements.kept = sweep.cut.left(of: measurements.kept)
    if let rows = otherRows?.kept { sweep.otherRows?.kept = sweep.cut.left(of: rows) }
    return sweep
  }

  /// This sweep's counts with other measurements, which are all its rows.
  func replacingMeasurements(with measurements: [SweepPoint]) -> Sweep {
    var sweep = self
    sweep.measurements.kept = measurements
    sweep.otherRows = nil
    return sweep
  }

  /// The measurements that a mask lets through.
  func kept(_ mask: [Bool]) -> [SweepPoint] {
    var kept: [SweepPoint] = []
    kept.reserveCapacity(mask.count)
    for (point, isKept) in zip(measurements.kept, mask) where isKept { kept.append(point) }
    return kept
  }
}
