/// How far the field is from the Earth's alone, followed over time.
///
/// A field that is added to the Earth's has three parts. Two show: the part along the field changes its strength, the
/// part across it in the vertical plane its inclination. The third points east and turns the heading, unseen. What the
/// two that show amount to is therefore the best guess at the size of the third. Both are low-passed over a second, so
/// that little of the noise is left, and forgotten over several: steel that passes turns its field about as it goes,
/// and may point east when the least of it shows.
public struct FieldAnomaly: Sendable {
  /// Standard deviation of the part that does not show, in µT.
  public private(set) var eastward = 0.0
  /// The variance of one axis that is new in every sample, in µT²: what is known, or what the samples show where that
  /// is more, as at another rate or beside mains wiring.
  public private(set) var noise = 0.0
  /// Whether the parts that show are larger than the disturbance of an ordinary place.
  public var isDisturbed: Bool { held > Self.disturbedFrom * Self.disturbedFrom }

  /// Known deviations of the field's strength and inclination without a disturbance, as variances in µT².
  public struct Explained: Sendable {
    /// New in every sample: the sensor's noise along one axis.
    public var noise: Double
    /// Alike in neighbouring samples: errors of the calibration.
    public var calibration: Double
    /// Errors of up as they bend the inclination, the radians multiplied by the field's strength.
    public var tilt: Double

    /// A variance from its parts.
    public init(noise: Double, calibration: Double, tilt: Double) {
      self.noise = noise
      self.calibration = calibration
      self.tilt = tilt
    }
  }

  /// The time constant of the low-pass, in seconds. Small: noise counts as a disturbance. Large: a short disturbance
  /// goes unseen.
  private static let span = 1.0
  /// The time constant of the low-pass that shows what has just begun, in seconds.
  private static let quickSpan = 0.15
  /// The time after which a disturbance that has gone counts 1/e as much, in seconds.
  private static let memory = 5.0
  /// The margins for noise: of the quick means in standard deviations, of the slow ones in variances.
  private static let quickMargin = 4.0
  private static let slowMargin = 4.0
  /// The further margin of the slow ones at the first sample, where each of the next is another chance of noise.
  private static let firstMargin = 8.0
  /// The deviation that shows, in µT, from which on the field is called disturbed.
  private static let disturbedFrom = 5.0
  /// The variance of the part that does not show over the squares of the two that do: with 1.96 standard deviations, 92
  /// % of disturbances of any direction are within.
  static let eastShare = 1.7

  private var strength = RunningMean()
  private var bend = RunningMean()
  private var quickStrength = RunningMean()
  private var quickBend = RunningMean()
  /// The share of a sample's noise power that is left in the means.
  private var noiseLeft = 1.0
  private var held = 0.0
  private var last: Double?
  /// Whether the last field was not the Earth's at all.
  private var wasAnother = false
  private var shownNoise = StrengthNoise()

  /// An anomaly that has seen nothing yet.
  public init() {}

  /// Takes what a sample's field deviates by, in µT: in strength, and in inclination times strength.
  /// - Parameter isAnother: by its strength it is no field of the Earth. One such sample alone is a damaged number, and
  ///   tells nothing of those after it.
  public mutating func add(
    time: Double, strength offStrength: Double, bend offBend: Double, explained: Explained, isAnother: Bool = false
  ) {
    let isAlone = isAnother && !wasAnother
    wasAnother = isAnother
    guard !isAlone else { return }
    let step = last.map { time - $0 } ?? .infinity
    if step == 0 { return }
    if !(step > 0 && step < Self.memory) { self = FieldAnomaly() }
    last = time
    noise = max(explained.noise, shownNoise.add(offStrength, known: explained.noise))
    strength.add(offStrength, time: time, span: Self.span)
    bend.add(offBend, time: time, span: Self.span)
    quickStrength.add(offStrength, time: time, span: Self.quickSpan)
    quickBend.add(offBend, time: time, span: Self.quickSpan)
    if step < Self.memory {
      let share = strength.lastShare
      noiseLeft = (1 - share) * (1 - share) * noiseLeft + share * share
      let kept = 1 - min(1, step / Self.memory)
      held *= kept * kept
    }
    let margin = Self.slowMargin + Self.firstMargin * noiseLeft
    let steady = explained.calibration + margin * noiseLeft * explained.noise
    let low = Self.beyond(strength.value ?? 0, steady) + Self.beyond(bend.value ?? 0, steady + explained.tilt)
    let sudden = explained.calibration + quickStrength.lastShare * explained.noise
    let now =
      Self.jump(quickStrength.value ?? 0, sudden)
      + Self.jump(quickBend.value ?? 0, sudden + quickBend.lastShare * explained.tilt)
    held = max(held, low, now)
    eastward = (Self.eastShare * held).squareRoot()
  }

  /// The square of a deviation less what explains it.
  private static func beyond(_ deviation: Double, _ explained: Double) -> Double {
    max(0, deviation * deviation - explained)
  }

  /// The square of what a deviation has beyond any noise of this variance.
  private static func jump(_ deviation: Double, _ variance: Double) -> Double {
    let beyond = max(0, abs(deviation) - quickMargin * variance.squareRoot())
    return beyond * beyond
  }
}

/// The noise of one axis of a calibrated field, from how its strength jumps: a turn of the board changes the axes, but
/// not that.
private struct StrengthNoise {
  /// Samples after which one counts 1/e as much.
  private static let memory = 64.0
  /// The most that a sample counts for, in variances: a single jump is no noise.
  private static let most = 9.0
  /// The least variance of any sensor, in µT².
  private static let least = 0.001

  private var variance = 0.0
  private var last, beforeLast: Double?

  /// Takes the strength of a sample, in µT, and returns the variance of one axis in µT².
  /// - Parameter known: what it is at least.
  mutating func add(_ strength: Double, known: Double) -> Double {
    if let last, let beforeLast {
      let second = strength - 2 * last + beforeLast
      let usual = max(variance, known, Self.least)
      variance = usual + (min(second * second / 6, Self.most * usual) - usual) / Self.memory
    }
    (beforeLast, last) = (last, strength)
    return variance
  }
}
