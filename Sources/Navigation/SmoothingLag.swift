import LodestoneCore
import Glibc

// A mean S that fades with a time constant T is late: behind what turns at a rate r by r T. The distances x − S of the
// samples show how far, and their quick mean m shows less of it than noise would hide. With k and q the shares of S and
// m that stay,
//
//     S ← k S + (1 − k) x,   m ← q m + (1 − q) (x − S)
//
// and with noise of variance 1 in x the covariances of S and m follow. What is larger than four of the standard
// deviations is a lag. The noise is that of second differences: a steady turn has none of those. A measurement that is
// sent again brings no new noise: its weights w in S and v in m grow, and what is left of S and m fades as before,
//
//     w ← k w + 1 − k,   v ← q v + (1 − q) (1 − w)

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
  /// Measurements over which the noise is learnt.
  private static let memory = 40.0
  /// Times that a measurement is sent again at most: one that stays for longer is of something that stands still.
  private static let mostRepeats = 48

  /// The noise of a measurement as a variance, and the number of measurements that it rests on.
  private var (noise, count) = (0.0, 0.0)
  private var distance = Vector3.zero
  private var lastChange: Vector3?
  /// Repetitions of the last measurement.
  private var repeats = 0
  /// The weights of the last measurement in the mean and in the quick mean of distances.
  private var (weight, quickWeight) = (1.0, 0.0)
  /// The variances of what the others make of the two means, and their covariance, for noise of variance 1.
  private var (ofMean, ofDistance, ofBoth) = (0.0, 0.0, 0.0)

  /// The size of the lag in the unit of the samples; zero where noise explains what is seen.
  /// - Parameters:
  ///   - distance: from the mean, which holds the last sample, to that sample.
  ///   - change: from the measurement before; nil for the first, zero for one that is sent again.
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
    repeats = change == .zero ? repeats &+ 1 : 0
    let isNew = repeats == 0 || repeats > Self.mostRepeats
    if isNew { learn(change, least: least) }
    let stays = exp(-elapsed / Self.quick)
    distance = distance * stays + now * (1 - stays)
    if isNew { begin() }
    age(kept, stays)
    func size(_ distance: Vector3, _ variance: Double) -> Double {
      distance.squaredLength > Self.margin * Self.margin * noise * variance ? distance.length : 0
    }
    let rest = 1 - weight
    let lag = max(
      size(now, rest * rest + ofMean), Self.late * size(distance, ofDistance + quickWeight * quickWeight))
    return lag > least ? lag : 0
  }

  /// Learns the noise from the second difference that a new measurement makes.
  private mutating func learn(_ change: Vector3, least: Double) {
    if let lastChange {
      count = min(count + 1, Self.memory)
      let second = (change - lastChange).squaredLength / 6
      noise += (min(second, Self.jump * noise + least * least) - noise) / count
    }
    lastChange = change
  }

  /// A new measurement: the last one is one of the others now.
  private mutating func begin() {
    ofMean += weight * weight
    ofDistance += quickWeight * quickWeight
    ofBoth += weight * quickWeight
    (weight, quickWeight) = (0, 0)
  }

  /// The weights and covariances after a sample.
  private mutating func age(_ kept: Double, _ stays: Double) {
    let gain = (1 - stays) * kept
    ofDistance = stays * stays * ofDistance + gain * gain * ofMean - 2 * stays * gain * ofBoth
    ofBoth = kept * stays * ofBoth - kept * gain * ofMean
    ofMean *= kept * kept
    weight = kept * weight + 1 - kept
    quickWeight = stays * quickWeight + (1 - stays) * (1 - weight)
  }
}
