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
// and a Kalman filter holds their covariance. The specific force f, turned into the frame, should point up; the field b,
// turned into it, should point north:
//
//     f_E / |f| − (0, 0, 1) says θ_east, θ_north;   azimuth of b_E says θ_up + tan I θ_north, I the inclination   (2)
//
// Force and field are turned into the frame sample by sample, and their means over a window of 25 ms correct the
// attitude: what they are off are not noise but pushes and iron, alike for as long as τ, and more frequent corrections
// would cost time and tell nothing. Counted as independent they would make the filter certain and wrong; so the
// variance of a mean is
//
//     R = σ² (2 τ / Δt + 1) · max(1, |innovation| / (k √(σ² + P)))                                                (3)
//
// with σ from what was seen lately, and the last factor Huber's, for a field; for a force see `Pushes`. The azimuth of a field
// may turn the attitude about the vertical and move the bias, and never tilts it. Its inclination shows how far up leans about
// east, as far as strength and inclination have been what they should be: no push changes either. Angles are in radians inside.

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
  public private(set) var estimate: Estimate?
  /// How far the bias that was measured before is off by now, in degrees per second, where it has changed for sure; else nil.
  private(set) var biasChange: Double?

  private var attitude = Quaternion.identity
  private var errors: FusionErrors
  private var offset = Vector3.zero
  private var turnedByField = 0.0
  private var (hasNorth, isLevel, isAfterGap) = (false, false, false)
  private var rest = GyroscopeRest()
  private var pushes: Pushes
  private var iron: FieldDisturbance
  private var board = BoardIron()
  private var time = -Double.infinity
  private var rate: (value: Vector3, time: Double)?
  private var lost = LostSamples()
  private var (forceTime, fieldTime) = (0.0, 0.0)
  private var (window, carriage) = (FusionWindow(), Carriage())
  private var (turned, turns) = (TurnedField(), RecentTurns())
  private var (repeated, repeatedForce) = (RepeatedVector(), RepeatedVector())
  private var further = FurtherTurn()
  private var changed = ChangedZero()
  /// The last rate is at the end of the gyroscope's range: it holds until the next one comes.
  private var isLeast = false
  /// When the board had last turned by nobody knows what.
  private var unsettled = -Double.infinity
  private var along = ForceAlongUp()
  /// The force since the beginning, until that says where up is.
  private var settling: FirstForce?
  private var stated = StatedErrors()
  private var (missed, tilted) = (MissedTurn(), MissedLean())
  private var misses = MissedTurns()
  /// The gyroscope's bias was measured before.
  private let hasZero: Bool
  /// The variance of a turn by unknown gains, in rad²/s for each (rad/s)².
  private let gainVariance: Double

  /// Seconds for which the rates of a board that sways are alike.
  private static let swayCorrelation = 1.0
  /// Seconds without a sample past which a rate is not taken to have lasted.
  private static let gap = 0.12
  /// Seconds by which a sample may be older than the one before: more is another clock.
  private static let longestDelay = 0.1
  /// Seconds of measurements that make one correction: pushes and iron are alike for longer.
  private static let windowSpan = 0.025
  /// Seconds in which an attitude is found again that has turned by nobody knows what: until then a field tells of no iron.
  private static let settling = 2.0
  /// A turn that a gyroscope sees whose bias is known, in radians per second.
  private static let leastTurn = Angle.radians(0.4)
  /// Noise and small pushes of one axis of a force, at least, in g.
  private static let forceNoise = 0.01
  /// A bias that is known to this, in radians per second, makes no turn of a board at rest.
  private static let knownTurn = Angle.radians(1)
  /// A turn of the frame by a zero that has changed past which the attitude is found anew, in radians.
  private static let lostByZero = Angle.radians(10)
  /// The least field across up that tells north, in µT.
  private static let leastHorizontal = 1.0
  /// Seconds after which what came before is forgotten.
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
  public mutating func follow(_ reference: HeadingErrorModel.Reference?) { iron.expect(reference) }

  /// Takes a sample. What is nil or not finite in it was not measured.
  /// - Parameters:
  ///   - field: corrected, in µT.
  ///   - measured: the same before it was turned to where the board points now, by which a repeated one is known; nil where
  ///     it was not turned.
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
    if let newRate, newRate.isFinite { (rate, isLeast) = ((newRate * (.pi / 180), now), rateIsLeast) }
    guard let rate, now - rate.time < Self.longestStep, step >= 0, step < Self.longestStep else {
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
    conclude(rate.value)
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
  }

  /// Whether a sample so many seconds after the one before is older than that: it comes late, and is left out.
  static func isLate(_ step: Double) -> Bool { step < 0 && step >= -longestDelay }

  // MARK: Beginning

  /// Begins again after a long gap, by another clock, or where up is another one: the gyroscope's bias alone stays known.
  mutating func restart(at now: Double) {
    time = now
    (isLevel, hasNorth, estimate) = (false, false, nil)
    (rest, further, unsettled) = (GyroscopeRest(), FurtherTurn(), -.infinity)
    window = FusionWindow()
    pushes.restart()
    stated.restart()
    board.restart()
    changed.restart()
    tilted = MissedLean()
  }

  /// Begins again because the gyroscope has missed a turn.
  private mutating func restart(afterMissAt now: Double) {
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
  private mutating func forgetUsual() {
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
  }

  private mutating func level(_ force: Vector3) {
    guard UpEstimate.isTold(by: force), let up = force.direction else { return }
    attitude = Quaternion(from: up, to: Vector3(0, 0, 1))
    errors.begin(tiltDeviation: Angle.radians(settings.startTilt))
    (forceTime, fieldTime) = (time, time)
    (turnedByField, isLevel) = (0, true)
    along = ForceAlongUp()
    settling = settings.usesField ? FirstForce() : nil
    guard !settings.usesField else {
      var first = FirstForce()
      first.add(attitude * force, rate: (rate?.value ?? .zero) - offset, step: Self.windowSpan)
      return stated.begin(first)
    }
    hasNorth = true
    errors.begin(yawDeviation: 0)
  }

  /// Sets up to the mean force since the beginning. A board that is shaken as it begins needs some seconds of it; north is
  /// looked for anew then, and after a gap found in the same window: no line has another north with a new up.
  private mutating func settle(_ first: FirstForce, _ force: Vector3, _ step: Double) {
    var first = first
    first.add(force, rate: window.rate - offset, step: step)
    settling = first
    guard let up = first.mean.direction else { return }
    let turn = Quaternion(from: up, to: Vector3(0, 0, 1))
    attitude = turn * attitude
    window.field.turn(turn)
    pushes.follow(turn.v * 2)
    changed.restart()
    _ = pushes.add(force: turn * force / along.length, expected: errors.tiltVariance, step: step)
    board.restart()
    settling?.turn(turn)
    let deviation = first.isCalm ? settings.startTilt : Angle.degrees(first.deviation(shaking: settings.startPush))
    errors.begin(tiltDeviation: Angle.radians(min(settings.startTilt, deviation)))
    errors.begin(yawDeviation: Angle.radians(settings.startYaw))
    stated.begin(first)
    guard first.isCalm || first.elapsed > settings.settlingTime else { return }
    (settling, hasNorth) = (nil, false)
    if isAfterGap, let field = window.field.value { begin(north: field) }
    if rest.isUntouched, !hasZero { errors.begin(bias: rest.rate, least: Angle.radians(settings.usualBias)) }
  }

  // MARK: The gyroscope

  /// Turns from one rate to the next, each with its time. A gap is one in which samples were lost: those of a board that always
  /// takes its time lie on a line, and leave open what they may have missed.
  private mutating func turn(
    from before: (value: Vector3, time: Double), to now: (value: Vector3, time: Double), for step: Double
  ) {
    lost.add(from: before.time, to: now.time)
    guard step <= Self.gap || !lost.areLost(in: step) else {
      return bridge(from: before.value, to: now.value, for: step)
    }
    let omega = lost.meanRate(from: before.value, to: now.value, for: step) - offset
    turn(by: omega, for: step)
    turns.add(omega, for: step)
    guard step > Self.gap else { return }
    unsettle(by: turns.unsure(from: before.value, to: now.value, for: step, share: settings.gapShare))
  }

  /// Takes a rate: at the end of the range the board turns further than that says.
  private mutating func turnFurther(_ omega: Vector3, for step: Double) {
    if isLeast {
      let missed = further.add(omega, for: step)
      attitude = (attitude * Quaternion(rotation: missed.turn)).normalized
      unsettle(by: missed.variance)
      unsettled = time
    } else {
      if further.goesOn { forgetPushes(for: further.variance * 2) }
      further.end(omega, for: step)
    }
  }

  /// Where up is less sure than it was before, by a turn of this variance about each axis, what pushed until then leans against
  /// another up.
  private mutating func forgetPushes(for variance: Vector3) {
    guard max(variance.x, variance.y, variance.z) > errors.largestTiltVariance else { return }
    pushes.restart()
    stated.bridge()
    board.restart()
    unsettled = time
  }

  /// The attitude has turned by nobody knows what: of this variance about each axis of the board, in rad².
  private mutating func unsettle(by variance: Vector3) {
    changed.restart()
    let matrix = attitude.matrix
    errors.turn(covariance: matrix * Matrix3(diagonal: variance) * matrix.transposed)
  }

  private mutating func turn(by omega: Vector3, for step: Double) {
    attitude = (attitude * Quaternion(rotation: omega * step)).normalized
    window.turn(omega, step: step)
  }

  /// Turns over a gap.
  private mutating func bridge(from before: Vector3, to after: Vector3, for step: Double) {
    let gap = turns.bridge(from: before - offset, to: after - offset, for: step, share: settings.gapShare)
    turn(by: gap.rate, for: step)
    forgetPushes(for: gap.variance)
    unsettle(by: gap.variance)
  }

  private mutating func age() {
    let before = errors.yawVariance
    let yaw = settings.yawWander(isCarried: carriage.isCarried, seen: iron.seen)
    errors.age(
      by: window.span, attitude: attitude,
      turn: settings.wander(
        turning: attitude * window.rate, gains: gainVariance, shaking: pushes.shaking + carriage.bumping, yaw: yaw),
      bias: settings.biasWander * settings.biasWander)
    stated.grow(from: before, to: errors.yawVariance, caution: settings.caution(wandering: yaw))
  }

  private mutating func learnBias(_ step: Double) {
    let noise = (settings.restNoise * settings.restNoise + 2 * Self.swayCorrelation * rest.sway) / step
    for axis in 0..<3 {
      correct(errors.learn(bias: axis, off: rest.rate[axis] - offset[axis], noise: noise), turns: true)
    }
  }

  /// Takes a zero that has changed. The attitude is off by what that has turned it by since, and found anew where that is much.
  private mutating func lookForChangedZero() {
    let field = window.field.value.map { $0 - attitude * carriedIron }
    guard
      let change = changed.add(
        field: field.flatMap { iron.isEarths($0) ? $0 : nil }, force: window.force.value, attitude: attitude,
        zero: (offset, errors.largestBiasDeviation), rate: window.rate.length, step: window.span)
    else { return }
    offset = change.zero
    errors.begin(bias: change.zero, deviation: change.size / 2)
    if hasZero { biasChange = Angle.degrees(change.zero.length) }
    board.forget()
    guard change.turn < Self.lostByZero else { return restart(at: time) }
    unsettle(by: Vector3(1, 1, 1) * (change.turn * change.turn))
    pushes.restart()
    stated.bridge()
    unsettled = time
  }

  // MARK: Force and field

  /// Takes the force of a sample into the window. One that comes again while the board turns is an old one, as far as it is known
  /// that it turns.
  private mutating func take(force: Vector3) {
    let isOld = repeatedForce.isStuck(force, attitude: attitude, noise: Self.forceNoise)
    guard !isOld || !errors.isBiasKnown(to: Self.knownTurn) else { return }
    window.lastForce = force
    window.force.add(attitude * force)
  }

  /// Takes the mean force of a window in the frame.
  private mutating func correct(force: Vector3) {
    var step = time - forceTime
    forceTime = time
    guard step > 0, force.length.isFinite else { return }
    if step > Self.longestStep {
      // The mean of what pushed meanwhile is not known, and this force is none.
      pushes.restart()
      step = window.span
    }
    carriage.add(force.length, step: step)
    if let settling { return settle(settling, force, step) }
    along.add(force.z, lean: pushes.now.lean, step: step)
    guard !along.isLost else { return restart(at: time) }
    let expected = errors.largestTiltVariance
    let mean = pushes.add(force: force / along.length, expected: expected, step: step)
    let isTilted =
      settings.usesField && tilted.isSure(pushes.now, rate: window.rate.length, expected: expected, step: step)
    guard !isTilted else { return restart(afterMissAt: time) }
    var change = FusionErrors.Change(turn: .zero, bias: .zero)
    for axis in 0..<2 {
      change.add(errors.learn(lean: axis, off: mean.lean[axis] - change.turn[axis], noise: mean.density / step))
    }
    pushes.follow(change.turn)
    stated.add(lean: pushes.mean, lasting: pushes.lasting, expected: expected, step: step)
    correct(change, turns: true)
  }

  /// Takes the field of a sample into the window; the first one says at once where north is. One that may not turn north
  /// still tells a slow turn from a rest.
  private mutating func take(field: Vector3, measured: Vector3, noise: Double) {
    guard !repeated.isStuck(measured, attitude: attitude, noise: noise) else { return }
    window.lastField = field
    guard settings.usesField else { return }
    guard hasNorth else {
      begin(north: attitude * field)
      if hasNorth { (window, fieldTime) = (FusionWindow(), time) }
      return
    }
    if !iron.isRepeated(measured, at: time) { window.field.add(attitude * field) }
  }

  /// The gyroscope knows that the board does not turn, whatever the field does.
  private var isStill: Bool {
    rest.isSteady && (rest.rate - offset).length < Self.leastTurn && errors.isBiasKnown(to: Self.leastTurn)
  }

  private mutating func begin(north field: Vector3) {
    let field = field - attitude * carriedIron
    guard hypot(field.x, field.y) > Self.leastHorizontal else { return }
    hasNorth = true
    let turn = Quaternion(rotation: Vector3(0, 0, atan2(field.x, field.y)))
    attitude = turn * attitude
    window.field.turn(turn)
    turnedByField += atan2(field.x, field.y)
    iron.begin()
    changed.restart()
    errors.begin(yawDeviation: Angle.radians(settings.startYaw))
    stated.begin(caution: settings.caution)
    board.followed.begin()
    (turned, missed) = (TurnedField(), MissedTurn())
  }

  /// Takes the mean field of a window in the frame.
  private mutating func correct(field whole: Vector3, noise: Double) {
    let matrix = attitude.matrix
    let offWhole = iron.off(whole)
    guard !hasMissedTurn(whole, off: offWhole, matrix, noise: noise) else {
      board.forget()
      return restart(afterMissAt: time)
    }
    let news = board.learn(
      field: whole, attitude: matrix, turnedByField: turnedByField, lean: errors.tiltVariance, off: offWhole,
      step: time - fieldTime,
      isTrusted: !missed.isSuspected && !tilted.isSuspected && time - unsettled > Self.settling)
    let field = whole - matrix * carriedIron
    let horizontal = hypot(field.x, field.y)
    if let news {
      turned.explain(-matrix.row0.dot(news.change) / max(horizontal, Self.leastHorizontal))
      errors.doubt(north: news.north * news.north)
      if news.isAnother { forgetUsual() }
    }
    guard horizontal > Self.leastHorizontal else { return }
    let (azimuth, step) = (atan2(field.x, field.y), time - fieldTime)
    fieldTime = time
    turned.add(azimuth: azimuth, isStill: isStill, seen: iron.seen, step: step)
    let ofMean = noise * noise / window.field.count
    let (strength, inclination) = (field.length, atan2(-field.z, horizontal))
    let disturbance = iron.add(
      strength: strength, inclination: inclination, noise: ofMean, turned: turned.turn,
      lean: errors.tiltVariance, step: step, isCarried: carriage.isCarried,
      travels: carriage.isStepping || stated.isPushed)
    let slope = iron.expectedField?.slope ?? 0
    let ironVariance = board.variance(along: matrix.row0) / (horizontal * horizontal)
    let variance = settings.noise(
      variance: disturbance.variance + ironVariance, correlation: settings.fieldCorrelation, step: step,
      off: azimuth, expected: errors.azimuthVariance(slope: slope), white: ofMean / (horizontal * horizontal))
    let off = iron.off(strength: strength, inclination: inclination)
    stated.add(azimuth: azimuth, off: off, noise: ofMean, expected: iron.expectedField, step: step)
    let gain = errors.azimuthGain(slope: slope, noise: variance)
    stated.mislead(by: disturbance.lasting, gain: gain)
    board.followed.follow(matrix.row0 / (iron.expectedField?.horizontal ?? horizontal), gain: gain)
    // Iron on the board keeps a field from turning as the board does: without a calibration that would pass for bias.
    let isSuspect = !iron.isExpected || turned.isSuspect && errors.isBiasKnown(to: Self.leastTurn)
    var change = errors.learn(azimuth: azimuth, slope: slope, noise: variance, tellsBias: !isSuspect)
    change.turn.z += board.followed.turnBack(after: step)
    turned.follow(change.turn.z)
    correct(change, turns: false)
    if let off { correct(inclination: off.inclination, noise: ofMean, step: step) }
  }

  /// The field of a window says for sure that the board has turned, and the gyroscope has missed it. Iron that has been made up
  /// to explain such a turn is none: where the field as it was measured is that of a large turn, it counts.
  private mutating func hasMissedTurn(
    _ whole: Vector3, off: CarriedIron.Misfit?, _ matrix: Matrix3, noise: Double
  ) -> Bool {
    let (variance, horizontal) = (noise * noise / window.field.count, iron.expectedField?.horizontal ?? 0)
    func isTurn(_ azimuth: Double, _ off: CarriedIron.Misfit?) -> Bool {
      MissedTurn.isTurn(azimuth: azimuth, off: off, noise: variance, horizontal: horizontal)
    }
    var azimuth = atan2(whole.x, whole.y)
    var isTurned = isTurn(azimuth, off)
    if carriedIron != .zero, !isTurned || abs(azimuth) <= MissedTurn.large {
      let field = whole - matrix * carriedIron
      azimuth = atan2(field.x, field.y)
      isTurned = isTurn(azimuth, iron.off(field))
    }
    return missed.isSure(azimuth: azimuth, isTurn: isTurned, rate: window.rate.length, step: time - fieldTime)
  }

  /// Takes what an inclination is off by, and the noise of one axis of its field: in radians times µT, and in µT².
  private mutating func correct(inclination off: Double, noise: Double, step: Double) {
    let expected = errors.variance(about: 0)
    guard let field = iron.expectedField, let bent = stated.inclinationVariance(expected: expected) else { return }
    let (lean, least) = (off / field.strength, settings.leastBend / field.strength)
    let variance = settings.noise(
      variance: least * least + bent, correlation: settings.fieldCorrelation, step: step, off: lean,
      expected: expected, white: noise / (field.strength * field.strength))
    let change = errors.learn(lean: 0, off: lean, noise: variance)
    pushes.follow(change.turn)
    correct(change, turns: true)
  }

  private mutating func correct(_ change: FusionErrors.Change, turns tilt: Bool) {
    let by = tilt ? change.turn : Vector3(0, 0, change.turn.z)
    if !tilt { turnedByField += change.turn.z }
    attitude = Quaternion(rotation: by) * attitude
    changed.follow(by)
    let moved = offset + change.bias
    offset = moved * min(1, GyroscopeRest.rawBiasLimit / moved.length)
  }

  private mutating func conclude(_ rate: Vector3) {
    let square = (180 / Double.pi) * (180 / Double.pi)
    let slope = iron.expectedField?.slope ?? 0
    let variances = stated.variances(of: errors, leanCaution: settings.leanCaution, slope: slope)
    let open = further.goesOn ? further.variance(in: attitude) : .zero
    let ofUp = slope * slope
    let missedVariance =
      missed.variance + changed.variance + (1 + ofUp) * tilted.variance + open.z + ofUp * open.y
    let left = attitude * board.left
    let known = min(1, hypot(left.x, left.y) / (iron.expectedField?.horizontal ?? .infinity))
    estimate = Estimate(
      attitude: attitude, turnedByField: turnedByField, rate: (rate - offset) * (180 / .pi),
      yawVariance: hasNorth ? (variances.north + board.northVariance + missedVariance) * square : nil,
      knownTurn: asin(known) * (180 / .pi),
      tiltVariance: (variances.tilt + tilted.variance + (open.x + open.y) / 2) * square,
      isAtRest: rest.isAtRest)
  }
}
