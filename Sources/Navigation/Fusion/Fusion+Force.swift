import LodestoneCore

// The force says where up is: the first half of equation (2) of `Fusion`.

extension Fusion {
  /// Noise and small pushes of one axis of a force, at least, in g.
  private static let forceNoise = 0.01
  /// A bias that is known to this, in radians per second, makes no turn of a board at rest.
  private static let knownTurn = Angle.radians(1)

  /// Sets up to a force, where that can tell it: the beginning.
  mutating func level(_ force: Vector3) {
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

  /// Sets up to the mean force since the beginning. A board that is shaken as it begins needs some seconds of it; north
  /// is looked for anew then, and after a gap found in the same window: no line has another north with a new up.
  mutating func settle(_ first: FirstForce, _ force: Vector3, _ step: Double) {
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

  /// Takes the force of a sample into the window. One that comes again while the board turns is an old one, as far as
  /// it is known that it turns.
  mutating func take(force: Vector3) {
    let isOld = repeatedForce.isStuck(force, attitude: attitude, noise: Self.forceNoise)
    guard !isOld || !errors.isBiasKnown(to: Self.knownTurn) else { return }
    window.lastForce = force
    window.force.add(attitude * force)
  }

  /// Takes the mean force of a window in the frame.
  mutating func correct(force: Vector3) {
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
}
