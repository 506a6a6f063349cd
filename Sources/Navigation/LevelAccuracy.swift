import Calibration
import Glibc
import LodestoneCore

// How far a tilt may be off.
//
// A zero z of the accelerometer, across up and in g, turns up by |z| radians, and unequal gains by less. A board that lies as it did
// when its tilt was taken for level has the zero's error in both: the difference has none of it, and after a turn of up by θ the error
// is 2 sin(θ/2) of it. What a hand and noise do is new each time.

/// The errors of an inclinometer's accelerometer.
struct LevelAccuracy: Sendable {
  /// Standard deviation of the accelerometer's zero along an axis, in g.
  private let zero: Double
  /// Standard deviation by which the gains of its axes differ.
  private let gain: Double

  /// Zeros that data sheets allow, 50 mg at the end of 95 %, and gains; the same once they are calibrated without a word of how well, and
  /// the least that a zero is ever known.
  private static let (unknown, unknownGain) = (0.025, 0.01)
  private static let (calibrated, calibratedGain, least) = (0.012, 0.004, 0.001)
  /// Standard deviation of the force's direction at rest by the hand and noise, in degrees.
  private static let trembling = 0.15

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
