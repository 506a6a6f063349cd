import Core
import Glibc

// A board that cannot be tilted, in a boat or a car, or was not. Its fields lie on a circle, and every centre on the
// circle's axis serves: what decides is how strong the field is (the place, or 48 µT within a third), and how the angle
// between field and gravity changes with the little tilt there was. The same estimator does it, all priors in force, with
// gravity taken from the whole turn at a low weight; the rotation about the vertical stays unknown. What it gives is
// judged, and labelled, for a few degrees of tilt only.

extension SweepFit {
  /// Degrees of tilt that a level calibration is judged for.
  static let levelTilt = 5.0
  /// A board that strays farther from one attitude was not level.
  private static let levelRange = 15.0
  private static let sectors = 12
  private static let neededSectors = 10
  /// Of the angle between field and apparent gravity in a slow turn, in radians.
  private static let turningDeviation = 0.02
  private static let mostTurning = 60

  /// A level calibration where the board stayed level and turned round; otherwise what the norm alone gave stays.
  mutating func solveLevel() {
    guard let up = meanUp() else {
      finish()
      return
    }
    level = up
    problem.rests = turningGravity(up: up)
    problem.priors = Priors(place: settings.place)
    let deviation = Angle.radians(Judgement.ordinaryMisalignment)
    for axis in 0..<3 { problem.priors.deviation[Parameters.rotationIndex + axis] = deviation }
    if axes.basis == .gravity { axes = .assumed }
    problem.axes = axes.matrix
    expectInclination()
    var best: Estimate?
    for guess in Starts.guesses(problem.raw, strength: strength) where guess.centre.isFinite {
      var parameters = guess.parameters
      parameters.logStrength = problem.priors.mean[3]
      parameters.angle = median(
        problem.rests.map { (problem.axes * ($0.raw - parameters.hardIron)).angle(to: $0.up) })
      if problem.rests.isEmpty { parameters.angle = problem.priors.mean[Parameters.angleIndex] }
      let candidate = problem.solved(from: parameters, iterations: 30)
      if candidate.cost + doubt(candidate) < best.map({ $0.cost + doubt($0) }) ?? .infinity { best = candidate }
    }
    if let best { estimate = best }
    if goesRound(up: up) { kind = .level }
    if angleSeen != nil { angleSeen = estimate.parameters.angle }
  }

  /// Without a place the field is taken to dip downwards, as it does for most people.
  private func doubt(_ estimate: Estimate) -> Double {
    settings.place == nil && estimate.parameters.angle < .pi / 2 ? 4 : 0
  }

  /// What is up on average, when nine tenths of the sweep keep to it; without an accelerometer the face.
  private func meanUp() -> Vector3? {
    let ups = sweep.kept(used).compactMap { $0.force?.direction }
    guard !ups.isEmpty else { return Vector3(0, 0, 1) }
    guard let mean = ups.reduce(Vector3.zero, +).direction else { return nil }
    let near = ups.filter { $0.angle(to: mean) < Angle.radians(Self.levelRange) }.count
    return Double(near) > 0.9 * Double(ups.count) ? mean : nil
  }

  /// Means over the steady moments of a turn, evenly from the whole sweep: where the specific force keeps within
  /// 0.03 g for 0.3 s. A walker's steps, which tilt the board and apparent gravity in time with each other, give none.
  private func turningGravity(up: Vector3) -> [Rest] {
    let size = max(3, Int(0.3 / interval))
    let points = sweep.kept(used)
    let steady = stride(from: 0, through: points.count - size, by: size).compactMap {
      Self.steadyMoment(points[$0..<$0 + size])
    }
    let step = max(1, steady.count / Self.mostTurning)
    return stride(from: 0, to: steady.count, by: step).map { steady[$0] }
  }

  private static func steadyMoment(_ block: ArraySlice<Measurement>) -> Rest? {
    let forces = block.compactMap { $0.force }
    guard forces.count == block.count, let first = block.first, let last = block.last else { return nil }
    let third = forces.count / 3
    let parts = (0..<3).map { part in
      forces[part * third..<(part + 1) * third].reduce(Vector3.zero, +) / Double(third)
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
  private func goesRound(up: Vector3) -> Bool {
    let correction = estimate.parameters.correction(axes: problem.axes)
    let across = up.cross(abs(up.x) < 0.7 ? Vector3(1, 0, 0) : Vector3(0, 1, 0))
    guard let a = across.direction else { return false }
    let b = up.cross(a)
    var met = Set<Int>()
    for measurement in sweep.kept(used) {
      let field = correction.softIron * (measurement.raw - correction.hardIron)
      met.insert(
        Int(Angle.wrapped(degrees: Angle.degrees(atan2(field.dot(b), field.dot(a)))) * Double(Self.sectors) / 360))
    }
    return met.count >= Self.neededSectors
  }
}
