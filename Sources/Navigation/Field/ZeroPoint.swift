import Calibration
import LodestoneCore

/// The ambient field that a teslameter subtracts: the mean over a while in which nothing moved.
public struct ZeroPoint: Equatable, Sendable {
  /// The mean field in µT, corrected, in the device frame.
  public let field: Vector3
  /// The standard deviation of one sample on each axis, in µT.
  public let noise: Vector3
  /// The number of samples that it rests on.
  public let samples: Int
  /// Where up was, of length 1; nil without an accelerometer.
  public let up: Vector3?
  /// When it was taken: the middle of its samples, in seconds.
  public var time = 0.0
  /// Seconds from its first sample to its last.
  public var duration = 0.0
  /// The field's noise below the rate of samples: the Allan deviation of flicker noise on one axis, in µT.
  public var flicker = 0.0
  /// How fast the field drifted, in µT/s.
  public var drift = Vector3.zero
  /// The standard deviation of `drift` on one axis.
  public var driftDeviation = 0.0
  /// The amplitude of an alternating field in µT, such as hum of the mains; 0 where none stands out of the noise.
  public var alternating = 0.0
  /// The least change between its samples in µT: the step of a quantized sensor; nil where hardly any changed.
  public var leastChange: Double?
  /// The mean rotation rate in degrees per second: what a gyroscope at rest says; nil without one.
  public var restingRate: Vector3?
  /// The strength of the calibration's field in µT; nil without one, and where it is only assumed.
  public var calibratedStrength: Double?
  /// The strength of the calibration's field in µT, where this one is so far from it that a magnet or iron is likely
  /// near; else nil.
  public var missedStrength: Double? {
    calibratedStrength.flatMap { abs(field.length - $0) > Self.mostOff * $0 ? $0 : nil }
  }
  /// Far stronger than the Earth's field, which no calibration told from the board's own: by the sensor's offset, or by
  /// iron or a magnet on the board or near.
  public var isStrong: Bool { calibratedStrength == nil && !isOfProbe && field.length > Self.strong }
  /// In µT: the strongest field of the Earth with as much of usual boards' hard iron.
  private static let strong = 2 * MagneticField.earthStrength.upperBound
  /// The share of a field's strength by which that of another room is off at most.
  private static let mostOff = 0.25
  /// The largest change in µT that a turn of the sensor by 1° makes, where no gyroscope tells it: it looks like a
  /// field. Nil with one, and of a probe.
  public var turnField: Double? { restingRate == nil && !isOfProbe ? field.length * Angle.radians(1) : nil }

  /// A zero-point by its parts.
  public init(field: Vector3, noise: Vector3, samples: Int, up: Vector3?) {
    self.field = field
    self.noise = noise
    self.samples = samples
    self.up = up
    leastChange = noise == .zero ? nil : 0
  }

  /// Why there is no zero-point.
  public enum Refusal: Error, Equatable, Sendable {
    /// Fewer samples than a mean and its spread need.
    case tooFewSamples(Int)
    /// The field wandered by this much (standard deviation in µT) beyond the noise of a sample (µT).
    case moving(wander: Double, noise: Double)
    /// An axis was at the end of the range.
    case saturated
    /// The stream ended before it was averaged.
    case ended
    /// A probe of one axis, and a setting that takes three.
    case oneAxis(ThreeAxisSetting)

    /// Whether it is for the same reason, whatever its numbers.
    func isAlike(_ other: Refusal) -> Bool {
      switch (self, other) {
      case (.tooFewSamples, .tooFewSamples), (.moving, .moving), (.saturated, .saturated), (.ended, .ended): true
      case (.oneAxis(let one), .oneAxis(let another)): one == another
      default: false
      }
    }
  }

  /// A setting that says something of all three axes.
  public enum ThreeAxisSetting: Sendable {
    /// A calibration.
    case calibration
    /// How the chip sits in the device.
    case mounting
    /// Turns of the sensor, which turn a field whose other axes nobody knows.
    case stillTo
  }
}

/// Averages the field and judges whether it stood still.
///
/// Noise that is new in each sample shows in the differences of neighbours; a field that moves shows only over time.
/// With s² the variance and δ² the mean squared difference of neighbours, δ²/2 = s² for pure noise (von Neumann 1941);
/// what s² has beyond δ²/2 is movement, or noise that a sketch has smoothed. See `FieldSeries.smoothedNoise`.
public struct ZeroPointCollector: Sendable {
  /// Movement below this many µT (standard deviation) is let pass: quantized and slowly drifting sensors show it.
  public static let allowedWander = 0.5
  /// The fewest samples that make a zero-point.
  public static let fewestSamples = 8
  /// The fewest samples' worth of new noise in smoothed ones: their spread comes out too small of fewer.
  private static let fewestOfSmoothed = 12.0
  /// Samples that are kept to look at their spectrum; the mean rests on all.
  private static let kept = 1024

  private var count = 0
  private var mean = Vector3.zero
  private var squares = Vector3.zero
  private var differences = Vector3.zero
  private var last: Vector3?
  private var upSum = Vector3.zero
  private var sawUp = false
  private var sawSaturation = false
  private var rateSum = Vector3.zero
  private var rates = 0
  private var glitches = RateGlitches()
  private var rateTime: Double?
  private var changes = 0
  private var leastChange = Double.infinity
  private var repeats = FieldRepeats()
  private var series = FieldSeries()
  private var endTime = 0.0

  /// Nothing collected yet.
  public init() {}

  /// The number of samples taken.
  public var samples: Int { count }

  /// Takes a corrected field (µT, device frame), up (length 1) and the rotation rate where known.
  /// - Parameter time: in seconds; without one the spectrum of the noise is not looked at.
  public mutating func add(
    _ field: Vector3, up: Vector3?, saturated: Bool = false, rate: RotationRate? = nil, at time: Double? = nil
  ) {
    count += 1
    repeats.add(field)
    sawSaturation = sawSaturation || saturated
    let before = field - mean  // Welford's update
    mean += before / Double(count)
    squares += before.times(field - mean)
    if let last {
      differences += (field - last).times(field - last)
      if field != last {
        changes += 1
        leastChange = min(leastChange, (field - last).length)
      }
    }
    last = field
    if let up {
      upSum += up
      sawUp = true
    }
    if let rate { add(rate.degreesPerSecond, at: time) }
    if let time {
      endTime = time
      if series.count < Self.kept { series.add(field, at: time) }
    }
  }

  /// Takes a rate in degrees per second. The first one, which none before it bears out, only begins.
  private mutating func add(_ rate: Vector3, at time: Double?) {
    if let time {
      let step = rateTime.map { time - $0 }
      rateTime = time
      let sound = glitches.sound(rate, step: step ?? 0)
      guard step != nil else { return }
      rateSum += sound
    } else {
      rateSum += rate
    }
    rates += 1
  }

  /// The zero-point, or why there is none.
  public func result() -> Result<ZeroPoint, ZeroPoint.Refusal> {
    guard count >= Self.fewestSamples else { return .failure(.tooFewSamples(count)) }
    guard !sawSaturation else { return .failure(.saturated) }
    let variance = squares / Double(count - 1)
    // A measurement that is sent again does not differ from itself.
    let isRepeated = repeats.perMeasurement != nil
    let whiteVariance = differences / Double(2 * (isRepeated ? max(changes, 1) : count - 1))
    let noise = (whiteVariance.x + whiteVariance.y + whiteVariance.z).squareRoot()
    let excess = variance - whiteVariance
    let wander = (max(0, excess.x) + max(0, excess.y) + max(0, excess.z)).squareRoot()
    let line = series.strongestLine
    let hum = line.map { $0.isSignificant ? $0.amplitude : 0 } ?? 0
    let smoothed = wander > max(Self.allowedWander, noise, hum) ? series.smoothedNoise ?? 0 : nil
    if let smoothed, smoothed < Self.fewestOfSmoothed { return .failure(.moving(wander: wander, noise: noise)) }
    let spread = Vector3(variance.x.squareRoot(), variance.y.squareRoot(), variance.z.squareRoot())
    var zero = ZeroPoint(
      field: mean, noise: spread, samples: smoothed.map { Int($0) } ?? (isRepeated ? repeats.measurements : count),
      up: sawUp ? upSum.direction : nil)
    zero.alternating = hum
    zero.leastChange = changes >= 3 ? leastChange : nil
    zero.restingRate = rates > 0 ? rateSum / Double(rates) : nil
    if let begin = series.begin, series.count >= Self.fewestSamples {
      let measured = series.measurements
      let slow = measured.count >= Self.fewestSamples ? measured : series
      zero.time = (begin + endTime) / 2
      zero.duration = endTime - begin
      zero.flicker = slow.flicker
      (zero.drift, zero.driftDeviation) = slow.drift
    }
    return .success(zero)
  }

  /// The movement that was refused may be smoothed noise, of which more samples are needed.
  var mayBeSmoothed: Bool { !sawSaturation && (series.smoothedNoise ?? 0) > 0 }
}

extension Vector3 {
  /// Component by component.
  func times(_ other: Vector3) -> Vector3 { Vector3(x * other.x, y * other.y, z * other.z) }
  /// The sum of the components.
  var sum: Double { x + y + z }
}
