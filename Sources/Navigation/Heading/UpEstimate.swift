import LodestoneCore
import Glibc

/// Where up is: what the accelerometer says, steadied by the gyroscope.
///
/// A hand's own accelerations come and go within tenths of a second, and a gyroscope does not feel them: up is carried
/// along with the board's rotation and drawn towards the specific force with a short time constant (a complementary
/// filter). A gyroscope whose signs or axes are not the accelerometer's would carry it the wrong way; so the change of
/// the force from sample to sample is held against the change that the rotation makes, and the gyroscope is listened to
/// only while the one follows the other (a slope near 1; shaking adds noise to it, a wrong sign makes it −1).
public struct UpEstimate: Sendable {
  /// The share of the specific force's noise power that is left in `up`, 0 ... 1.
  public private(set) var noiseShare = 1.0

  /// Small: the hand's accelerations come through. Large: the gyroscope's drift does. In seconds.
  private static let timeConstant = 0.3
  /// Over which the changes are compared, in seconds.
  private static let memory = 4.0
  /// The slope from which on the gyroscope is believed.
  private static let leastSlope = 0.3
  /// The longest gap in seconds: after it the estimate begins again.
  private static let longestStep = 0.5

  private var up: Vector3?
  private var last = 0.0
  private var lastForce = Vector3.zero
  private var agreement = 0.0
  private var turning = 0.0

  /// An estimate that has seen nothing yet.
  public init() {}

  /// Whether a specific force in g tells where up is: in free fall, and from an accelerometer that does not measure,
  /// little is left of it, and points anywhere.
  static func isTold(by force: Vector3) -> Bool { force.squaredLength >= leastForce * leastForce }

  /// The least force in g that a working accelerometer reads at rest.
  private static let leastForce = 0.2

  /// Takes the specific force in g and the rotation rate, both in the same axes, and returns up in g: about as long as
  /// the force, since nothing but its direction matters.
  public mutating func add(time: Double, force: Vector3, rate: RotationRate?) -> Vector3 {
    let step = time - last
    last = time
    guard let rate, let before = up, step > 0, step < Self.longestStep, force.isFinite else { return restart(force) }
    let omega = rate.degreesPerSecond * (.pi / 180)
    let forecast = omega.cross(lastForce) * -step
    let fading = min(1, step / Self.memory)
    agreement += ((force - lastForce).dot(forecast) - agreement) * fading
    turning += (forecast.squaredLength - turning) * fading
    lastForce = force
    let turned = before - omega.cross(before) * step
    guard agreement >= Self.leastSlope * turning, turned.isFinite else { return restart(force, keepsScore: true) }
    let share = 1 - exp(-step / Self.timeConstant)
    noiseShare = share / (2 - share)
    let estimate = turned + (force - turned) * share
    up = estimate
    return estimate
  }

  private mutating func restart(_ force: Vector3, keepsScore: Bool = false) -> Vector3 {
    if !keepsScore { (agreement, turning) = (0, 0) }
    lastForce = force
    noiseShare = 1
    up = force
    return force
  }
}
