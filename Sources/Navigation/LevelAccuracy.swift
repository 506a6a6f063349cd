import Calibration
import Glibc
import LodestoneCore

// How far a tilt may be off.
//
// A zero z of the accelerometer, across up and in g, turns up by |z| radians, and unequal gains by less. A board that
// lies as it did when its tilt was taken for level has the zero's error in both: the difference has none of it, and
// after a turn of up by θ the error is 2 sin(θ/2) of it. What a hand and noise do is new each time.

/// The errors of an inclinometer's accelerometer.
struct LevelAccuracy: Sendable {
  /// Standard deviation of the accelerometer's zero along an axis, in g.
  private let zero: Double
  /// Standard deviation by which the gains of its axes differ.
  private let gain: Double

  /// Zeros that data sheets allow, 50 mg at the end of 95 %, and gains; the same once they are calibrated without a
  /// word of how well, and the least that a zero is ever known.
  private static let (unknown, unknownGain) = (0.025, 0.01)
  private static let (calibrated, calibratedGain, least) = (0.012, 0.004, 0.001)
  /// Standard deviation of the force's direction at rest by the hand and noise, in degrees.
  fileprivate static let trembling = 0.15

  /// By what a calibration tells of the accelerometer; nil for none.
  init(_ profile: Profile?) {
    guard let force = profile?.forceCorrection, force != .none else {
      (zero, gain) = (Self.unknown, Self.unknownGain)
      return
    }
    let deviation = force.zeroDeviation.map { max($0.x, $0.y, $0.z) }
    (zero, gain) = (max(deviation ?? Self.calibrated, Self.least), Self.calibratedGain)
  }

  /// The variance of up at rest about a horizontal axis, in square degrees: by what it is off the mean force.
  static func atRest(_ up: Vector3, force: Vector3) -> Double {
    let off = Angle.degrees(up.angle(to: force))
    return off * off + trembling * trembling
  }

  /// Degrees within which 95 % of pitches are, of rolls of a board that lies, and of angles of one that stands.
  /// - Parameters:
  ///   - up: of length 1, in the device frame.
  ///   - level: up that was taken for level; nil where none was.
  ///   - variance: of up about a horizontal axis by noise and motion, in square degrees.
  func degrees(up: Vector3, level: Vector3?, variance: Double) -> Double {
    let fourths = up.x * up.x * up.x * up.x + up.y * up.y * up.y * up.y + up.z * up.z * up.z * up.z
    let unequal = gain * gain * max(0, 1 - fourths) / 2
    // (2 sin(θ/2))² = 2 − 2 cos θ
    let share = level.map { max(0, 2 - 2 * $0.dot(up)) } ?? 1
    let lasting = Angle.degrees((zero * zero * share + unequal).squareRoot())
    let passing = variance + (level == nil ? 0 : Self.trembling * Self.trembling)
    let across = max(hypot(up.x, up.z), hypot(up.x, up.y))
    return min(180, Quantile.normal * (lasting * lasting + passing).squareRoot() / across)
  }
}

/// The mean force of the last moments, whose direction is up without a gyroscope, and how far that may be off: a board
/// that turns leaves the mean behind a shorter one, and a push that changes its length turns it as well. A push that
/// stays, as in a vehicle's bend, shows in neither.
struct MeanForce: Sendable {
  /// In g.
  private(set) var value = Vector3.zero
  /// The mean of a shorter time, in g.
  private var short = Vector3.zero
  /// The mean square of what the mean is off lately, and now, in rad².
  private var (lately, now) = (0.0, 0.0)
  /// Seconds since the beginning or the last gap.
  private var elapsed = 0.0

  /// Seconds of both means, and over which is remembered what they are apart.
  private static let (span, shortSpan, memory) = (0.3, 0.1, 0.8)
  /// Seconds without a force after which the mean begins again.
  private static let gap = 1.0
  /// The ratio of the square of what the mean is off to that of what the two are apart, and of a push along the shorter
  /// one in g.
  private static let (ofTurn, ofPush) = (1.7, 0.16)
  /// Seconds in which little has been seen yet, and those of one sample.
  private static let (unseen, first) = (0.3, 0.02)

  /// Takes a force in g, `step` seconds after the one before.
  /// - Parameter restLength: of the board at rest, in g.
  mutating func add(_ force: Vector3, step: Double, restLength: Double) {
    guard step >= 0, step < Self.gap else {
      (value, short, elapsed, lately) = (force, force, 0, 0)
      return apart(restLength)
    }
    elapsed += step
    value += (force - value) * (1 - exp(-step / Self.span))
    short += (force - short) * (1 - exp(-step / Self.shortSpan))
    apart(restLength)
    lately += (now - lately) * (elapsed > 0 ? min(1, step / min(Self.memory, elapsed)) : 0)
  }

  private mutating func apart(_ restLength: Double) {
    let push = short.length - restLength
    now = Self.ofTurn * value.squaredAngle(to: short) + Self.ofPush * push * push
  }

  /// The variance of its direction about a horizontal axis, in square degrees.
  var variance: Double {
    let square = (180 / Double.pi) * (180 / Double.pi)
    let seen = max(lately, now) * (1 + Self.unseen / (elapsed + Self.first))
    return LevelAccuracy.trembling * LevelAccuracy.trembling + seen * square
  }
}
