import LodestoneCore
import Glibc

/// A field that alternates at one frequency.
public struct SpectralLine: Equatable, Sendable {
  /// In hertz, up to half the sampling rate. What alternates faster appears here folded back.
  public var frequency: Double
  /// The largest excursion in µT: the length of the amplitudes along the three axes.
  public var amplitude: Double
  /// It stands out of the noise: such a line comes from noise once in a thousand stretches.
  public var isSignificant: Bool
  /// The mains may be behind it.
  public var mains: Mains?

  /// How a line comes of the mains.
  public enum Mains: Equatable, Sendable {
    /// The mains' frequency (50 or 60 Hz) itself.
    case hum(Double)
    /// A harmonic of the mains: 2 times, 3 times, …
    case harmonic(Double, Int)
    /// The mains' frequency, or a harmonic, folded back at half the sampling rate.
    case alias(Double, Int)
  }
}

/// The amplitudes of what alternates in a stretch of samples, by the discrete Fourier transform at the multiples of
/// 1/duration, up to half the sampling rate.
public struct FieldSpectrum: Equatable, Sendable {
  /// Samples a second.
  public let rate: Double
  /// Half of that: no frequency above it can be told.
  public var nyquist: Double { rate / 2 }
  /// The distance of neighbouring frequencies that can be told apart, in hertz.
  public let resolution: Double
  /// The strongest first: local maxima, at most eight.
  public let lines: [SpectralLine]
  /// Amplitude in µT at each multiple of `resolution`, from 0 up.
  public let amplitudes: [Double]

  /// A stretch of fewer samples has no spectrum.
  static let fewest = 16
  private static let most = 8

  /// The spectrum of a stretch; nil for fewer than sixteen samples.
  /// - Parameter tapered: weighs the stretch with a Hann window, so that a strong line does not spill over its neighbours.
  public init?(_ series: FieldSeries, tapered: Bool = true) {
    guard series.count >= Self.fewest, let rate = series.rate else { return nil }
    let samples = series.deviations()
    let span = Double(samples.count) / rate
    let weights = samples.map { tapered ? 1 - cos(2 * .pi * ($0.time * rate + 0.5) / Double(samples.count)) : 1 }
    let count = samples.count / 2
    let amplitudes = (0...count).map { bin in
      Self.amplitude(of: samples, weights, at: Double(bin) / span) * (2 * bin == samples.count ? 0.5 : 1)
    }
    self.rate = rate
    resolution = 1 / span
    self.amplitudes = amplitudes
    lines = Self.lines(amplitudes, resolution: 1 / span, rate: rate, tapered: tapered)
  }

  /// The length of the amplitudes along the three axes at a frequency.
  private static func amplitude(
    of samples: [(time: Double, field: Vector3)], _ weights: [Double], at frequency: Double
  ) -> Double {
    var (real, imaginary) = (Vector3.zero, Vector3.zero)
    for (sample, weight) in zip(samples, weights) {
      let phase = 2 * Double.pi * frequency * sample.time
      real += sample.field * (weight * cos(phase))
      imaginary += sample.field * (weight * sin(phase))
    }
    return 2 / Double(samples.count) * (real.squaredLength + imaginary.squaredLength).squareRoot()
  }

  /// Local maxima, the strongest first. Slow noise fills the first bins: they count for nothing.
  private static func lines(
    _ amplitudes: [Double], resolution: Double, rate: Double, tapered: Bool
  ) -> [SpectralLine] {
    let first = 3
    guard amplitudes.count > first + 2 else { return [] }
    let powers = amplitudes.map { $0 * $0 }
    let total = powers[first...].reduce(0, +)
    let limit = fisherLimit(amplitudes.count - first)
    var found: [SpectralLine] = []
    for bin in first..<amplitudes.count {
      let before = powers[bin - 1]
      let after = bin + 1 < powers.count ? powers[bin + 1] : 0
      guard powers[bin] >= before, powers[bin] >= after, powers[bin] > 0 else { continue }
      let (offset, gain) = between(before.squareRoot(), amplitudes[bin], after.squareRoot(), tapered: tapered)
      let frequency = min((Double(bin) + offset) * resolution, rate / 2)
      found.append(
        SpectralLine(
          frequency: frequency, amplitude: amplitudes[bin] * gain,
          isSignificant: (before + powers[bin] + after) / max(total, 1e-300) > 1.5 * limit,
          mains: .init(frequency: frequency, rate: rate, tolerance: 0.75 * resolution)))
    }
    return Array(found.sorted { $0.amplitude > $1.amplitude }.prefix(most))
  }

  /// Where between the bins a line stands, −½ ... ½, and by how much its amplitude is larger than that of the bin.
  private static func between(
    _ before: Double, _ at: Double, _ after: Double, tapered: Bool
  ) -> (offset: Double, gain: Double) {
    guard tapered else {
      // A parabola; the amplitude stays the bin's, since what moves slowly fills neighbouring bins as a line does.
      let bend = before - 2 * at + after
      return (bend < 0 ? max(-0.5, min(0.5, (before - after) / (2 * bend))) : 0, 1)
    }
    // With a Hann window a line at δ gives sinc δ / (1 − δ²) (Harris, Proc. IEEE 66, 1978), and the ratio of the larger
    // neighbour to the bin tells δ.
    let ratio = max(before, after) / at
    let size = max(0, min(0.5, (2 * ratio - 1) / (ratio + 1)))
    guard size > 1e-6 else { return (0, 1) }
    let sinc = sin(.pi * size) / (.pi * size)
    return (after > before ? size : -size, (1 - size * size) / sinc)
  }

  /// The share of the whole power that the largest of so many bins has by chance once in a thousand times (Fisher's test).
  private static func fisherLimit(_ bins: Int) -> Double {
    1 - pow(0.001 / Double(bins), 1 / Double(max(bins - 1, 1)))
  }
}

extension SpectralLine.Mains {
  /// The mains' frequencies in hertz, and how many harmonics are looked for.
  private static let frequencies = [50.0, 60.0]
  private static let harmonics = 7

  /// What the mains have at a frequency; nil where they have nothing.
  init?(frequency: Double, rate: Double, tolerance: Double) {
    for order in 1...Self.harmonics {
      for mains in Self.frequencies {
        let source = mains * Double(order)
        let folded = Self.folded(source, rate: rate)
        guard abs(folded - frequency) <= tolerance else { continue }
        if source > rate / 2 {
          self = .alias(mains, order)
        } else {
          self = order == 1 ? .hum(mains) : .harmonic(mains, order)
        }
        return
      }
    }
    return nil
  }

  /// What it is, in a few words: "mains, 50 Hz".
  public var words: String {
    switch self {
    case .hum(let hertz): "mains, \(Int(hertz)) Hz"
    case .harmonic(let hertz, let order): "mains, \(order) times \(Int(hertz)) Hz"
    case .alias(let hertz, let order):
      "perhaps mains, \(order > 1 ? "\(order) times " : "")\(Int(hertz)) Hz, too fast for the sampling"
    }
  }

  /// Where a frequency appears that is sampled at a rate: in 0 ... rate/2.
  static func folded(_ frequency: Double, rate: Double) -> Double {
    let rest = fmod(frequency, rate)
    return min(rest, rate - rest)
  }
}
