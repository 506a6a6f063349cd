import LodestoneCore

// The gyroscope carries the attitude: equation (1) of `Fusion`.

extension Fusion {
  /// Seconds for which the rates of a board that sways are alike.
  private static let swayCorrelation = 1.0
  /// A turn of the frame by a zero that has changed past which the attitude is found anew, in radians.
  private static let lostByZero = Angle.radians(10)

  /// Turns from one rate to the next, each with its time. A gap is one in which samples were lost: those of a board
  /// that always takes its time lie on a line, and leave open what they may have missed.
  mutating func turn(
    from before: (value: Vector3, time: Double), to now: (value: Vector3, time: Double), for step: Double
  ) {
    lost.add(from: before.time, to: now.time)
    guard step <= LostSamples.gap || !lost.areLost(in: step) else {
      return bridge(from: before, to: now, for: step)
    }
    let omega = lost.meanRate(from: before.value, to: now.value, for: step) - offset
    turn(by: omega, for: step)
    turns.add(omega, for: step)
    guard step > LostSamples.gap else { return }
    unsettle(by: turns.unsure(from: before.value, to: now.value, for: step, share: settings.gapShare))
  }

  /// Takes a rate: at the end of the range the board turns further than that says.
  mutating func turnFurther(_ omega: Vector3, for step: Double) {
    if isLeast {
      let missed = further.add(omega, for: step)
      attitude = (attitude * Quaternion(rotation: missed.turn)).normalized
      unsettle(by: missed.variance)
      unsettled = time
    } else {
      if further.goesOn { forgetLeans(for: further.variance * 2) }
      further.end(omega, for: step)
    }
  }

  /// Where up is less sure than it was before, by a turn of this variance about each axis, what pushed until then leans
  /// against another up. How the board is pushed stays known where pushes that last are more than that.
  private mutating func forgetLeans(for variance: Vector3) {
    let largest = max(variance.x, variance.y, variance.z)
    guard largest > errors.largestTiltVariance else { return }
    if largest < pushes.lastingVariance { pushes.restart() } else { pushes.forget() }
    stated.bridge()
    board.restart()
    (unsettled, figures) = (time, nil)
  }

  /// The attitude has turned by nobody knows what: of this variance about each axis of the board, in rad².
  private mutating func unsettle(by variance: Vector3) {
    changed.restart()
    let matrix = attitude.matrix
    errors.turn(covariance: matrix * Matrix3(diagonal: variance) * matrix.transposed)
    figures = nil
  }

  mutating func turn(by omega: Vector3, for step: Double) {
    attitude = (attitude * Quaternion(rotation: omega * step)).normalized
    window.turn(omega, step: step)
  }

  /// Takes a rate in radians per second. Where it turns out to be held, all that it turned by is taken back.
  mutating func take(rate new: Vector3, isLeast: Bool, force: Vector3?, field: Vector3?, at now: Double) {
    held.add(new, attitude: attitude, before: rate)
    if hasNorth, !isLeast, held.isFound(force: force, field: field, attitude: attitude, bias: offset, at: now),
      let before = held.before
    {
      (attitude, rate, time) = (held.attitude, before, before.time)
    }
    if !held.isHeld { (rate, self.isLeast) = ((new, now), isLeast) }
  }

  // MARK: Gaps

  /// The longest gap that an attitude is carried over, in seconds.
  private static let longestGap = 6.0
  /// One standard deviation of the rate at which a board turns about any axis in a gap past the longest step, whatever
  /// it did before, in radians per second; and that of up past which it is found anew, in radians.
  private static let (unknownTurn, lostUp) = (Angle.radians(5), Angle.radians(18))

  /// The attitude of before a gap of so many seconds says more after it than forces and fields alone: in a vehicle a
  /// force leans that up would be set to, and beside steel a field is turned.
  func isCarried(over gap: Double, from rate: Vector3) -> Bool {
    guard isKnown, gap < Self.longestGap, lost.areLost(in: gap) else { return false }
    let (open, matrix) = (across(gap, from: rate, to: rate).variance, attitude.matrix)
    let tilt = max(matrix.row0.squares.dot(open), matrix.row1.squares.dot(open))
    return errors.largestTiltVariance + tilt < Self.lostUp * Self.lostUp
      && tilt < max(pushes.lastingVariance, fieldVariance)
  }

  /// Up and north have been found.
  private var isKnown: Bool { isLevel && hasNorth && settling == nil }

  /// The rate over a gap and the variance of the turn by it, from and to rates as they were measured.
  private func across(
    _ gap: Double, from before: Vector3, to after: Vector3
  ) -> (rate: Vector3, variance: Vector3) {
    let turn = turns.across(from: before - offset, to: after - offset, for: gap, share: settings.gapShare)
    let unknown = gap < Self.longestStep ? 0 : Self.unknownTurn * Self.unknownTurn * gap * gap
    return (turn.rate, turn.variance + Vector3(1, 1, 1) * unknown)
  }

  /// Rates are missing beside forces and fields: the attitude is about where the board turned to before, and the next
  /// rate will tell how far it has turned.
  mutating func carryOn(_ rate: (value: Vector3, time: Double), at now: Double) {
    let (gap, before) = (now - rate.time, attitude)
    guard isKnown, gap < Self.longestStep else {
      estimate = nil
      return
    }
    let ahead = across(gap, from: rate.value, to: rate.value)
    attitude = (before * Quaternion(rotation: ahead.rate * (now - time))).normalized
    conclude(rate.value, open: ahead.variance)
    attitude = before
  }

  /// Turns over a gap: for a part of it the rate before may have been held, beside a field or a force.
  private mutating func bridge(
    from before: (value: Vector3, time: Double), to now: (value: Vector3, time: Double), for step: Double
  ) {
    let gap = max(step, now.time - before.time)
    let turned = across(gap, from: before.value, to: now.value)
    turns.bridge()
    turn(by: turned.rate, for: step)
    forgetLeans(for: turned.variance)
    unsettle(by: turned.variance)
    guard gap >= Self.longestStep else { return }
    // What is measured from here on is no mean over the gap.
    age()
    window = FusionWindow()
  }

  mutating func age() {
    let before = errors.yawVariance
    let yaw = settings.yawWander(isCarried: carriage.isCarried, seen: iron.seen)
    errors.age(
      by: window.span, attitude: attitude,
      turn: settings.wander(
        turning: attitude * window.rate, gains: gainVariance, shaking: pushes.shaking + carriage.bumping, yaw: yaw),
      bias: settings.biasWander * settings.biasWander)
    stated.grow(from: before, to: errors.yawVariance, caution: settings.caution(wandering: yaw))
  }

  mutating func learnBias(_ step: Double) {
    let noise = (settings.restNoise * settings.restNoise + 2 * Self.swayCorrelation * rest.sway) / step
    for axis in 0..<3 {
      correct(errors.learn(bias: axis, off: rest.rate[axis] - offset[axis], noise: noise), turns: true)
    }
  }

  /// Takes a zero that has changed. The attitude is off by what that has turned it by since, and found anew where that
  /// is much.
  mutating func lookForChangedZero() {
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
    // A wrong attitude turns the Earth's field off as iron does: what was learnt meanwhile as usual is none.
    forgetUsual()
    guard change.turn < Self.lostByZero else { return restart(at: time) }
    unsettle(by: Vector3(1, 1, 1) * (change.turn * change.turn))
    pushes.forget()
    stated.bridge()
    unsettled = time
  }
}
