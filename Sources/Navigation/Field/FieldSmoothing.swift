import LodestoneCore
import Glibc

/// An exponential mean of a field with a time constant.
struct FieldSmoothing: Sendable {
  /// The mean after a sample.
  struct Mean: Sendable {
    /// In µT.
    var field: Vector3
    /// The noise power of the mean as a share of a single sample's.
    var noiseShare = 1.0
    /// How far the mean is behind a field that changes, in µT.
    var lag = 0.0
  }

  /// In seconds.
  private let timeConstant: Double
  private var mean: Mean?
  private var lag = SmoothingLag()
  /// The weight in the mean of the measurement that came last, however often it came.
  private var weight = 1.0
  private var last = (time: 0.0, field: Vector3.zero)

  /// The share of the zero-point's noise below which a lag does not count.
  private static let leastLag = 0.5

  /// A mean with a time constant in seconds; nil for none.
  init?(timeConstant: Double?) {
    guard let timeConstant, timeConstant > 0 else { return nil }
    self.timeConstant = timeConstant
  }

  /// Takes a field in µT at a time in seconds.
  /// - Parameter noise: the length of a sample's noise at the zero-point, one standard deviation in µT.
  mutating func add(_ field: Vector3, noise: Double, at time: Double) -> Mean {
    let (elapsed, change) = (max(0, time - last.time), field - last.field)
    last = (time, field)
    var now = mean ?? Mean(field: field)
    let kept = exp(-elapsed / timeConstant)
    now.field = field + (now.field - field) * kept
    if mean != nil {
      // A measurement that is sent again brings no new noise: its weight in the mean grows.
      let (others, own) = change == .zero ? (now.noiseShare - weight * weight, weight) : (now.noiseShare, 0)
      weight = kept * own + 1 - kept
      now.noiseShare = kept * kept * max(0, others) + weight * weight
    }
    now.lag = lag.add(
      distance: field - now.field, change: mean == nil ? nil : change, kept: kept, elapsed: elapsed, usualNoise: noise,
      least: Self.leastLag * noise)
    mean = now
    return now
  }
}
