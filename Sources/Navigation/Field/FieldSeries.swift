import LodestoneCore

/// A stretch of field samples, looked at as a whole: its drift, its slow noise, and what alternates.
public struct FieldSeries: Sendable {
  private var times: [Double] = []
  private var fields: [Vector3] = []

  /// Nothing yet.
  public init() {}

  /// Takes a field in µT at a time in seconds; one that is not finite, or earlier than the last, is left out, and the
  /// last one again. Samples that arrive together may have the same time.
  public mutating func add(_ field: Vector3, at time: Double) {
    guard field.isFinite, time.isFinite, times.last.map({ $0 <= time }) ?? true else { return }
    guard time != times.last || field != fields.last else { return }
    times.append(time)
    fields.append(field)
  }

  /// The number of samples.
  public var count: Int { times.count }
  /// The time of the first sample in seconds; nil without one.
  public var begin: Double? { times.first }
  /// Seconds from the first sample to the last.
  public var duration: Double { (times.last ?? 0) - (times.first ?? 0) }
  /// Samples a second; nil for fewer than two.
  public var rate: Double? { duration > 0 ? Double(count - 1) / duration : nil }
  /// The mean in µT; zero without a sample.
  public var mean: Vector3 { fields.reduce(.zero, +) / Double(max(count, 1)) }

  /// The mean square of each axis's deviation from its mean, in µT².
  public var meanSquares: Vector3 {
    let mean = mean
    let sum = fields.reduce(Vector3.zero) { sum, field in
      let rest = field - mean
      return sum + Vector3(rest.x * rest.x, rest.y * rest.y, rest.z * rest.z)
    }
    return sum / Double(max(count, 1))
  }

  /// Forgets samples older than `seconds` before the last one, and all but the last `most` samples.
  public mutating func keep(seconds: Double, most: Int) {
    guard let last = times.last else { return }
    let old = times.firstIndex { $0 >= last - seconds } ?? 0
    let surplus = max(old, count - max(0, most))
    guard surplus > 0 else { return }
    times.removeFirst(surplus)
    fields.removeFirst(surplus)
  }

  /// The number of samples for each measurement of a chip that is slower than the program that reads it; nil where each
  /// sample may be a measurement.
  var perMeasurement: Double? {
    var repeats = FieldRepeats()
    for field in fields { repeats.add(field) }
    return repeats.perMeasurement
  }

  /// The samples without those that repeat the one before, where a chip is slower than the program that reads it. The
  /// first measurement, which may have come before, is left out.
  var measurements: FieldSeries {
    guard perMeasurement != nil else { return self }
    var series = FieldSeries()
    var last = fields.first
    for (time, field) in zip(times, fields) where field != last {
      series.add(field, at: time)
      last = field
    }
    return series
  }

  /// The slope in µT/s by least squares, and its standard deviation on one axis.
  var drift: (slope: Vector3, deviation: Double) {
    guard count > 2, duration > 0 else { return (.zero, 0) }
    let (middle, mean) = (times.reduce(0, +) / Double(count), mean)
    var (spread, product) = (0.0, Vector3.zero)
    for (time, field) in zip(times, fields) {
      spread += (time - middle) * (time - middle)
      product += (field - mean) * (time - middle)
    }
    let slope = product / spread
    var residual = 0.0
    for (time, field) in zip(times, fields) { residual += (field - mean - slope * (time - middle)).squaredLength }
    return (slope, (residual / Double(3 * (count - 2)) / spread).squareRoot())
  }

  /// The Allan deviation on one axis over an eighth of the stretch, less what noise that is new in each sample makes of
  /// it: what is left of noise that fades slowly, as 1/f noise does.
  var flicker: Double {
    let size = count / 8
    guard size >= 1 else { return 0 }
    let blocks = (0..<8).map { (block: Int) -> Vector3 in
      let sum = fields[(block * size)..<((block + 1) * size)].reduce(Vector3.zero, +)
      return sum / Double(size)
    }
    var allan = 0.0
    for (a, b) in zip(blocks, blocks.dropFirst()) { allan += (b - a).squaredLength }
    var white = 0.0
    for (a, b) in zip(fields, fields.dropFirst()) { white += (b - a).squaredLength }
    let excess = allan / (2 * 7 * 3) - white / Double(2 * (count - 1) * 3 * size)
    return max(0, excess).squareRoot()
  }

  /// The number of samples of new noise that are worth as much as all of it where they are noise that a sketch has
  /// smoothed; nil where they are not: something moved.
  ///
  /// Half the mean square of differences over n samples, as a share of the variance, is q(n) = 1 − ρⁿ for an
  /// exponential mean: q(2) = q(1) (2 − q(1)), and 1 over an eighth of the stretch. A movement beside noise has q(2) =
  /// q(1), one without 4 q(1), and both less than a half over an eighth.
  var smoothedNoise: Double? {
    let variance = meanSquares.sum
    guard count >= 16, variance > 0 else { return nil }
    func share(_ lag: Int) -> Double {
      var sum = 0.0
      for (before, after) in zip(fields, fields.dropFirst(lag)) { sum += (after - before).squaredLength }
      return sum / Double(2 * (count - lag)) / variance
    }
    let (one, two) = (share(1), share(2))
    guard one > 0, one < 1, abs(two / one - (2 - one)) < 0.25, share(count / 8) > 0.5 else { return nil }
    return Double(count) * one / (2 - one)
  }

  /// The line that stands highest above the rest of the spectrum; nil for fewer than sixteen samples.
  var strongestLine: SpectralLine? { FieldSpectrum(self, tapered: false)?.lines.first }

  /// The samples less their mean, with their times from the first.
  func deviations() -> [(time: Double, field: Vector3)] {
    let (begin, mean) = (begin ?? 0, mean)
    return zip(times, fields).map { ($0 - begin, $1 - mean) }
  }
}
