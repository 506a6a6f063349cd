import LodestoneCore
import Glibc

/// How fast a zero-point goes stale: the slope of the field since it was taken, followed for as long as nothing else is
/// measured. A Kalman filter for the slope on each axis, which starts from the slope within the zero-point.
struct FieldDrift: Sendable {
  /// In µT/s.
  private(set) var slope: Vector3
  /// The variance of `slope` on one axis.
  private(set) var variance: Double

  /// The drift of an ordinary magnetometer that warms up, in µT/s.
  private static let ordinary = 0.018
  /// Seconds within which the noise of samples is counted once.
  private static let correlation = 0.2

  /// Seconds over which differences are held against the slope: those of a field that came at once do not follow it.
  private static let span = 1.0

  private let zeroTime: Double
  private var last: Double?
  private var offset = Vector3.zero

  init(zero: ZeroPoint) {
    zeroTime = zero.time
    let prior = Self.ordinary * Self.ordinary
    let measured = zero.driftDeviation * zero.driftDeviation
    let share = zero.duration > 0 ? prior / (prior + measured) : 0
    slope = zero.drift * share
    variance = prior * (1 - share)
  }

  /// The effect of the drift on a difference at a time: its size and its standard deviation, in µT.
  func since(_ time: Double) -> (size: Double, deviation: Double) {
    let age = max(0, time - zeroTime)
    return (slope.length * age, variance.squareRoot() * age)
  }

  /// Takes a difference in which no field stands out of the noise; `noise` is its variance on one axis.
  mutating func learn(_ difference: Vector3, noise: Double, at time: Double) {
    let age = time - zeroTime
    let step = last.map { time - $0 } ?? Self.correlation
    last = time
    guard age > 0, step > 0, noise > 0 else { return }
    let share = min(1, step / Self.span)
    offset += (difference - slope * age - offset) * share
    guard offset.squaredLength < 9 * 3 * noise * share / (2 - share) else { return }
    let independent = noise * max(1, Self.correlation / step)
    let gain = variance * age / (variance * age * age + independent)
    slope += (difference - slope * age) * gain
    variance *= 1 - gain * age
  }
}
