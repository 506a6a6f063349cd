import LodestoneCore

/// A push that lasts, as of a car in a bend or of a boat that rolls, told from the length of the specific force.
///
/// A level push of a g makes the force √(1 + a²) g long, so a mean length of l g beyond what it is at rest says
/// a² ≈ 2 l; pushes up and down cancel out in the mean. The length at rest is not 1 g where the accelerometer has an
/// offset, and with an offset it changes as the board is tilted. So it is learnt: it is the least length seen, follows
/// whatever stays the same while nothing moves, and is allowed to differ by the offset's share as the force comes from
/// another side.
struct SteadyPush: Sendable {
  /// Mean square of the push along one horizontal axis, in g².
  private(set) var variance = 0.0

  /// Over which the length is averaged, in seconds.
  private static let span = 1.0
  /// The same for a push that has just begun: what it shows counts where the length was steady before.
  private static let quickSpan = 0.15
  /// The time after which a push that has gone counts 1/e as much, in seconds.
  private static let memory = 5.0
  /// The time in which the length at rest follows the mean while nothing moves, in seconds.
  private static let restTime = 4.0
  /// The time in which it follows the mean while something moves, in seconds.
  private static let movingTime = 60.0
  /// The offset of an ordinary accelerometer, in g.
  private static let offset = 0.02
  /// The share of an axis in the square of a push from any side: 1.96 standard deviations make the whole of it.
  private static let axisShare = 0.5

  private var length = RunningMean()
  private var quick = RunningMean()
  private var force = Vector3.zero
  private var noiseLeft = 1.0
  private var restLength: Double?
  /// The share of a sample's noise power that may be left in the length at rest.
  private var restNoise = 0.0
  private var restForce = Vector3.zero
  private var held = 0.0
  private var usualChange = 0.0

  /// Takes a force in g, `step` seconds after the one before.
  /// - Parameters:
  ///   - noise: variance of the force along one axis that is new in every sample, in g².
  ///   - change: variance of the force's length over the last while, in g².
  mutating func add(_ sample: Vector3, time: Double, step: Double, noise: Double, change: Double) {
    let strength = sample.length
    length.add(strength, time: time, span: Self.span)
    quick.add(strength, time: time, span: Self.quickSpan)
    let share = length.lastShare
    force += (sample - force) * share
    noiseLeft = (1 - share) * (1 - share) * noiseLeft + share * share
    guard let mean = length.value, noiseLeft < 0.2 else { return }
    usualChange += (change - usualChange) * (change < usualChange ? 1 : min(1, step / Self.restTime))
    let (steady, spread) = ((max(noiseLeft, restNoise) * noise).squareRoot(), usualChange.squareRoot())
    let ripple = 2 * steady + 0.15 * spread
    let rest = follow(mean, step: step, ripple: ripple, isStill: change < 4 * noise)
    let byTilt = Self.offset * (force - restForce).length
    let sudden = (quick.value ?? mean) - rest - byTilt - 3 * (quick.lastShare / 2 * noise).squareRoot() - spread
    let beyond = max(0, mean - rest - byTilt - ripple, sudden)
    let kept = 1 - min(1, step / Self.memory)
    held = max(held * kept * kept, 2 * beyond)
    variance = Self.axisShare * held
  }

  /// The length at rest.
  private mutating func follow(_ mean: Double, step: Double, ripple: Double, isStill: Bool) -> Double {
    guard let before = restLength else {
      (restLength, restForce, restNoise) = (mean, force, noiseLeft)
      return mean
    }
    let share = min(1, step / (isStill ? Self.restTime : Self.movingTime))
    restForce += (force - restForce) * share
    restNoise += (noiseLeft - restNoise) * share
    let now = mean < before - ripple ? mean + ripple : before + (mean - before) * share
    restLength = now
    return now
  }

  /// Forgets everything, after a gap.
  mutating func forget() { self = SteadyPush() }
}
