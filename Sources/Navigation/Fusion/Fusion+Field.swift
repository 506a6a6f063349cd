import Calibration
import LodestoneCore
import Glibc

// The field says where north is: the second half of equation (2) of `Fusion`.

extension Fusion {
  /// Seconds in which an attitude is found again that has turned by nobody knows what: until then a field tells of no
  /// iron.
  private static let settling = 2.0
  /// A turn that a gyroscope sees whose bias is known, in radians per second.
  private static let leastTurn = Angle.radians(0.4)
  /// The least field across up that tells north, in µT.
  private static let leastHorizontal = 1.0

  /// Takes the field of a sample into the window; the first one says at once where north is. One that may not turn
  /// north still tells a slow turn from a rest.
  mutating func take(field: Vector3, measured: Vector3, noise: Double) {
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
  @inline(__always)
  private var isStill: Bool {
    rest.isSteady && (rest.rate - offset).length < Self.leastTurn && errors.isBiasKnown(to: Self.leastTurn)
  }

  mutating func begin(north field: Vector3) {
    let field = field - attitude * carriedIron
    let horizontal = hypot(field.x, field.y)
    guard horizontal > Self.leastHorizontal else { return }
    hasNorth = true
    let turn = Quaternion(rotation: Vector3(0, 0, atan2(field.x, field.y)))
    attitude = turn * attitude
    window.field.turn(turn)
    turnedByField += atan2(field.x, field.y)
    iron.begin()
    changed.restart()
    errors.begin(yawDeviation: Angle.radians(settings.startYaw))
    stated.begin(caution: settings.caution)
    board.followed.follow(
      turn * field, attitude: attitude.matrix, horizontal: iron.expectedField?.horizontal ?? horizontal, gain: 1)
    (turned, missed, figures) = (TurnedField(), MissedTurn(), nil)
  }

  /// Takes the mean field of a window in the frame.
  mutating func correct(field whole: Vector3, noise: Double) {
    let matrix = attitude.matrix
    let offWhole = iron.off(whole)
    guard !hasMissedTurn(whole, off: offWhole, matrix, noise: noise) else {
      board.forget()
      return restart(afterMissAt: time)
    }
    let step = time - fieldTime
    // Seconds that the field of a window tells of: one after a gap is no mean over all of that.
    let span = min(step, Self.longestStep)
    let news = board.learn(
      field: whole, attitude: matrix, turnedByField: turnedByField, lean: errors.tiltVariance, off: offWhole,
      step: span,
      isTrusted: !missed.isSuspected && !tilted.isSuspected && time - unsettled > Self.settling)
    let field = whole - matrix * carriedIron
    let horizontal = hypot(field.x, field.y)
    if let news {
      turned.explain(-matrix.row0.dot(news.change) / max(horizontal, Self.leastHorizontal))
      errors.doubt(north: news.north * news.north)
      if news.isAnother { forgetUsual() }
    }
    guard horizontal > Self.leastHorizontal else { return }
    let azimuth = atan2(field.x, field.y)
    fieldTime = time
    turned.add(azimuth: azimuth, isStill: isStill, seen: iron.seen, step: step)
    let ofMean = noise * noise / window.field.count
    let (strength, inclination) = (field.length, atan2(-field.z, horizontal))
    let disturbance = iron.add(
      strength: strength, inclination: inclination, noise: ofMean, turned: turned.turn,
      lean: errors.tiltVariance, step: span, isCarried: carriage.isCarried,
      travels: carriage.isStepping || stated.isPushed)
    let slope = iron.expectedField?.slope ?? 0
    let ironVariance = board.variance(along: matrix.row0) / (horizontal * horizontal)
    fieldVariance = disturbance.variance + ironVariance
    let variance = settings.noise(
      variance: fieldVariance, correlation: settings.fieldCorrelation, step: step, off: azimuth,
      expected: errors.azimuthVariance(slope: slope), white: ofMean / (horizontal * horizontal))
    let off = iron.off(strength: strength, inclination: inclination)
    stated.add(azimuth: azimuth, off: off, noise: ofMean, expected: iron.expectedField, step: span)
    let gain = errors.azimuthGain(slope: slope, noise: variance)
    stated.mislead(by: disturbance.lasting, gain: gain)
    board.followed.follow(
      field, attitude: matrix, horizontal: iron.expectedField?.horizontal ?? horizontal, gain: gain)
    // Iron on the board keeps a field from turning as the board does: without a calibration that would pass for bias.
    let isSuspect = !iron.isExpected || turned.isSuspect && errors.isBiasKnown(to: Self.leastTurn)
    var change = errors.learn(azimuth: azimuth, slope: slope, noise: variance, tellsBias: !isSuspect)
    change.turn.z += board.followed.turnBack(after: step)
    turned.follow(change.turn.z)
    correct(change, turns: false)
    if let off { correct(inclination: off.inclination, noise: ofMean, step: step) }
  }

  /// The field of a window says for sure that the board has turned, and the gyroscope has missed it. Iron that has been
  /// made up to explain such a turn is none: where the field as it was measured is that of a large turn, it counts.
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
    // A field after a gap shows no turn that lasts.
    let step = time - fieldTime < Self.longestStep ? time - fieldTime : window.span
    return missed.isSure(azimuth: azimuth, isTurn: isTurned, rate: window.rate.length, step: step)
  }

  /// Takes what an inclination is off by, and the noise of one axis of its field: in radians times µT, and in µT².
  mutating func correct(inclination off: Double, noise: Double, step: Double) {
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
}
