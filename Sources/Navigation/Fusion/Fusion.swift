import Calibration
import LodestoneCore
import Glibc

// Attitude from a gyroscope, an accelerometer and a magnetometer, each for what it is good at.
//
// The gyroscope carries the attitude from sample to sample. Its errors, three of attitude θ (in the frame east, north,
// up) and three of bias β (in the device's axes), grow as
//
//     θ' = −R β,   β' = 0 + wander                                                                              (1)
//
// and a Kalman filter holds their covariance. The specific force f, turned into the frame, should point up; the field
// b, turned into it, should point north:
//
//     f_E / |f| − (0, 0, 1) says θ_east, θ_north;   azimuth of b_E says θ_up + tan I θ_north, I the inclination   (2)
//
// Force and field are turned into the frame sample by sample, and their means over a window of 35 ms correct the
// attitude: what they are off are not noise but pushes and iron, alike for as long as τ, and more frequent corrections
// would cost time and tell nothing. Counted as independent they would make the filter certain and wrong; so the
// variance of a mean is
//
//     R = σ² (2 τ / Δt + 1) · max(1, |innovation| / (k √(σ² + P)))                                                (3)
//
// with σ from what was seen lately, and the last factor Huber's, for a field; for a force see `Pushes`. The azimuth of
// a field may turn the attitude about the vertical and move the bias, and never tilts it. Its inclination shows how far
// up leans about east, as far as strength and inclination have been what they should be: no push changes either. Angles
// are in radians inside.

/// Attitude with its covariance from samples that come at odd times, some with a rotation rate, some with a force, some
/// with a field. A value: time comes with the samples, nothing is allocated.
public struct Fusion: Sendable {
  /// How boards move and how much of that is believed.
  public let settings: Settings
  /// The gyroscope's bias, its reading at rest, in degrees per second, and its standard deviation about each axis.
  public var bias: (value: Vector3, deviation: Vector3) { (offset * (180 / .pi), errors.biasDeviation * (180 / .pi)) }
  /// The bias in radians per second where it is known to a degree per second; else zero.
  var knownBias: Vector3 { errors.isBiasKnown(to: Angle.radians(1)) ? offset : .zero }
  /// The attitude now; nil before there is one.
  public internal(set) var estimate: Estimate?
  /// How far the bias that was measured before is off by now, in degrees per second, where it has changed for sure;
  /// else nil.
  var biasChange: Double?

  // The state: for this file and those of its parts, `Fusion+Gyroscope`, `Fusion+Force` and `Fusion+Field`, alone.

  var attitude = Quaternion.identity
  var errors: FusionErrors
  var offset = Vector3.zero
  var turnedByField = 0.0
  var (hasNorth, isLevel, isAfterGap) = (false, false, false)
  var rest = GyroscopeRest()
  var pushes: Pushes
  var iron: FieldDisturbance
  var board = BoardIron()
  var time = -Double.infinity
  var rate: (value: Vector3, time: Double)?
  var lost = LostSamples()
  var held = HeldRate()
  var (forceTime, fieldTime) = (0.0, 0.0)
  var (window, carriage) = (FusionWindow(), Carriage())
  var (turned, turns) = (TurnedField(), RecentTurns())
  var (repeated, repeatedForce) = (RepeatedVector(), RepeatedVector())
  var further = FurtherTurn()
  var changed = ChangedZero()
  /// The last rate is at the end of the gyroscope's range: it holds until the next one comes.
  var isLeast = false
  /// When the board had last turned by nobody knows what.
  var unsettled = -Double.infinity
  var along = ForceAlongUp()
  /// The force since the beginning, until that says where up is.
  var settling: FirstForce?
  var stated = StatedErrors()
  var (missed, tilted) = (MissedTurn(), MissedLean())
  private var misses = MissedTurns()
  /// The variance of the azimuth that the last field was seen at, by iron, in rad².
  var fieldVariance = 0.0
  private var calibration = CalibrationVariance.zero
  /// The stated errors of the attitude, without a turn that goes on past the gyroscope's range; nil where they are to
  /// be worked out anew, because what they follow from has changed.
  var figures: Figures?
  /// The gyroscope's bias was measured before.
  let hasZero: Bool
  /// The variance of a turn by unknown gains, in rad²/s for each (rad/s)².
  let gainVariance: Double

  /// Seconds by which a sample may be older than the one before: more is another clock.
  private static let longestDelay = 0.1
  /// Seconds of measurements that make one correction: pushes and iron are alike for longer.
  static let windowSpan = 0.035
  /// Seconds after which what came before is forgotten, but for an attitude that is carried over a gap.
  static let longestStep = 0.5

  /// A fusion for a place whose field should have this strength (µT) and inclination (degrees); nil learns them.
  /// - Parameter zero: what was subtracted from its rotation rates before; nil where nobody measured it.
  public init(
    _ settings: Settings = Settings(), reference: HeadingErrorModel.Reference? = nil, zero: GyroscopeZero? = nil,
    gain: GyroscopeGain? = nil
  ) {
    self.settings = settings
    hasZero = zero != nil
    pushes = Pushes(settings)
    iron = FieldDisturbance(settings, reference: reference)
    let gainDeviation = gain?.deviation ?? settings.gainDeviation
    gainVariance = 2 * settings.gainCorrelation * gainDeviation * gainDeviation
    errors = FusionErrors(
      biasDeviation: Angle.radians(settings.biasDeviation(after: zero)),
      usual: zero == nil && reference == nil ? Angle.radians(settings.usualBias) : .infinity)
  }

  /// Takes what the field should be from here on.
  public mutating func follow(_ reference: HeadingErrorModel.Reference?) {
    iron.expect(reference)
    figures = nil
  }

  /// Takes the calibration of the fields, whose errors are stated with the attitude's.
  mutating func follow(_ calibration: CalibrationVariance) {
    self.calibration = calibration
    figures = nil
  }

  /// Takes a sample. What is nil or not finite in it was not measured.
  /// - Parameters:
  ///   - field: corrected, in µT.
  ///   - measured: the same before it was turned to where the board points now, by which a repeated one is known; nil
  ///     where it was not turned.
  ///   - force: specific force in g.
  ///   - newRate: in degrees per second.
  ///   - rateIsLeast: an axis of it is at the end of the gyroscope's range, and the board turns faster.
  ///   - fieldNoise: what noise makes of one axis of a field, one standard deviation in µT.
  public mutating func add(
    time now: Double, field: Vector3?, measured: Vector3? = nil, force: Vector3?, rate newRate: Vector3?,
    rateIsLeast: Bool = false, fieldNoise: Double
  ) {
    let step = now - time
    guard now.isFinite, !Self.isLate(step) else { return }
    let before = rate
    if let newRate, newRate.isFinite {
      take(rate: newRate * (.pi / 180), isLeast: rateIsLeast, force: force, field: field, at: now)
    }
    if let rate, step >= 0, lost.isAwaited(at: now, since: rate.time) {
      return carryOn(rate, at: now)
    }
    guard let rate, now - rate.time < Self.longestStep, step >= 0,
      step < Self.longestStep || isCarried(over: step, from: (before ?? rate).value)
    else {
      isAfterGap = time.isFinite
      restart(at: now)
      if rate != nil, let force, force.isFinite { level(force) }
      return
    }
    guard isLevel else {
      time = now
      if let force, force.isFinite { level(force) }
      return
    }
    if step > 0 {
      time = now
      turn(from: before ?? rate, to: rate, for: step)
      turnFurther(rate.value - offset, for: step)
    }
    if let force, force.isFinite { take(force: force) }
    if let field, field.isFinite { take(field: field, measured: measured ?? field, noise: fieldNoise) }
    if window.span >= Self.windowSpan {
      correct(rate.value, fieldNoise)
      window = FusionWindow()
    }
    conclude(rate.value, open: further.goesOn ? further.variance : nil)
  }

  /// Learns from what was measured in the window.
  private mutating func correct(_ rate: Vector3, _ fieldNoise: Double) {
    age()
    rest.add(force: window.lastForce, rate: rate, field: window.lastField, step: window.span)
    lookForChangedZero()
    if rest.isAtRest { learnBias(window.span) }
    if let force = window.force.value {
      correct(force: force)
    } else if time - forceTime > Self.longestStep {
      // Forces of before tell nothing of an up that none has corrected since.
      stated.restart()
    }
    if let field = window.field.value { correct(field: field, noise: fieldNoise) }
    correct(errors.expect(bias: offset), turns: true)
    figures = nil
  }

  /// Whether a sample so many seconds after the one before is older than that: it comes late, and is left out.
  static func isLate(_ step: Double) -> Bool { step < 0 && step >= -longestDelay }

  /// Whether one so many seconds after the one before is of a clock that has been set back, or has begun again.
  static func isSetBack(_ step: Double) -> Bool { step < -longestDelay }

  // MARK: Beginning

  /// Begins again after a long gap, by another clock, or where up is another one: the gyroscope's bias alone stays
  /// known.
  mutating func restart(at now: Double) {
    time = now
    (isLevel, hasNorth, estimate, figures) = (false, false, nil, nil)
    (rest, further, unsettled) = (GyroscopeRest(), FurtherTurn(), -.infinity)
    window = FusionWindow()
    held.restart()
    pushes.forget()
    stated.restart()
    board.restart()
    changed.restart()
    tilted = MissedLean()
  }

  /// Begins again because the gyroscope has missed a turn.
  mutating func restart(afterMissAt now: Double) {
    misses.add(at: now)
    restart(at: now)
  }

  /// The gyroscope misses one turn after the other.
  mutating func missesTurns(at now: Double) -> Bool { misses.areMany(at: now) }

  /// Begins again under another calibration.
  mutating func recalibrate(at now: Double) {
    board.forget()
    forgetUsual()
    restart(at: now)
  }

  /// Fields are corrected otherwise from here on.
  mutating func forgetUsual() {
    iron.forgetUsual()
    stated.forgetUsual()
  }

  /// The field of iron on the board that is taken off, in µT, in the device's axes.
  var carriedIron: Vector3 { board.value }

  /// Leaves iron on the board in the field from here on; where it had been taken off, north is found anew.
  /// - Parameter isCorrected: a table corrects what it makes of headings; else that is stated.
  mutating func leaveIron(isCorrected: Bool) {
    if carriedIron != .zero { hasNorth = false }
    board.leave(isCorrected: isCorrected)
    forgetUsual()
    figures = nil
  }

  // MARK: The attitude

  mutating func correct(_ change: FusionErrors.Change, turns tilt: Bool) {
    let by = tilt ? change.turn : Vector3(0, 0, change.turn.z)
    if !tilt { turnedByField += change.turn.z }
    attitude = Quaternion(rotation: by) * attitude
    changed.follow(by)
    let moved = offset + change.bias
    offset = moved * min(1, GyroscopeRest.rawBiasLimit / moved.length)
  }

  /// Variances in square degrees.
  struct Figures: Sendable {
    /// About the vertical, and about a horizontal axis.
    var (north, tilt): (Double, Double)
  }

  /// - Parameter open: the variance of a turn that is not known yet, about each axis of the board, in rad²: of one that
  ///   goes on past the gyroscope's range, or while rates are missing.
  mutating func conclude(_ rate: Vector3, open: Vector3?) {
    if figures == nil { figures = newFigures() }
    guard var stated = figures else { return }
    if let open {
      let matrix = attitude.matrix
      let inFrame = Vector3(
        matrix.row0.squares.dot(open), matrix.row1.squares.dot(open), matrix.row2.squares.dot(open))
      let slope = iron.expectedField?.slope ?? 0
      stated.north += (inFrame.z + slope * slope * inFrame.y) * Self.squareDegrees
      stated.tilt += (inFrame.x + inFrame.y) / 2 * Self.squareDegrees
    }
    estimate = Estimate(
      attitude: attitude, turnedByField: turnedByField, rate: (rate - offset) * (180 / .pi),
      yawVariance: hasNorth ? stated.north : nil, knownTurn: board.left == .zero ? 0 : knownTurn,
      tiltVariance: stated.tilt, isAtRest: rest.isAtRest)
  }

  /// Works them out: errors of the calibration that strength and inclination show are counted once.
  @inline(__always)
  private func newFigures() -> Figures {
    let slope = iron.expectedField?.slope ?? 0
    let variances = stated.variances(of: errors, leanCaution: settings.leanCaution, slope: slope)
    let byCalibration = max(0, calibration.variance(of: board.followed) - variances.misfit)
    let byTurns = missed.variance + changed.variance + (1 + slope * slope) * tilted.variance
    return Figures(
      north: (variances.north + board.northVariance + byCalibration + byTurns) * Self.squareDegrees,
      tilt: (variances.tilt + tilted.variance) * Self.squareDegrees)
  }

  /// By how much iron that is left in the field turns north at most, in degrees.
  private var knownTurn: Double {
    let left = attitude * board.left
    return Angle.degrees(asin(min(1, hypot(left.x, left.y) / (iron.expectedField?.horizontal ?? .infinity))))
  }

  /// Square degrees in a rad².
  private static let squareDegrees = (180 / Double.pi) * (180 / Double.pi)
}
