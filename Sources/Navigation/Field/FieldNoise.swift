import LodestoneCore
import Glibc

/// The errors of a difference to a zero-point, in µT.
struct FieldError: Sendable {
  /// Variance on each axis of what is random: noise of the sample and of the zero-point.
  var variance: Vector3
  /// The step of a quantized sensor.
  var step: Double
  /// Standard deviation on an axis of what has the same direction in sample after sample.
  var systematic = 0.0
  /// The size of the drift since the zero-point.
  var drift = 0.0
  /// The standard deviation of that on one axis.
  var driftDeviation = 0.0
  /// The largest effect of a turn of the sensor that nothing tells.
  var unseen = 0.0
  /// How far a smoothed field is behind one that changes.
  var lag = 0.0

  /// How far noise alone carries a difference along an axis, seldom more: three standard deviations, and one and a half
  /// steps. Drift has no part in it.
  var scatter: Double { max(3 * max(variance.x, variance.y, variance.z).squareRoot(), 1.5 * step) }

  /// The power that noise adds to the square of a difference.
  var power: Double { variance.sum }

  /// Variance on each axis of everything but the drift itself.
  private var whole: Vector3 {
    let common = systematic * systematic + driftDeviation * driftDeviation
    return variance + Vector3(common, common, common)
  }

  /// A difference of nothing is shorter than this in 95 of 100 cases: the 95 % point of the length of three-axis noise
  /// (2.80 σ, from the Maxwell distribution; 1.96 σ where one axis makes nearly all of it), and one and a half steps of
  /// a quantized sensor, which may change by one on two axes at once.
  var bound: Double { quantile(samples: 1) + drift + unseen }

  /// The bound of the largest of `samples` samples.
  func bound(samples: Double) -> Double { quantile(samples: samples) + drift + unseen }

  private func quantile(samples: Double) -> Double {
    let whole = whole
    let largest = max(whole.x, whole.y, whole.z)
    let three = Self.length(samples: samples) * (whole.sum / 3).squareRoot()
    return max(three, Self.axis(samples: samples) * largest.squareRoot(), 1.5 * step)
  }

  /// The 95 % point of the longest of `samples` lengths of three-axis noise, in standard deviations:
  /// P(r > q) ≈ √(2/π) q exp(−q²/2).
  private static func length(samples: Double) -> Double {
    var q = 2.80
    for _ in 0..<3 { q = (2 * log(20 * samples * 0.798 * q)).squareRoot() }
    return max(2.80, q)
  }

  /// The quantile for noise on one axis: P(|x| > q) ≈ √(2/π) exp(−q²/2) / q.
  static func axis(samples: Double) -> Double {
    var q = Quantile.normal
    for _ in 0..<3 { q = (2 * log(20 * samples * 0.798 / q)).squareRoot() }
    return max(Quantile.normal, q)
  }

  /// The half-width that holds 95 % of the magnitudes along a difference; of the largest of `samples` samples.
  func uncertainty(of difference: Vector3, gain: Double, samples: Double = 1) -> Double {
    let along = self.along(difference)
    let scale = gain * difference.length
    return Self.axis(samples: samples) * along.squareRoot()
      + max(
        0,
        Quantile.normal * hypot(scale, along.squareRoot())
          - Quantile.normal * along.squareRoot()) + drift + unseen + lag + step / 2
  }

  /// How far the truth may lie above a difference, in 95 of 100 cases.
  func upper(of difference: Vector3) -> Double {
    1.64 * along(difference).squareRoot() + drift + unseen + lag + step / 2
  }

  /// How far the truth may lie below a difference, in 95 of 100 cases.
  func lower(of difference: Vector3, gain: Double) -> Double {
    1.64 * hypot(gain * difference.length, along(difference).squareRoot()) + drift + unseen + lag + step / 2
  }

  private func along(_ difference: Vector3) -> Double {
    let (whole, direction) = (whole, difference.direction ?? Vector3(1, 0, 0))
    return whole.times(direction).dot(direction)
  }
}

/// The noise of a difference to a zero-point, from the zero-point's own spread and spectrum, and from the samples
/// since.
struct FieldNoise: Sendable {
  private let zero: ZeroPoint
  /// Holds as long as the numbers do not change.
  private let resolution: SensorResolution
  private var last: Vector3?
  private var beforeLast: Vector3?
  /// Variance of what is new in each sample, on one axis, by second differences: a field that moves has none of those.
  private var quick: Double
  /// The least change between samples: the step of a quantized sensor, and next to nothing for any other.
  private var leastChange = Double.infinity
  private var changes = 0

  /// Samples over which `quick` runs.
  private static let memory = 50.0
  /// The multiple of the usual variance past which a change is a jump of the field, not noise.
  private static let jump = 16.0
  /// The number of changes below which a change itself may be a single step.
  private static let fewestChanges = 3

  init(zero: ZeroPoint, resolution: SensorResolution) {
    self.zero = zero
    self.resolution = resolution
    quick = zero.noise.squaredLength / 3
    if let change = zero.leastChange {
      leastChange = change
      changes = Self.fewestChanges
    }
  }

  mutating func add(_ field: Vector3) {
    defer { (beforeLast, last) = (last, field) }
    guard let last else { return }
    let change = (field - last).length
    if change > 0 {
      leastChange = min(leastChange, change)
      changes = min(changes + 1, 1000)
    }
    guard let beforeLast else { return }
    let second = (field - last * 2 + beforeLast).squaredLength / 18
    quick += (min(second, Self.jump * quick + 1e-6) - quick) / Self.memory
  }

  /// The errors of a difference `age` seconds after the zero-point; `share` of a sample's noise power is left by
  /// smoothing.
  func error(age: Double, share: Double) -> FieldError {
    let spread = zero.noise.times(zero.noise)
    let mean = spread.sum / 3
    // A field that has begun to alternate shows in the second differences alone.
    let louder = quick > 2 * mean ? quick - mean : 0
    // A field that stood at the zero-point changes by steps of a magnet's later.
    let stands = changes < Self.fewestChanges
    let step = stands || zero.leastChange == nil ? min(resolution.step, stands ? .infinity : leastChange) : leastChange
    let quantized = max(step * step / 12, stands ? resolution.noise * resolution.noise : 0)
    // 1/f noise with an Allan deviation A: its difference to the mean of a stretch T grows as A²/(2 ln 2) (3 + 2 ln
    // (t/T)).
    let lag = zero.duration > 0 ? max(1, age / zero.duration) : 1
    let slow = zero.flicker * zero.flicker / (2 * log(2)) * (3 + 2 * log(lag))
    let ofZero = 1 / Double(max(zero.samples, 1))
    // Folded back near half the sampling rate, hum beats: what the zero-point saw of it may have been its weak phase.
    let hum = zero.alternating * zero.alternating / 2 / 3
    let common = louder * share + quantized * (share + ofZero) + slow + hum
    return FieldError(
      variance: spread * (share + ofZero) + Vector3(common, common, common), step: isCoarse(step) ? step : 0)
  }

  /// The sensor's step is what is seen, and not noise.
  private func isCoarse(_ step: Double) -> Bool {
    changes < Self.fewestChanges || step > 0.5 * (zero.noise.length + quick.squareRoot())
  }
}

/// Tells a turned sensor from a magnet by the strength of the whole field: a turn leaves it as it was.
struct UnchangedStrength: Sendable {
  private var difference = Vector3.zero
  private var offStrength = 0.0
  private var last: Double?

  /// Seconds over which both are averaged.
  private static let span = 0.3
  /// The share of its strength that a calibrated field changes by as the sensor turns.
  private static let tolerance = 0.008

  /// Whether the sensor was turned: the difference is there, and the strength is what it was.
  mutating func add(_ reading: FieldReading, ambient: Vector3, noise: Double, at time: Double) -> Bool {
    let share = min(1, last.map { max(0, time - $0) / Self.span } ?? 1)
    last = time
    difference += (reading.difference - difference) * share
    offStrength += (reading.field.length - ambient.length - offStrength) * share
    let limit = max(Self.tolerance * ambient.length, noise / 4)
    return difference.length > max(2 * limit, noise / 2) && abs(offStrength) < limit
  }
}

/// The largest and the smallest magnitude since a reset.
struct FieldExtremes: Sendable {
  private var samples = 0.0
  private var peak: (magnitude: Double, uncertainty: Double)?
  private var peakAtLeast: Double?
  private var minimum: Double?
  /// When the peak grew of late, and what it was before.
  private var steps: [(time: Double, peak: (magnitude: Double, uncertainty: Double)?)] = []

  /// Seconds after which a turn of the sensor is seen: its effect on the peak since is taken back.
  private static let turnDelay = 0.5

  /// Takes a reading, and writes peak and minimum into it. A peak of n samples has to stand out of the noise of n.
  mutating func take(_ reading: inout FieldReading, _ error: FieldError, gain: Double) {
    samples += 1
    steps.removeAll { reading.time - $0.time > Self.turnDelay }
    if reading.flags.contains(.turned), let first = steps.first {
      peak = first.peak
      steps = []
    }
    if let magnitude = reading.magnitude {
      if reading.difference.length > error.bound(samples: Self.looks(samples)), magnitude > peak?.magnitude ?? 0,
        !reading.flags.contains(.turned)
      {
        steps.append((reading.time, peak))
        peak = (magnitude, error.uncertainty(of: reading.difference, gain: gain, samples: Self.looks(samples)))
      }
      minimum = min(minimum ?? magnitude, magnitude)
    }
    write(&reading)
  }

  /// The number of looks that stands for those at samples 1 … n, each of which noise may pass: 1/(n ln² n) has a
  /// finite sum.
  private static func looks(_ samples: Double) -> Double {
    let logarithm = log(samples + 1)
    return max(1, 2.1 * samples * logarithm * logarithm)
  }

  /// Takes a reading that is a bound.
  mutating func saturate(_ reading: inout FieldReading) {
    if let bound = reading.atLeast { peakAtLeast = max(peakAtLeast ?? bound, bound) }
    write(&reading)
  }

  private func write(_ reading: inout FieldReading) {
    reading.peak = peakAtLeast == nil ? peak?.magnitude : nil
    reading.peakUncertainty = peakAtLeast == nil ? peak?.uncertainty : nil
    reading.peakAtLeast = peakAtLeast.map { max($0, peak?.magnitude ?? 0) }
    reading.minimum = minimum
  }
}
