import LodestoneCore
import Glibc

// A board that cannot be tilted, in a boat or a car, or was not. Its fields lie on a circle, and every centre on the
// circle's axis serves: what decides is how strong the field is (the place, or 48 µT within a third), and how the angle
// between field and gravity changes with the little tilt there was. The same estimator does it, all priors in force,
// with gravity taken from the whole turn at a low weight; the rotation about the vertical stays unknown. Its fields are
// means over a third of a second: the norm takes the noise of single ones for turns that tell of the centre. Whether
// that is above or below the circle comes from the place or from the wobble (LevelWobble). What it gives is judged, and
// labelled, for a few degrees of tilt only; for one where neither tells.

extension ParameterFit {
  /// Degrees of tilt that a level calibration is judged for, and one that does not know whether the field dips down or
  /// up.
  static let (levelTilt, openTilt) = (5.0, 1.0)
  /// Degrees of tilt that this level calibration is judged for.
  var tiltLimit: Double { signIsOpen ? Self.openTilt : Self.levelTilt }
  /// A board that strays farther from one attitude was not level.
  private static let levelRange = 15.0
  private static let sectors = 12
  private static let neededSectors = 10
  /// Standard deviation of the angle between field and apparent gravity in a slow turn, in radians.
  private static let turningDeviation = 0.02
  private static let mostTurning = 60
  /// Seconds of a moment that a mean is taken over.
  private static let moment = 0.3
  /// The least share of its cost that a step of a walk gains, where another walk follows.
  private static let rough = 1e-3
  /// The deepest valley is looked for with one of this many moments.
  private static let fewer = 3
  /// The vertical part of a field, as a share of its horizontal one, whose sign hardly matters to a level board.
  private static let flat = 0.3

  /// A level calibration where the board stayed level and turned round, the same parameters without that name where it
  /// did not turn round; false, and nothing changed, where it was not level.
  ///
  /// A level turn says nothing about the axes: they are the ones known beforehand, or as they come.
  mutating func solveLevel(_ norm: NormFit, _ gravity: GravityFinding) -> Bool {
    guard let up = Self.meanUp(norm, hasForce: gravity.hasForce) else { return false }
    level = up
    axes = norm.settings.knownAxes ?? .assumed
    problem.axes = axes.matrix
    let moments = Self.moments(norm)
    let steady = gravity.hasForce ? moments.compactMap { Self.steady($0) } : []
    let step = max(1, steady.count / Self.mostTurning)
    problem.rests = stride(from: 0, to: steady.count, by: step).map { steady[$0] }
    problem.priors = Priors(place: norm.settings.place)
    problem.priors.holdForce()
    let deviation = Angle.radians(Judgement.ordinaryMisalignment)
    for axis in 0..<3 { problem.priors.deviation[Parameters.rotationIndex + axis] = deviation }
    problem.expectInclination(norm.settings.place, axes: axes)
    problem.raw = moments.map { $0.mean { $0.raw } }
    problem.sampleWeight = Double(norm.kept.count) / correlation / Double(max(moments.count, 1))
    let wobble = LevelWobble(steady, estimate.parameters.correction(axes: problem.axes), level: up)
    let hasPlace = norm.settings.place != nil
    solve(Starts.guesses(problem.raw, strength: norm.strength), side: hasPlace ? nil : side(wobble))
    if goesRound(norm.kept, up: up) { kind = .level }
    signIsOpen = gravity.hasForce && !hasPlace && leavesOpen(wobble)
    lean = LevelLean(
      steady.map { $0.turned(by: problem.axes) }, turns: LevelTurn(norm.kept).turns,
      centre: problem.axes * estimate.parameters.hardIron, up: up, strength: norm.strength)
    angle = problem.rests.isEmpty || signIsOpen ? nil : estimate.parameters.angle
    return true
  }

  // MARK: The side of the centre

  /// Where the centre is: above the circle, under which the field then points, or below it.
  private enum Side {
    case above, below

    func holds(_ parameters: Parameters) -> Bool { (parameters.angle >= .pi / 2) == (self == .above) }
  }

  /// The side that a wobble tells. Where it tells none the field is taken to dip downwards, as it does for most people:
  /// towards what a reversed accelerometer takes for up.
  private func side(_ wobble: LevelWobble?) -> Side {
    guard let wobble, wobble.isSure else { return axes.accelerometerIsReversed ? .below : .above }
    return wobble.down > 0 ? .above : .below
  }

  /// Whether the field may dip either way, by an angle that matters.
  private func leavesOpen(_ wobble: LevelWobble?) -> Bool {
    let (vertical, horizontal) = (verticalField, estimate.parameters.strength * sin(estimate.parameters.angle))
    guard let wobble else { return true }
    return !wobble.isSure && max(abs(vertical), wobble.most) > Self.flat * horizontal
  }

  /// Along up, in µT.
  private var verticalField: Double { estimate.parameters.strength * cos(estimate.parameters.angle) }

  /// The parameters of the same circle with the centre on its other side.
  private func mirrored(_ parameters: Parameters) -> Parameters {
    let height = 2 * parameters.strength * cos(parameters.angle)
    guard let inverse = parameters.correction(axes: problem.axes).softIron.inverse else { return parameters }
    var other = parameters
    other.hardIron += inverse * level * height
    other.angle = .pi - parameters.angle
    return other
  }

  /// The covariance that not knowing the side adds, either being as likely: half the square of how far the other one
  /// is.
  private var sideCovariance: SymmetricMatrix {
    let there = mirrored(estimate.parameters).values
    let off = zip(there, estimate.parameters.values).map { $0 - $1 }
    var covariance = SymmetricMatrix(size: Parameters.count)
    for i in off.indices { for j in off.indices { covariance[i, j] = off[i] * off[j] / 2 } }
    return covariance
  }

  /// The covariance that a level turn leaves open: which side the centre is on, and how far up leans.
  var openCovariance: SymmetricMatrix {
    var covariance = leanCovariance
    if signIsOpen { covariance.add(sideCovariance) }
    return covariance
  }

  /// The covariance that a lean of up adds: a turn of unknown size about each horizontal axis.
  private var leanCovariance: SymmetricMatrix {
    var covariance = SymmetricMatrix(size: Parameters.count)
    let variance = pow(lean?.deviation ?? 0, 2)
    for i in 0..<3 {
      for j in 0..<3 {
        let (row, column) = (Parameters.rotationIndex + i, Parameters.rotationIndex + j)
        covariance[row, column] = variance * ((i == j ? 1 : 0) - level[i] * level[j])
      }
    }
    return covariance
  }

  // MARK: The walk

  /// Walks down from the start in the deepest valley, or the deepest on one side: a few of the moments show it, and
  /// soon.
  private mutating func solve(_ guesses: [SphereGuess], side: Side?) {
    let (all, weight) = (problem.raw, problem.sampleWeight)
    problem.raw = all.spread(over: 300, centre: estimate.parameters.hardIron)
    problem.sampleWeight = weight * Double(all.count) / Double(max(problem.raw.count, 1))
    estimate = problem.solved(from: deepest(guesses, side: side), iterations: 25)
    (problem.raw, problem.sampleWeight) = (all, weight)
    finish()
    guard let side, !side.holds(estimate.parameters) else { return }
    estimate.parameters = mirrored(estimate.parameters)
    finish()
  }

  private func deepest(_ guesses: [SphereGuess], side: Side?) -> Parameters {
    let few = problem.thinned(Self.fewer)
    let starts = guesses.filter { $0.centre.isFinite }.map { start(from: $0) }
    let candidates = starts.flatMap { [$0, mirrored($0)] }.map { few.solved(from: $0, iterations: 5) }
    let there = candidates.filter { side?.holds($0.parameters) ?? true }
    let best = (there.isEmpty ? candidates : there).min { $0.cost < $1.cost }
    return best.map { few.solved(from: $0.state, iterations: 20, tolerance: Self.rough).state } ?? estimate.parameters
  }

  private func start(from guess: SphereGuess) -> Parameters {
    var parameters = guess.parameters
    parameters.logStrength = problem.priors.mean[3]
    parameters.angle =
      problem.rests.isEmpty
      ? problem.priors.mean[Parameters.angleIndex]
      : median(problem.rests.map { (problem.axes * ($0.raw - parameters.hardIron)).angle(to: $0.up) })
    return parameters
  }

  // MARK: Moments

  /// The mean direction of up, nil unless nine tenths of the sweep lie near it; without an accelerometer the face.
  fileprivate static func meanUp(_ norm: NormFit, hasForce: Bool) -> Vector3? {
    let ups = hasForce ? norm.kept.compactMap { $0.force?.direction } : []
    guard !ups.isEmpty else { return Vector3(0, 0, 1) }
    guard let mean = ups.reduce(Vector3.zero, +).direction else { return nil }
    let near = ups.filter { $0.angle(to: mean) < Angle.radians(levelRange) }.count
    return Double(near) > 0.9 * Double(ups.count) ? mean : nil
  }

  /// The turn cut into moments, and where it has gaps.
  private static func moments(_ norm: NormFit) -> [ArraySlice<SweepPoint>] {
    let size = Sweep.count(of: moment, every: norm.interval, atLeast: 1)
    let points = norm.withoutWild(norm.kept)
    var moments: [ArraySlice<SweepPoint>] = []
    var first = 0
    for index in points.indices where index + 1 - first >= size || isGap(points, after: index) {
      moments.append(points[first...index])
      first = index + 1
    }
    return moments
  }

  private static func isGap(_ points: [SweepPoint], after index: Int) -> Bool {
    index + 1 >= points.count || abs(points[index + 1].time - points[index].time) > moment
  }

  /// The mean over a moment where the specific force keeps within 0.03 g, nil elsewhere. A walker's steps, which tilt
  /// the board and apparent gravity in time with each other, give none.
  private static func steady(_ moment: ArraySlice<SweepPoint>) -> Rest? {
    let forces = moment.compactMap { $0.force }
    guard forces.count == moment.count, forces.count >= 3, let first = moment.first, let last = moment.last else {
      return nil
    }
    let third = forces.count / 3
    let parts = (0..<3).map { (part: Int) -> Vector3 in
      let sum = forces[part * third..<(part + 1) * third].reduce(Vector3.zero, +)
      return sum / Double(third)
    }
    for axis in 0..<3 {
      let values = parts.map { $0[axis] }
      guard let low = values.min(), let high = values.max(), high - low < 0.03 else { return nil }
    }
    let force = moment.mean { $0.force ?? .zero }
    guard let up = force.direction, abs(force.length - 1) < 0.1 else { return nil }
    return Rest(
      raw: moment.mean { $0.raw }, force: force, up: up, from: first.time, to: last.time, count: moment.count,
      scatter: 0, extraDeviation: turningDeviation)
  }

  /// Whether the field came from all round.
  private func goesRound(_ kept: [SweepPoint], up: Vector3) -> Bool {
    let correction = estimate.parameters.correction(axes: problem.axes)
    guard let (a, b) = up.plane else { return false }
    var met = Set<Int>()
    for measurement in kept {
      let field = correction.softIron * (measurement.raw - correction.hardIron)
      let around = Angle.wrapped(degrees: Angle.degrees(atan2(field.dot(b), field.dot(a))))
      if around.isFinite { met.insert(Int(around * Double(Self.sectors) / 360)) }
    }
    return met.count >= Self.neededSectors
  }
}

extension SweepFit {
  /// Root mean square in µT by which the circle of a level turn bends slowly, beyond noise: a third of a second
  /// averages noise away, and so shows a field that differs from place to place. Strength and angle to up count, as
  /// each is blind to some of it. 0 for a sweep that is still being made, whose points are no neighbours in time.
  var circleUnevenness: Double {
    guard input.sketch == nil else { return 0 }
    let (parameters, problem) = (estimate.parameters, problem)
    let (norm, gravity) = (NormModel(parameters, deviation: 1), GravityModel(parameters, axes: problem.axes))
    let byStrength = Self.slowVariance(problem.raw.map { norm.value($0) })
    let byAngle = Self.slowVariance(
      problem.rests.map { gravity.residual($0, angleDeviation: 1, lengthDeviation: 1).angle })
    let even = hypot(Self.evenCircle, Self.evenByNoise * problem.deviation)
    let squares = byStrength + byAngle * parameters.strength * parameters.strength
    return max(squares - even * even, 0).squareRoot()
  }

  /// The bend in µT that a circle shows in an even field, and the share of the sensor's noise that counts as none.
  private static let (evenCircle, evenByNoise) = (0.1, 0.15)

  /// The variance of values about their mean, less that of neighbours about each other: noise is in both.
  private static func slowVariance(_ values: [Double]) -> Double {
    guard values.count > 3 else { return 0 }
    let mean = values.reduce(0, +) / Double(values.count)
    let whole = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    let quick = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) / 2 }
    return max(whole - quick / Double(values.count - 1), 0)
  }
}

extension NormFit {
  /// A board that stayed level did not go all round either: how it turned says nothing about the axes.
  var isLevel: Bool { !isRound && ParameterFit.meanUp(self, hasForce: true) != nil }
}

extension Rest {
  /// The rest with its field in other axes.
  fileprivate func turned(by map: Matrix3) -> Rest {
    var turned = self
    turned.raw = map * raw
    return turned
  }
}

extension ArraySlice<SweepPoint> {
  fileprivate func mean(_ value: (SweepPoint) -> Vector3) -> Vector3 {
    reduce(.zero) { $0 + value($1) } / Double(Swift.max(count, 1))
  }
}
