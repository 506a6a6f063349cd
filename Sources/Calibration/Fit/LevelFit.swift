import LodestoneCore
import Glibc

// A board that cannot be tilted, in a boat or a car, or was not. Its fields lie on a circle, and every centre on the
// circle's axis serves: what decides is how strong the field is (the place, or 48 µT within a third), and how the angle
// between field and gravity changes with the little tilt there was. The same estimator does it, all priors in force, with
// gravity taken from the whole turn at a low weight; the rotation about the vertical stays unknown. What it gives is
// judged, and labelled, for a few degrees of tilt only.

extension ParameterFit {
  /// Degrees of tilt that a level calibration is judged for.
  static let levelTilt = 5.0
  /// A board that strays farther from one attitude was not level.
  private static let levelRange = 15.0
  private static let sectors = 12
  private static let neededSectors = 10
  /// Standard deviation of the angle between field and apparent gravity in a slow turn, in radians.
  private static let turningDeviation = 0.02
  private static let mostTurning = 60
  /// The least share of its cost that a step of a walk gains, where another walk follows.
  private static let rough = 1e-3
  /// The deepest valley is looked for with one of this many moments.
  private static let fewer = 3

  /// A level calibration where the board stayed level and turned round, the same parameters without that name where it
  /// did not turn round; false, and nothing changed, where it was not level.
  ///
  /// A level turn says nothing about the axes: they are the ones known beforehand, or as they come.
  mutating func solveLevel(_ norm: NormFit, _ gravity: GravityFinding) -> Bool {
    guard let up = Self.meanUp(norm, hasForce: gravity.hasForce) else { return false }
    level = up
    axes = norm.settings.knownAxes ?? .assumed
    problem.axes = axes.matrix
    problem.rests = gravity.hasForce ? Self.turningGravity(norm) : []
    problem.priors = Priors(place: norm.settings.place)
    problem.priors.holdForce()
    let deviation = Angle.radians(Judgement.ordinaryMisalignment)
    for axis in 0..<3 { problem.priors.deviation[Parameters.rotationIndex + axis] = deviation }
    problem.expectInclination(norm.settings.place, axes: axes)
    let all = problem.raw
    problem.raw = all.spread(over: 300, centre: estimate.parameters.hardIron)
    let share = Double(all.count) / Double(max(problem.raw.count, 1))
    problem.sampleWeight *= share
    estimate = problem.solved(from: deepest(norm), iterations: 25)
    (problem.raw, problem.sampleWeight) = (all, problem.sampleWeight / share)
    finish()
    if goesRound(norm.kept, up: up) { kind = .level }
    angle = problem.rests.isEmpty ? nil : estimate.parameters.angle
    return true
  }

  /// The start in the deepest valley: a few of the moments show it, and soon.
  private func deepest(_ norm: NormFit) -> Parameters {
    let guesses = Starts.guesses(problem.raw, strength: norm.strength).filter { $0.centre.isFinite }
    let (few, hasPlace) = (problem.thinned(Self.fewer), norm.settings.place != nil)
    let candidates = guesses.map { few.solved(from: start(from: $0), iterations: 5) }
    let best = candidates.min { Self.cost(of: $0, hasPlace: hasPlace) < Self.cost(of: $1, hasPlace: hasPlace) }
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

  /// Without a place the field is taken to dip downwards, as it does for most people: what little a level board was tilted
  /// tells less of it than the angles of its chips hide.
  private static func cost(of estimate: Estimate, hasPlace: Bool) -> Double {
    estimate.cost + (!hasPlace && estimate.parameters.angle < .pi / 2 ? upward : 0)
  }

  /// Ten standard deviations.
  private static let upward = 100.0

  /// The mean direction of up, nil unless nine tenths of the sweep lie near it; without an accelerometer the face.
  fileprivate static func meanUp(_ norm: NormFit, hasForce: Bool) -> Vector3? {
    let ups = hasForce ? norm.kept.compactMap { $0.force?.direction } : []
    guard !ups.isEmpty else { return Vector3(0, 0, 1) }
    guard let mean = ups.reduce(Vector3.zero, +).direction else { return nil }
    let near = ups.filter { $0.angle(to: mean) < Angle.radians(levelRange) }.count
    return Double(near) > 0.9 * Double(ups.count) ? mean : nil
  }

  /// Means over the steady moments of a turn, evenly from the whole sweep: where the specific force keeps within
  /// 0.03 g for 0.3 s. A walker's steps, which tilt the board and apparent gravity in time with each other, give none.
  private static func turningGravity(_ norm: NormFit) -> [Rest] {
    let size = Sweep.count(of: 0.3, every: norm.interval, atLeast: 3)
    let points = norm.kept
    let steady = stride(from: 0, through: points.count - size, by: size).compactMap {
      steadyMoment(points[$0..<$0 + size])
    }
    let step = max(1, steady.count / mostTurning)
    return stride(from: 0, to: steady.count, by: step).map { steady[$0] }
  }

  private static func steadyMoment(_ block: ArraySlice<SweepPoint>) -> Rest? {
    let forces = block.compactMap { $0.force }
    guard forces.count == block.count, let first = block.first, let last = block.last else { return nil }
    let third = forces.count / 3
    let parts = (0..<3).map { (part: Int) -> Vector3 in
      let sum = forces[part * third..<(part + 1) * third].reduce(Vector3.zero, +)
      return sum / Double(third)
    }
    for axis in 0..<3 {
      let values = parts.map { $0[axis] }
      guard let low = values.min(), let high = values.max(), high - low < 0.03 else { return nil }
    }
    let count = Double(block.count)
    let force = forces.reduce(Vector3.zero, +) / count
    guard let up = force.direction, abs(force.length - 1) < 0.1 else { return nil }
    return Rest(
      raw: block.map { $0.raw }.reduce(Vector3.zero, +) / count, force: force, up: up, from: first.time,
      to: last.time, count: block.count, scatter: 0, extraDeviation: turningDeviation)
  }

  /// Whether the field came from all round.
  private func goesRound(_ kept: [SweepPoint], up: Vector3) -> Bool {
    let correction = estimate.parameters.correction(axes: problem.axes)
    let across = up.cross(abs(up.x) < 0.7 ? Vector3(1, 0, 0) : Vector3(0, 1, 0))
    guard let a = across.direction else { return false }
    let b = up.cross(a)
    var met = Set<Int>()
    for measurement in kept {
      let field = correction.softIron * (measurement.raw - correction.hardIron)
      let around = Angle.wrapped(degrees: Angle.degrees(atan2(field.dot(b), field.dot(a))))
      if around.isFinite { met.insert(Int(around * Double(Self.sectors) / 360)) }
    }
    return met.count >= Self.neededSectors
  }
}

extension NormFit {
  /// A board that stayed level did not go all round either: how it turned says nothing about the axes.
  var isLevel: Bool { !isRound && ParameterFit.meanUp(self, hasForce: true) != nil }
}
