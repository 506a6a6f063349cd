import LodestoneCore
import Glibc

// A mean S that fades with a time constant T is late: behind what turns at a rate r by r T. The distances x − S of the samples
// show how far, and their quick mean m shows less of it than noise would hide. With k and q the shares of S and m that stay,
//
//     S ← k S + (1 − k) x,   m ← q m + (1 − q) (x − S)
//
// and with noise of variance 1 in x the covariances of S and m follow. What is larger than four of the standard deviations
// is a lag. The noise is that of second differences: a steady turn has none of those.

/// How far an exponential mean is behind what it is the mean of, told from the samples themselves.
struct SmoothingLag: Sendable {
  /// The time constant of the quick mean, in seconds.
  private static let quick = 0.5
  /// Standard deviations of noise that show nothing.
  private static let margin = 4.0
  /// The factor on a quick mean, which is late itself as a turn begins.
  private static let late = 1.25
  /// The multiple of the usual variance past which a second difference is a jump, not noise.
  private static let jump = 16.0
  /// Samples over which the noise is learnt.
  private static let memory = 40.0

  /// The noise of a sample as a variance, and the number of samples that it rests on.
  private var (noise, count) = (0.0, 0.0)
  private var distance = Vector3.zero
  private var lastChange: Vector3?
  /// The variances of the mean and of the quick mean of distances, and their covariance, for samples with noise of variance 1.
  private var (ofMean, ofDistance, ofBoth) = (1.0, 0.0, 0.0)

  /// The size of the lag in the unit of the samples; zero where noise explains what is seen.
  /// - Parameters:
  ///   - distance: from the mean, which holds the last sample, to that sample.
  ///   - change: from the sample before; nil for the first.
  ///   - kept: the share of the mean that has stayed.
  ///   - elapsed: seconds since the sample before.
  ///   - usualNoise: the standard deviation of a sample before anything is known.
  ///   - least: the lag that counts; a smaller one is none.
  mutating func add(
    distance now: Vector3, change: Vector3?, kept: Double, elapsed: Double, usualNoise: Double, least: Double
  ) -> Double {
    guard let change else {
      self = SmoothingLag()
      (noise, count) = (usualNoise * usualNoise, 1)
      return 0
    }
    if let lastChange {
      count = min(count + 1, Self.memory)
      let second = (change - lastChange).squaredLength / 6
      noise += (min(second, Self.jump * noise + least * least) - noise) / count
    }
    lastChange = change
    let stays = exp(-elapsed / Self.quick)
    distance = distance * stays + now * (1 - stays)
    let explained = age(kept, stays)
    func size(_ distance: Vector3, _ variance: Double) -> Double {
      distance.squaredLength > Self.margin * Self.margin * noise * variance ? distance.length : 0
    }
    let lag = max(size(now, explained), Self.late * size(distance, ofDistance))
    return lag > least ? lag : 0
  }

  /// The covariances after a sample; returns the variance of its distance.
  private mutating func age(_ kept: Double, _ stays: Double) -> Double {
    let gain = (1 - stays) * kept
    let last = kept * kept * (1 + ofMean)
    ofDistance = stays * stays * ofDistance + gain * gain * (1 + ofMean) - 2 * stays * gain * ofBoth
    ofBoth = kept * stays * ofBoth - kept * gain * ofMean + (1 - kept) * gain
    ofMean = kept * kept * ofMean + (1 - kept) * (1 - kept)
    return last
  }
}
