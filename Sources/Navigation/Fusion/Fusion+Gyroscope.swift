import LodestoneCore

// The gyroscope carries the attitude: equation (1) of `Fusion`.

extension Fusion {
  /// Seconds for which the rates of a board that sways are alike.
  private static let swayCorrelation = 1.0
  /// Seconds without a sample past which a rate is not taken to have lasted.
  private static let gap = 0.12
  /// A turn of the frame by a zero that has changed past which the attitude is found anew, in radians.
  private static let lostByZero = Angle.radians(10)

  /// Turns from one rate to the next, each with its time. A gap is one in which samples were lost: those of a board
  /// that always takes its time lie on a line, and leave open what they may have missed.
  mutating func turn(
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
  mutating func turnFurther(_ omega: Vector3, for step: Double) {
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

  /// Where up is less sure than it was before, by a turn of this variance about each axis, what pushed until then leans
  /// against another up.
  private mutating func forgetPushes(for variance: Vector3) {
    guard max(variance.x, variance.y, variance.z) > errors.largestTiltVariance else { return }
    pushes.restart()
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

  /// Turns over a gap.
  mutating func bridge(from before: Vector3, to after: Vector3, for step: Double) {
    let gap = turns.bridge(from: before - offset, to: after - offset, for: step, share: settings.gapShare)
    turn(by: gap.rate, for: step)
    forgetPushes(for: gap.variance)
    unsettle(by: gap.variance)
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
    pushes.restart()
    stated.bridge()
    unsettled = time
  }
}
