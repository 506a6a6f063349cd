import Calibration
import LodestoneCore
import Glibc

/// How far a sensor was turned since a zero-point was taken: by the fusion where there is a gyroscope, else by where up
/// went. The field has no part in it: what is measured moves it.
struct SensorTurn: Sendable {
  /// The rotation that turns a field of the place as seen at the zero-point into that seen now.
  private(set) var rotation = Quaternion.identity
  /// How far that may be off, one standard deviation in radians.
  private(set) var deviation = 0.0
  /// The angle of it in radians.
  var angle: Double { 2 * atan2(rotation.v.length, abs(rotation.w)) }
  /// It stands out of the noise.
  var isNoticed: Bool { angle > Self.noticed }

  /// It is known well enough to say what the place's field does; else it spoils the zero-point. Without a gyroscope,
  /// what is turned about the vertical is not seen.
  var isKnown: Bool { isCarried ? deviation < Self.sure : !isLost && angle < Self.small }
  /// The gyroscope that saw the turns has failed: what was turned about the vertical since is not known, until the next
  /// zero-point.
  private(set) var isLost = false
  /// A gyroscope sees each turn.
  var isCarried: Bool { before != nil }

  /// In radians.
  private static let (small, sure) = (Angle.radians(10), Angle.radians(6))
  private static let noticed = Angle.radians(0.3)
  /// The noise of up, in radians.
  private static let noise = 0.002
  /// The error of a turn by gains and axes of the sensors, as a share of it.
  private static let share = 0.03
  /// Seconds over which up is averaged without a gyroscope.
  private static let span = 0.4
  /// Seconds after which a gyroscope that sends nothing is gone.
  private static let patience = 2.0

  /// The least change of the field, in µT and in standard deviations of its mean over a second, with which a
  /// gyroscope's rest is one, and the change within a second or so at which the fusion takes it for none, in µT.
  private static let (leastChange, deviations, ofFusion) = (0.2, 4.0, 0.7)

  private let zero: ZeroPoint
  /// The factor that makes of a change of the field, in µT, one that ends a rest.
  private let sharpness: Double
  private var up: Vector3?
  private var last: Double?
  private var lastRate = -Double.infinity
  private var fusion: Fusion?
  private var agreement = GyroscopeAgreement()
  private var glitches = RateGlitches()
  private var repeated = RepeatedSample()
  /// The attitude at the zero-point.
  private var start = Quaternion.identity
  /// The last sample's; nil at the beginning and after a gap.
  private var before: Fusion.Estimate?
  /// There is an accelerometer.
  private var hasUp: Bool { zero.up != nil }
  /// The variance of the turn about the vertical, in square degrees; of the whole turn without an accelerometer.
  private var spread = 0.0

  init(zero: ZeroPoint) {
    self.zero = zero
    let interval = min(1, zero.duration / Double(max(zero.samples - 1, 1)))
    let noise = zero.noise.length * (interval / 2).squareRoot()
    sharpness = Self.ofFusion / max(Self.leastChange, Self.deviations * noise)
    guard let rate = zero.restingRate else { return }
    var fusion = Fusion(.measuring, zero: GyroscopeZero(rate: rate, deviation: .zero))
    let up = zero.up ?? Vector3(0, 0, 1)  // Without an accelerometer any direction does: it is only turned.
    fusion.add(time: zero.time + zero.duration / 2, field: nil, force: up, rate: .zero, fieldNoise: 0)
    self.fusion = fusion
  }

  /// Takes a sample, with its field in µT, its force in g and its rotation rate where it has them, which may be at the
  /// end of its range.
  mutating func add(time: Double, field: Vector3?, force: Vector3?, rate: RotationRate?, rateIsLeast: Bool) {
    let step = last.map { time - $0 } ?? 0
    last = time
    let wasMissed = missesTurns(field, force, rate, step: step)
    let sinceRate = time - lastRate
    let read = rate.flatMap { rate in zero.restingRate.map { rate.degreesPerSecond - $0 } }
    let turning = rateIsLeast ? read : read.map { glitches.sound($0, step: sinceRate) }
    if let turning {
      if rateIsLeast {
        agreement.restart()
      } else if sinceRate > 0, sinceRate < RateGlitches.longestStep {
        // Whose strength is not told: such a field accuses no gyroscope, and speaks for one that a push contradicts.
        agreement.add(field: field, force: force, rate: turning * (.pi / 180), step: sinceRate)
      }
      lastRate = time
    }
    guard !isLost, !wasMissed, agreement.fault == nil, time - lastRate < Self.patience else {
      return followUp(force, step: step)
    }
    // The fusion takes the field for nothing but to tell a slow turn from a rest.
    let change = field.map { ($0 - zero.field) * sharpness }
    fusion?.add(time: time, field: change, force: force, rate: turning, rateIsLeast: rateIsLeast, fieldNoise: 0)
    if let now = fusion?.estimate { carry(now) } else { before = nil }
  }

  /// Whether a sample is an old one that comes again, with which a turn may be missed.
  private mutating func missesTurns(_ field: Vector3?, _ force: Vector3?, _ rate: RotationRate?, step: Double) -> Bool {
    guard let bias = zero.restingRate else { return false }
    guard repeated.comesAgain(field: field, force: force, rate: rate?.degreesPerSecond) else { return false }
    repeated.turn(bias: (bias, .zero), step: step)
    return repeated.isOld || repeated.isSilent
  }

  private mutating func followUp(_ force: Vector3?, step: Double) {
    isLost = isLost || isCarried
    before = nil
    guard let now = force?.direction, let start = zero.up else { return }
    let mean = up.map { $0 + (now - $0) * min(1, step / Self.span) } ?? now
    up = mean
    if let direction = mean.direction { turn(Quaternion(from: start, to: direction), variance: 0) }
  }

  /// Takes the next attitude. Drift at rest is the gyroscope's, not the board's: it moves the beginning instead. A turn
  /// of up by the force is no drift. After a gap it goes on from the turn before.
  private mutating func carry(_ now: Fusion.Estimate) {
    if let before {
      if now.isAtRest, before.isAtRest {
        let drift = now.attitude * before.attitude.conjugate
        start = (hasUp ? Quaternion(angle: drift.rotationVector.z, about: Vector3(0, 0, 1)) : drift) * start
      } else {
        spread += max(0, drifting(now) - drifting(before))
      }
    } else {
      start = now.attitude * rotation
    }
    before = now
    let radian = Double.pi / 180
    turn(now.attitude.conjugate * start, variance: (spread + (hasUp ? now.tiltVariance : 0)) * radian * radian)
  }

  /// The variance, in square degrees, of what nothing but the gyroscope tells.
  private func drifting(_ estimate: Fusion.Estimate) -> Double {
    (estimate.yawVariance ?? 0) + (hasUp ? 0 : estimate.tiltVariance)
  }

  private mutating func turn(_ now: Quaternion, variance: Double) {
    rotation = now
    let angle = self.angle
    deviation =
      isNoticed ? (variance + Self.share * Self.share * angle * angle + Self.noise * Self.noise).squareRoot() : 0
  }
}
