import LodestoneCore

// What an accelerometer calls up is up only while nothing accelerates. What says how far it may be off: the noise of
// the specific force, from its second differences; how much its length changes, which at rest it does not; how far that
// length is from 1 g, for an accelerometer with such an error has others across; by how much the mean of the length has
// grown, which only a push that lasts makes it do; and how the board turns, for a board in a hand turns about an elbow,
// and feels ω² r towards it and ω̇ r across.

/// Follows how far apparent gravity may be from up. Its state is a few running means; time comes with the samples.
public struct ApparentGravity: Sendable {
  /// Standard deviation of apparent gravity from up about a horizontal axis, in radians.
  public private(set) var deviation: Double

  /// The distance from the elbow to the board in the hand, in metres.
  private static let leverArm = 0.15
  /// Over which the means run, in seconds.
  private static let timeConstant = 0.7
  /// The most that one sample counts for in them.
  private static let mostShare = 0.25
  /// Over which rates of turn are smoothed, in seconds.
  private static let rateConstant = 0.1
  /// Noise of the specific force, assumed before anything is known, in g.
  private static let initialNoise = 0.005
  /// The ratio of squared accelerations across to squared changes of the length: as much in a hand and on a walk.
  private static let horizontalShare = 1.0
  /// The ratio of squared leans to any side to those to north and south, which an inclination shows.
  private static let sideShare = 2.0
  /// The ratio of squared errors across to the squared error of the length.
  private static let scaleShare = 0.1
  /// Share of the lever arm's acceleration in a heading, squared: a half for its direction, less as it comes and goes.
  private static let swingShare = 0.35
  /// The error by the hand beside all this, in radians.
  private static let floor = 0.001

  private var noise = initialNoise * initialNoise
  private var length = 1.0
  private var lengthVariance = 0.0
  private var swing = 0.0
  private var push = SteadyPush()
  private var sway = Sway()
  private var last: (time: Double, force: Vector3)?
  private var beforeLast: Vector3?
  private var slowEast: Vector3?
  private var slowRate: Vector3?

  /// An estimate for a board at rest.
  public init() { deviation = Self.initialNoise }

  /// Takes a sample: the specific force in g, the field in any unit, and the rotation rate where there is a gyroscope.
  /// All in the same axes.
  /// - Parameters:
  ///   - noiseShare: how much of the force's noise power is left where up is steadied, 0 ... 1.
  ///   - isCalibrated: the field is the Earth's, so that its angle to up stays where the board is turned.
  public mutating func add(
    time: Double, force: Vector3, field: Vector3, rate: RotationRate?, noiseShare: Double = 1, isCalibrated: Bool = true
  ) {
    defer {
      beforeLast = last?.force
      last = (time, force)
    }
    guard let last, time > last.time, time - last.time < 1 else {
      forget()
      if last == nil { length = force.length }
      follow(length: force.length, step: .infinity)
      settle(noiseShare)
      return
    }
    let step = time - last.time
    let share = min(1, step / Self.timeConstant)
    if let beforeLast {
      noise += ((force - last.force * 2 + beforeLast).squaredLength / 18 - noise) * share
    }
    follow(length: force.length, step: step)
    let acceleration = leverAcceleration(rate: rate, east: field.cross(force), step: step)
    swing += (acceleration * acceleration - swing) * share
    if isCalibrated { sway.add(field, force, step: step) }
    push.add(force, time: time, step: step, noise: noise, change: lengthVariance)
    settle(noiseShare)
  }

  /// Forgets what goes from one sample to the next.
  private mutating func forget() {
    beforeLast = nil
    slowEast = nil
    slowRate = nil
    push.forget()
    sway = Sway()
  }

  /// Follows the length of the force in g, and how it scatters: by a few samples at least, however far apart they are.
  private mutating func follow(length now: Double, step: Double) {
    let off = now - length
    length += off * min(Self.mostShare, step / (3 * Self.timeConstant))
    lengthVariance += (off * off - lengthVariance) * min(Self.mostShare, step / Self.timeConstant)
  }

  /// The acceleration at the end of the lever arm, in g: by the gyroscope, or by how fast magnetic east goes round the
  /// board.
  private mutating func leverAcceleration(rate: RotationRate?, east: Vector3, step: Double) -> Double {
    let share = min(1, step / Self.rateConstant)
    let perMetre: Double
    if let now = rate.map({ $0.degreesPerSecond * (.pi / 180) }) {
      let before = slowRate ?? now
      let smooth = before + (now - before) * share
      slowRate = smooth
      let (inwards, along) = (smooth.squaredLength, (smooth - before).squaredLength / (step * step))
      perMetre = (inwards * inwards + along).squareRoot()
    } else {
      let before = slowEast ?? east
      let smooth = before + (east - before) * share
      slowEast = smooth
      perMetre = before.squaredAngle(to: smooth) / (step * step)
    }
    return perMetre * Self.leverArm / Acceleration.standardGravity
  }

  private mutating func settle(_ noiseShare: Double) {
    let stretched = Self.horizontalShare * max(0, lengthVariance - noise)
    let leaning = Self.sideShare * sway.variance
    let scale = Self.scaleShare * (length - 1) * (length - 1)
    let variance = noise * noiseShare + max(stretched, leaning) + scale + Self.swingShare * swing + push.variance
    deviation = (variance + Self.floor * Self.floor).squareRoot()
  }
}

/// How far pushes lean a force to and fro to north and south: a turn of the board does not change its angle to the
/// field. It is seen where the length of the force is not changed, as where a step and the swing of an arm cancel out.
private struct Sway: Sendable {
  /// Mean square of the lean, in rad²; 0 until enough is seen.
  private(set) var variance = 0.0
  private var (mean, changes, noise) = (0.0, 0.0, 0.0)
  private var (last, beforeLast): (Double?, Double?)
  private var seen = 0.0

  /// Over which the means run, in seconds: two steps and more.
  private static let timeConstant = 2.0
  /// Seconds before anything is said.
  private static let delay = 1.0
  /// The multiple of the noise that noise does not reach.
  private static let margin = 2.0
  /// The least squared sine of the angle between field and vertical: nearer to it a field shows no lean.
  private static let least = 0.03

  /// Takes a field and a force, of any length, `step` seconds after the ones before.
  mutating func add(_ field: Vector3, _ force: Vector3, step: Double) {
    let lengths = (field.squaredLength * force.squaredLength).squareRoot()
    guard lengths > 0, lengths.isFinite else { return }
    seen += step
    let share = min(1, step / min(seen, Self.timeConstant))
    let cosine = field.dot(force) / lengths
    let off = cosine - mean
    mean += off * share
    changes += (off * (cosine - mean) - changes) * share
    if let last, let beforeLast {
      let second = cosine - 2 * last + beforeLast
      noise += (second * second / 6 - noise) * share
    }
    (last, beforeLast) = (cosine, last)
    guard seen > Self.delay else { return }
    variance = max(0, changes - Self.margin * noise) / max(Self.least, 1 - cosine * cosine)
  }
}
