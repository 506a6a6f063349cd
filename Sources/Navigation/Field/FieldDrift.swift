import LodestoneCore
import Glibc

// A zero-point goes stale as d = s t + noise, with s the slope of the field and t the seconds since its middle. What
// the samples of the zero-point and those since tell of s is a normal distribution of mean m and variance 1/J on each
// axis, and each difference d of variance n adds to it:
//
//     J ← J + t²/n,   J m ← J m + d t/n
//
// Beforehand s is normal, too, of a deviation that depends on what the sensor is: an ordinary one, or seldom one that
// is warmed. With the deviation p of one kind, s has the mean m p²/(p² + 1/J); the kinds count by how well m fits them,
// N(m; 0, p² + 1/J), and by how many there are of each.

/// How fast a zero-point goes stale: the slope of the field since it was taken, followed for as long as nothing else is
/// measured.
struct FieldDrift: Sendable {
  /// In µT/s.
  private(set) var slope = Vector3.zero
  /// The variance of `slope` on one axis.
  private(set) var variance = 0.0

  /// The drift of an ordinary magnetometer that warms up, of one that is warmed, and of one beside a heater, in µT/s,
  /// and the shares of each.
  private static let kinds: InlineArray<3, (drift: Double, share: Double)> = [(0.018, 0.8), (0.06, 0.15), (0.2, 0.05)]
  /// The last kind's as a share of a sample's noise, for coarse Hall sensors.
  private static let coarse = 0.1
  /// Seconds within which the noise of samples is counted once, at least.
  private static let leastCorrelation = 0.2
  /// Seconds over which differences are held against the slope: those of a field that came at once do not follow it.
  private static let span = 1.0
  /// The multiple of the mean difference of the last second at which a field has come at once, as a magnet that a hand
  /// brings within a second, and not slowly.
  private static let sudden = 6.0
  /// The slope of slow noise in a stretch, in Allan deviations over its seconds.
  private static let slowSlope = 1.5
  /// A slope is never better known than this variance says, nor worse.
  private static let known = 1e-8...1e6

  private let zeroTime: Double
  /// Seconds within which the noise of samples is counted once.
  private let correlation: Double
  /// The variance of the last kind's slopes.
  private let widest: Double
  /// J and J m, the inverse variance of the slope by the samples alone, and its product with the slope.
  private var weight: Double
  private var moment: Vector3
  private var last: Double?
  private var offset = Vector3.zero
  /// Seconds from the zero-point to the last sample that followed the slope.
  private var sure: Double
  /// The last differences follow the slope.
  private var isFollowed = true
  /// A field has come slowly and is there: a part of the slope may be its approach.
  private(set) var cameSlowly = false

  /// The slope within a zero-point.
  init(zero: ZeroPoint) {
    zeroTime = zero.time
    let most = max(Self.kinds[2].drift, Self.coarse * zero.noise.length / 3.0.squareRoot())
    widest = most * most
    sure = zero.duration / 2
    correlation = max(Self.leastCorrelation, zero.duration / Double(max(zero.samples, 1)))
    var measured = Self.known.upperBound
    if zero.duration > 0 {
      let slow = Self.slowSlope * zero.flicker / zero.duration
      measured = zero.driftDeviation * zero.driftDeviation + slow * slow
    }
    weight = 1 / max(Self.known.lowerBound, min(measured, Self.known.upperBound))
    moment = zero.drift * weight
    weigh()
  }

  /// The effect of the drift on a difference at a time: its size and its standard deviation, in µT.
  func since(_ time: Double) -> (size: Double, deviation: Double) {
    let age = max(0, time - zeroTime)
    return (slope.length * age, variance.squareRoot() * age)
  }

  /// Takes a difference; `noise` is its variance on one axis. A field that has come teaches nothing.
  mutating func learn(_ difference: Vector3, noise: Double, at time: Double) {
    let age = time - zeroTime
    let step = last.map { time - $0 } ?? correlation
    last = time
    guard age > 0, step > 0, noise > 0 else { return }
    let share = min(1, step / Self.span)
    // The uncertainty of the slope counts from where it was followed: a field that came later is no steeper slope.
    let reach = min(age, sure + max(Self.span, 2 * step))
    let (rest, slack) = (difference - slope * age, variance * reach * reach)
    offset += (rest - offset) * share
    let wasFollowed = isFollowed
    isFollowed = offset.squaredLength < 9 * 3 * (noise * share / (2 - share) + slack)
    if isFollowed != wasFollowed {
      cameSlowly = !isFollowed && rest.squaredLength < Self.sudden * Self.sudden * offset.squaredLength
    }
    guard isFollowed, rest.squaredLength < 9 * 3 * (noise + slack) else { return }
    sure = age
    let gain = age / (noise * max(1, correlation / step))
    moment += difference * gain
    weight = min(weight + age * gain, 1 / Self.known.lowerBound)
    weigh()
  }

  /// Finds the slope that the samples and what is known of sensors make likely.
  private mutating func weigh() {
    let (measured, mean) = (1 / weight, moment / weight)
    let square = mean.squaredLength
    var (sum, share, shares, rest) = (0.0, 0.0, 0.0, 0.0)
    for place in 0..<Self.kinds.count {
      let kind = Self.kinds[place]
      let own = place + 1 < Self.kinds.count ? kind.drift * kind.drift : widest
      let (whole, most) = (own + measured, widest + measured)
      let fit = kind.share * pow(most / whole, 1.5) * exp(square / 2 * (1 / most - 1 / whole))
      let kept = own / whole
      sum += fit
      share += fit * kept
      shares += fit * kept * kept
      rest += fit * kept * measured
    }
    (share, shares, rest) = (share / sum, shares / sum, rest / sum)
    slope = mean * share
    variance = rest + max(0, shares - share * share) * square / 3
  }
}
