import LodestoneCore
import Glibc

/// A field that alternates at one frequency: its tip describes an ellipse.
public struct SpectralLine: Equatable, Sendable {
  /// In hertz, up to half the sampling rate. What alternates faster appears here folded back.
  public var frequency: Double
  /// The largest excursion in µT: half of the ellipse's longer axis.
  public var amplitude: Double
  /// Half of the shorter axis in µT: the longer one's for a field that goes round in a circle, zero for one to and fro.
  public var minorAmplitude = 0.0
  /// Half-width of the 95 % interval of both amplitudes, in µT, the sensor's gain in it; nil where it is not known.
  public var amplitudeUncertainty: Double?
  /// Half-width of the frequency's 95 % interval, in hertz; nil where it is not known.
  public var frequencyUncertainty: Double?
  /// It stands out of the noise: such a line comes from noise once in a thousand stretches.
  public var isSignificant: Bool
  /// Whether it stands at half the sampling rate, where samples may meet crests or zeros: its amplitude is not known.
  public var isAtNyquist = false
  /// Whether the samples' times are uneven, and nothing tells when they were taken: its amplitude is not known, and its
  /// frequency is a rough one.
  public var isUneven = false
  /// The mains may be behind it.
  public var mains: Mains?

  /// Its likely source, or a remark on its amplitude, in a few words; nil where there is nothing to say.
  public var words: String? {
    if isAtNyquist { return "at half the sampling rate: its amplitude is not known" }
    return isUneven ? "the samples' times are uneven: its amplitude is not known" : mains?.words
  }

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
  /// Measurements a second: samples, where none only repeats the one before.
  public let rate: Double
  /// The number of samples for each measurement of a chip that is slower than the program that reads it; else 1.
  public let samplesPerMeasurement: Double
  /// Half of that: no frequency above it can be told.
  public var nyquist: Double { rate / 2 }
  /// The distance of neighbouring frequencies that can be told apart, in hertz.
  public let resolution: Double
  /// The strongest first: local maxima, at most eight.
  public let lines: [SpectralLine]
  /// Largest excursion in µT at each multiple of `resolution`, from 0 up.
  public let amplitudes: [Double]

  /// A stretch of fewer samples has no spectrum.
  public static let fewest = 16
  private static let most = 8

  /// The spectrum of a stretch; nil for fewer than sixteen samples.
  /// - Parameters:
  ///   - tapered: weighs the stretch with a Hann window, so that a strong line does not spill over its neighbours.
  ///   - gainUncertainty: the standard uncertainty of the sensor's gain, relative: amplitudes are off by it.
  public init?(_ series: FieldSeries, tapered: Bool = true, gainUncertainty: Double = 0) {
    samplesPerMeasurement = series.perMeasurement ?? 1
    let series = series.measurements
    guard series.count >= Self.fewest, let rate = series.rate else { return nil }
    let samples = series.deviations()
    let times = SampleTimes(samples.map { $0.time })
    let stamped = SampledField(samples, rate: rate, tapered: tapered)
    // A chip measures evenly, and its stamps are those of a program that looks now and then.
    let isRepeated = samplesPerMeasurement > 1
    let counted = times.flatMap { times in
      !times.isUneven && !isRepeated
        ? nil : SampledField(Array(zip(times.even, samples.map { $0.field })), rate: times.rate, tapered: tapered)
    }
    // At the right times a line is at its strongest.
    let (isCounted, bins) = Self.stronger(stamped.bins, counted?.bins, least: isRepeated ? 0.98 : 1)
    let field = isCounted ? counted ?? stamped : stamped
    self.rate = field.rate
    resolution = 1 / field.span
    amplitudes = bins.map { $0.axes.major }
    var all =
      tapered
      ? Self.tapered(bins, resolution: resolution, rate: field.rate)
      : Self.plain(bins, resolution: resolution, rate: field.rate)
    for place in all.indices {
      if let times {
        if let counted { all[place].doubt(times, field, besides: isCounted ? stamped : counted) }
        all[place].widen(times)
      }
      all[place].widen(gain: gainUncertainty)
    }
    lines = Array(all.sorted { $0.amplitude > $1.amplitude }.prefix(Self.most))
  }

  /// The one of two transforms that has the strongest bin past the first ones, and whether that is the second.
  /// - Parameter least: the share of the first one's power that the second one's must exceed.
  private static func stronger(
    _ one: [SpectralVector], _ other: [SpectralVector]?, least: Double
  ) -> (Bool, [SpectralVector]) {
    func peak(_ bins: [SpectralVector]) -> Double { bins.dropFirst(SpectralNoise.first).map { $0.power }.max() ?? 0 }
    guard let other, peak(other) > least * peak(one) else { return (false, one) }
    return (true, other)
  }

  /// The mains' frequencies that look like a steady field at this rate, in hertz: no line tells of their hum.
  public var hiddenMains: [Double] {
    SpectralLine.Mains.frequencies.filter {
      SpectralLine.Mains.folded($0, rate: rate) < (Double(SpectralNoise.first) - 0.5) * resolution
    }
  }

  /// A strong line would stand out of it: with fewer bins noise alone may have as much of its power in one place.
  public var tellsLines: Bool { amplitudes.count >= Self.fewestBins }
  private static let fewestBins = 13

  /// Local maxima past the first bins, which slow noise fills.
  private static func maxima(_ powers: [Double]) -> [Int] {
    powers.indices.dropFirst(SpectralNoise.first).filter { bin in
      let after = bin + 1 < powers.count ? powers[bin + 1] : 0
      return powers[bin] >= powers[bin - 1] && powers[bin] >= after && powers[bin] > 0
    }
  }

  // MARK: With a window

  /// Fewer bins tell no noise by octaves: there the whole of them does.
  private static let fewBins = 20

  private static func tapered(_ bins: [SpectralVector], resolution: Double, rate: Double) -> [SpectralLine] {
    let powers = bins.map { $0.power }
    guard powers.count > SpectralNoise.first + 2 else { return [] }
    let noise = SpectralNoise(powers)
    let isFew = powers.count < fewBins
    let fisher = fisherTest(powers)
    let limit = lineLimit(powers.count)
    var significant: [Int] = []
    let ordered = maxima(powers).sorted { powers[$0] > powers[$1] }
    for bin in ordered {
      let standsOut = isFew ? fisher(bin) : powers[bin] > limit * noise.powers[bin]
      if standsOut, !significant.contains(where: { isSpill(powers[bin], at: bin, of: powers[$0], at: $0) }) {
        significant.append(bin)
      }
    }
    return ordered.prefix(4 * most).map { bin in
      line(bin, of: bins, besides: significant, resolution: resolution, rate: rate)
    }
  }

  /// The multiple of its noise that the strongest of a number of bins has by chance once in a thousand times.
  private static func lineLimit(_ count: Int) -> Double { log(Double(count - SpectralNoise.first) / 0.001) }

  /// Whether a bin's power is the side lobe of a strong line, which falls with the cube of the distance.
  private static func isSpill(_ power: Double, at bin: Int, of strong: Double, at other: Int) -> Bool {
    let distance = abs(Double(bin - other)) - 0.5
    guard distance >= 2 else { return true }
    let lobe = lobe(distance)
    return power < 6 * strong * lobe * lobe
  }

  /// The share of a line's amplitude in the side lobes of a Hann window, at a distance in bins of more than one.
  private static func lobe(_ distance: Double) -> Double { 1 / (.pi * distance * (distance * distance - 1)) }

  private static func line(
    _ bin: Int, of bins: [SpectralVector], besides significant: [Int], resolution: Double, rate: Double
  ) -> SpectralLine {
    let (offset, gain) = between(bins, bin)
    let frequency = min((Double(bin) + offset) * resolution, rate / 2)
    let axes = (bins[bin] * gain).axes
    var line = SpectralLine(
      frequency: frequency, amplitude: axes.major, minorAmplitude: axes.minor, isSignificant: significant.contains(bin),
      mains: .init(frequency: frequency, rate: rate, tolerance: 0.75 * resolution))
    line.isAtNyquist = rate / 2 - frequency < 1.5 * resolution
    // Noise along the ellipse's longer axis, in the bins beside the line.
    let range = max(SpectralNoise.first, min(bin / 2, bin - 8))..<min(bins.count, max(2 * bin, bin + 9))
    let beside = range.filter { place in !significant.contains { abs($0 - place) <= 3 } && abs(place - bin) > 3 }
    guard !line.isAtNyquist, beside.count >= 4 else { return line }
    let noise = SpectralNoise.mean(beside.map { bins[$0].power(along: axes.direction) })
    // What the interpolation adds is from simulation; the two axes of a circle are told apart by noise alone.
    let deviation = 1.1 * (noise / 2).squareRoot()
    let isRound = axes.major - axes.minor < 4 * deviation
    // The shorter axis of a field that goes to and fro is the length of noise on two axes: 95 % are within 2.45 σ.
    let isLinear = axes.minor < 4 * deviation
    // Half the rate mirrors a line, and zero does: the side lobe of its image takes part. The factors were simulated.
    let place = frequency / resolution
    let image = lobe(max(2, 2 * min(place, rate / 2 / resolution - place)))
    line.amplitudeUncertainty =
      Quantile.normal * deviation * (isRound ? 1.4 : isLinear ? 1.25 : 1) + 2.2 * image * axes.major
    line.frequencyUncertainty =
      Quantile.normal * 2.3 * (noise / bins[bin].power / gain / gain).squareRoot() * resolution / .pi
      + 1.2 * image * resolution
    return line
  }

  /// The place of a line between the bins, −½ ... ½, and the factor of its amplitude to that of the bin. With a Hann
  /// window a line at δ gives sinc δ / (1 − δ²) (Harris, Proc. IEEE 66, 1978), in its neighbours (1 ± δ) / (2 ∓ δ) of
  /// it, and all in one phase.
  private static func between(_ bins: [SpectralVector], _ bin: Int) -> (offset: Double, gain: Double) {
    guard bin > 0, bin + 1 < bins.count, bins[bin].power > 0 else { return (0, 1) }
    let before = bins[bin - 1].product(bins[bin]) / bins[bin].power
    let after = bins[bin + 1].product(bins[bin]) / bins[bin].power
    let sum = 2 + before + after
    let offset = sum > 0.5 ? max(-0.5, min(0.5, 2 * (after - before) / sum)) : 0
    guard abs(offset) > 1e-6 else { return (0, 1) }
    let sinc = sin(.pi * offset) / (.pi * offset)
    return (offset, (1 - offset * offset) / sinc)
  }

  // MARK: Without

  private static func plain(_ bins: [SpectralVector], resolution: Double, rate: Double) -> [SpectralLine] {
    let powers = bins.map { $0.power }
    guard powers.count > SpectralNoise.first + 2 else { return [] }
    let fisher = fisherTest(powers)
    // Noise that is stronger the slower it is fills the first bins, where Fisher's test expects as much as elsewhere.
    let noise = powers.count < fewBins ? nil : SpectralNoise(powers)
    return maxima(powers).map { bin in
      // A parabola; the amplitude stays the bin's, since what moves slowly fills neighbouring bins as a line does.
      let (before, at) = (powers[bin - 1].squareRoot(), powers[bin].squareRoot())
      let after = bin + 1 < powers.count ? powers[bin + 1].squareRoot() : 0
      let bend = before - 2 * at + after
      let offset = bend < 0 ? max(-0.5, min(0.5, (before - after) / (2 * bend))) : 0
      let frequency = min((Double(bin) + offset) * resolution, rate / 2)
      let axes = bins[bin].axes
      return SpectralLine(
        frequency: frequency, amplitude: axes.major, minorAmplitude: axes.minor,
        isSignificant: fisher(bin) && noise.map { powers[bin] > lineLimit(powers.count) * $0.powers[bin] } ?? true,
        mains: .init(frequency: frequency, rate: rate, tolerance: 0.75 * resolution))
    }
  }

  /// Fisher's test: whether a bin with its neighbours has more of the whole power than the largest of all bins has by
  /// chance once in a thousand times.
  private static func fisherTest(_ powers: [Double]) -> (Int) -> Bool {
    let total = powers[SpectralNoise.first...].reduce(0, +)
    let count = powers.count - SpectralNoise.first
    let limit = 1.5 * (1 - pow(0.001 / Double(count), 1 / Double(max(count - 1, 1))))
    return { bin in
      let after = bin + 1 < powers.count ? powers[bin + 1] : 0
      return (powers[bin - 1] + powers[bin] + after) / max(total, 1e-300) > limit
    }
  }
}

/// A stretch of samples at certain times, weighted.
private struct SampledField {
  private let samples: [(time: Double, field: Vector3)]
  private let weights: [Double]
  /// Samples a second, and the seconds that they stand for.
  let rate, span: Double

  /// - Parameter tapered: by a Hann window.
  init(_ samples: [(time: Double, field: Vector3)], rate: Double, tapered: Bool) {
    (self.samples, self.rate) = (samples, rate)
    span = Double(samples.count) / rate
    let count = Double(samples.count)
    weights = samples.map { tapered ? 1 - cos(2 * .pi * ($0.time * rate + 0.5) / count) : 1 }
  }

  /// The part that alternates at a frequency in hertz.
  func vector(at frequency: Double) -> SpectralVector {
    SpectralVector(of: samples, weights, at: frequency, middle: (span - 1 / rate) / 2)
  }

  /// The parts at the multiples of one over the span, up to half the rate.
  var bins: [SpectralVector] {
    (0...samples.count / 2).map { bin in
      let vector = vector(at: Double(bin) / span)
      return 2 * bin == samples.count ? vector * 0.5 : vector
    }
  }
}

extension SpectralLine {
  /// The least share of its amplitude that a line may lose at the wrong times without it being seen which those are.
  private static let least = 0.8

  /// The share of its power past which a line at the wrong times is too strong for that.
  private static let alike = 0.5

  /// The share of power at three and four times the resolution from a line: next to none for one at the right times.
  private static let blurred = 0.004

  /// Takes into account by what the times of samples may be off.
  fileprivate mutating func widen(_ times: SampleTimes) {
    frequencyUncertainty = frequencyUncertainty.map { hypot($0, Quantile.normal * frequency * times.rateDeviation) }
    let left = times.left(at: frequency)
    guard left >= Self.least else { return }
    amplitudeUncertainty = amplitudeUncertainty.map { $0 + amplitude * (1 / left - 1) }
  }

  /// Takes into account by what the sensor's gain may be off.
  fileprivate mutating func widen(gain: Double) {
    amplitudeUncertainty = amplitudeUncertainty.map { hypot($0, Quantile.normal * gain * amplitude) }
  }

  /// Takes into account that the samples were stamped unevenly. Past a loss that shows, at the wrong times a line is
  /// weaker; where it is not, or where it is blurred, neither are the right ones.
  /// - Parameters:
  ///   - field: at the times of which the line was found.
  ///   - other: at the other times.
  fileprivate mutating func doubt(_ times: SampleTimes, _ field: SampledField, besides other: SampledField) {
    let left = times.left(at: frequency)
    let here = field.vector(at: frequency).power
    let isAlike = other.vector(at: frequency).power > max(left, Self.alike) * here
    let noise = pow((amplitudeUncertainty ?? 0) / Quantile.normal, 2)
    let isBlurred = [-4.0, -3, 3, 4].contains {
      field.vector(at: frequency + $0 / field.span).power > Self.blurred * here + 12 * noise
    }
    guard isBlurred || left < Self.least && isAlike else { return }
    (isUneven, amplitudeUncertainty, frequencyUncertainty) = (true, nil, nil)
  }
}

/// The part of a field that alternates at one frequency: along each axis a cosine and a sine.
private struct SpectralVector {
  var cosine = Vector3.zero, sine = Vector3.zero

  /// The part in samples, by their weights, whose mean is one; phases count from the middle of the stretch.
  init(
    of samples: [(time: Double, field: Vector3)], _ weights: [Double], at frequency: Double, middle: Double
  ) {
    for (sample, weight) in zip(samples, weights) {
      let phase = 2 * Double.pi * frequency * (sample.time - middle)
      cosine += sample.field * (weight * cos(phase))
      sine += sample.field * (weight * sin(phase))
    }
    self = self * (2 / Double(samples.count))
  }

  private init(_ cosine: Vector3, _ sine: Vector3) { (self.cosine, self.sine) = (cosine, sine) }

  static func * (v: SpectralVector, k: Double) -> SpectralVector { SpectralVector(v.cosine * k, v.sine * k) }

  /// The sum of the squares of all amplitudes.
  var power: Double { cosine.squaredLength + sine.squaredLength }

  /// The sum of the squares of both amplitudes along a direction.
  func power(along direction: Vector3) -> Double {
    let (c, s) = (cosine.dot(direction), sine.dot(direction))
    return c * c + s * s
  }

  /// The in-phase product with another.
  func product(_ other: SpectralVector) -> Double { cosine.dot(other.cosine) + sine.dot(other.sine) }

  /// Half the axes of the ellipse, and the direction of the longer.
  var axes: (major: Double, minor: Double, direction: Vector3) {
    let (mean, half) = (power / 2, (cosine.squaredLength - sine.squaredLength) / 2)
    let spread = (half * half + cosine.dot(sine) * cosine.dot(sine)).squareRoot()
    let angle = atan2(cosine.dot(sine), half) / 2
    let longest = cosine * cos(angle) + sine * sin(angle)
    return ((mean + spread).squareRoot(), max(0, mean - spread).squareRoot(), longest.direction ?? Vector3(1, 0, 0))
  }
}

extension SpectralLine.Mains {
  /// The mains' frequencies in hertz, and how many harmonics are looked for.
  fileprivate static let frequencies = [50.0, 60.0]
  private static let harmonics = 7

  /// The mains frequency or harmonic behind a frequency; nil for none.
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

  /// Its name in a few words: "mains, 50 Hz".
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
