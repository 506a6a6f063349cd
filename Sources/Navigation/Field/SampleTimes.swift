import LodestoneCore
import Glibc

/// The times of samples by their stamps. Uneven ones were taken so, or evenly, and only stamped as they arrived, as
/// bursts of a radio link are.
struct SampleTimes: Sendable {
  /// The times of samples taken evenly, in seconds from the first stamp.
  let even: [Double]
  /// Samples a second, by the line through all stamps.
  let rate: Double
  /// The deviation of the stamps from even times: the root mean square in seconds.
  let deviation: Double
  /// One standard deviation of the rate, as a share of it: stamps that are rounded, or late, may be so more and more.
  let rateDeviation: Double
  /// Whether the stamps are further from even times than rounding explains.
  var isUneven: Bool { deviation * rate > Self.rounding }

  /// The share of an interval by which even stamps may be off: they are rounded.
  private static let rounding = 0.1
  /// The neighbouring samples that are late together.
  private static let together = 5.0

  /// The times behind stamps in seconds; nil for too few.
  init?(_ stamps: [Double]) {
    let count = Double(stamps.count)
    guard stamps.count > 2 else { return nil }
    let (middle, mean) = ((count - 1) / 2, stamps.reduce(0, +) / count)
    var (product, spread) = (0.0, 0.0)
    for (place, stamp) in stamps.enumerated() {
      product += (Double(place) - middle) * (stamp - mean)
      spread += (Double(place) - middle) * (Double(place) - middle)
    }
    let step = product / spread
    guard step > 0 else { return nil }
    let even = stamps.indices.map { mean + step * (Double($0) - middle) }
    var square = 0.0
    for (stamp, time) in zip(stamps, even) { square += (stamp - time) * (stamp - time) }
    let deviation = (square / count).squareRoot()
    (self.even, rate, self.deviation) = (even, 1 / step, deviation)
    let creeping = min(deviation * 12.squareRoot(), step) / (step * count) / Quantile.normal
    rateDeviation = hypot(deviation / step * (Self.together / spread).squareRoot(), creeping)
  }

  /// The share of the amplitude that is left of a line at a frequency in hertz where it is looked for at the wrong
  /// times.
  func left(at frequency: Double) -> Double {
    let phase = 2 * .pi * frequency * deviation
    return exp(-phase * phase / 2)
  }
}
