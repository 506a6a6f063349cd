import Core
import Glibc

/// The fit of one sweep as it goes from step to step.
struct SweepFit {
  let settings: CalibrationSettings
  /// What the field is expected to be, in µT.
  let strength: Double
  /// Scaled to µT where the unit is not known.
  var sweep: Sweep
  /// What raw values were multiplied with to become µT.
  var scale = 1.0
  /// Which measurements the fit uses.
  var used: [Bool]
  var ignored: [IgnoredStretch] = []
  var rests = Rests()
  var axes = AxisMap.assumed
  var problem: Problem
  var estimate: Estimate
  var refusal: CalibrationRefusal?
  /// What was solved.
  var kind = CalibrationQuality.Kind.normOnly
  /// Whether the rotation between the chips was fitted.
  var rotationIsSolved: Bool { kind == .full }
  /// What is up in the accelerometer's axes when the board is level.
  var level = Vector3(0, 0, 1)
  /// Of the angle between field and up where it was not fitted, in radians; nil without gravity.
  var angleSeen: Double?
  /// How many neighbours share one error.
  var correlation = 1.0
  let interval: Double

  /// Points for finding the valley, for walking down it, and for the end.
  private static let (fewPoints, somePoints, manyPoints) = (300, 600, 3000)
  /// A third of what counts as a change of the field, as a share of it: no board is a better ellipsoid than that.
  private static let leastChange = 0.006
  /// A sketch holds points picked by distance: neighbours in it are not neighbours in time, and rests come with it.
  let isSketch: Bool
  /// Where an earlier fit of the same sweep ended.
  var earlier: Parameters?

  init(sweep: Sweep, settings: CalibrationSettings, strength: Double, sketchRests: Rests? = nil) {
    self.sweep = sweep
    isSketch = sketchRests != nil
    rests = sketchRests ?? Rests()
    self.settings = settings
    self.strength = strength
    interval = sweep.interval
    used = [Bool](repeating: true, count: sweep.measurements.count)
    problem = Problem(raw: [], priors: Priors(place: settings.place))
    problem.priors.holdRotation()
    estimate = Estimate(parameters: Parameters(), equations: NormalEquations())
  }

  // MARK: The norm

  /// Hard iron, symmetric soft iron and strength; false when there is no answer.
  mutating func solveNorm() -> Bool {
    if let earlier {
      estimate.parameters = earlier
    } else {
      guard let start = start() else { return false }
      estimate.parameters = start
    }
    refine(points: Self.somePoints, iterations: 12)
    if isSketch { return true }
    let deviation = max(problem.deviation, Self.leastChange * strength)
    for _ in 0..<3 {
      guard cutDisturbances(deviation: deviation) else { break }
      refine(points: Self.somePoints, iterations: 8)
    }
    findRests()
    return true
  }

  private mutating func start() -> Parameters? {
    if settings.unitIsKnown, let impossible = Sanity.impossible(sweep.measurements, strength: strength) {
      refusal = impossible
      return nil
    }
    let step = max(1, sweep.measurements.count / Self.somePoints)
    let some = stride(from: 0, to: sweep.measurements.count, by: step).map { sweep.measurements[$0].raw }
    guard let rough = Starts.guesses(some, strength: strength).first else { return nil }
    if !settings.unitIsKnown {
      scale = strength / max(rough.radius, 1e-9)
      sweep = sweep.scaled(by: scale)
    }
    let few = sweep.measurements.map { $0.raw }.spread(over: Self.fewPoints, centre: rough.centre * scale)
      .without(where: { abs(($0 - rough.centre * scale).length - rough.radius * scale) > 0.35 * strength })
    problem.raw = few
    problem.sampleWeight = 1
    problem.deviation = 0.03 * strength
    let guesses = Starts.guesses(few, strength: strength)
    var best: Estimate?
    for guess in guesses where guess.centre.isFinite {
      var parameters = guess.parameters
      parameters.logStrength = problem.priors.mean[3]
      let candidate = problem.solved(from: parameters, iterations: 20, tolerance: 1e-3)
      if candidate.cost < best?.cost ?? .infinity { best = candidate }
      let isRound = guesses.count == 2 && candidate.cost < 0.5 * Double(few.count)
      if isRound { break }
    }
    return best?.parameters
  }

  /// Fits again with the noise that the residuals show.
  mutating func refine(points count: Int, iterations: Int) {
    let kept = sweep.kept(used).map { $0.raw }.spread(over: count, centre: estimate.parameters.hardIron)
    for _ in 0..<2 {
      problem.deviation = spreadOfResiduals(kept)
      problem.raw = withoutWild(kept)
      estimate = problem.solved(from: estimate.parameters, iterations: iterations)
    }
  }

  /// Without single points that are far off. The loss bears them, but where the directions lie to one side of the
  /// centre many of them together have leverage.
  private func withoutWild(_ raw: [Vector3]) -> [Vector3] {
    let model = NormModel(estimate.parameters, deviation: 1)
    let limit = max(6 * problem.deviation, 0.04 * strength)
    return raw.without(where: { abs(model.value($0)) > limit })
  }

  /// Robust standard deviation of the sensor-frame distances in µT.
  private func spreadOfResiduals(_ raw: [Vector3]) -> Double {
    let model = NormModel(estimate.parameters, deviation: 1)
    return max(1.4826 * median(raw.map { abs(model.value($0)) }), 0.02)
  }

  /// Residuals of all measurements in standard deviations.
  func residuals(deviation: Double? = nil) -> [Double] {
    let model = NormModel(estimate.parameters, deviation: deviation ?? problem.deviation)
    return sweep.measurements.map { model.value($0.raw) }
  }

  /// Marks runs of large residuals; false when there is nothing new. The deviation is the first fit's: what is left
  /// after a cut always looks tidier, and would be cut again.
  private mutating func cutDisturbances(deviation: Double) -> Bool {
    let residuals = residuals(deviation: deviation)
    let runs = Disturbance.runs(residuals, interval: interval)
    var mask = [Bool](repeating: true, count: residuals.count)
    var stretches: [IgnoredStretch] = []
    for run in runs {
      for index in run { mask[index] = false }
      let excess = run.map { abs(residuals[$0]) }.max() ?? 0
      stretches.append(
        IgnoredStretch(
          from: sweep.measurements[run.lowerBound].time, to: sweep.measurements[run.upperBound - 1].time,
          reason: .disturbed, excess: excess * deviation))
    }
    ignored = stretches
    guard mask != used, mask.filter({ $0 }).count >= Sanity.fewest else { return false }
    used = mask
    return true
  }

  // MARK: Rests and axes

  private mutating func findRests() {
    var finder = RestFinder()
    finder.strength = strength
    let start = sweep.measurements.first?.time ?? 0
    let isTimed = timeIsReal
    let model = NormModel(estimate.parameters, deviation: problem.deviation)
    for (index, measurement) in sweep.measurements.enumerated() where abs(model.value(measurement.raw)) < 6 {
      let time = isTimed ? measurement.time - start : Double(index) * interval
      if let rest = finder.add(measurement, time: time), isKept(rest, at: index) { rests.add(rest) }
    }
    if let rest = finder.finish(), isKept(rest, at: sweep.measurements.count - 1) { rests.add(rest) }
  }

  private var timeIsReal: Bool {
    let count = sweep.measurements.count
    guard let first = sweep.measurements.first, let last = sweep.measurements.last, count > 2 else { return false }
    return (last.time - first.time) / Double(count - 1) < 0.5 && last.time > first.time
  }

  /// A rest outside what was cut, and on the sphere.
  private func isKept(_ rest: Rest, at index: Int) -> Bool {
    let model = NormModel(estimate.parameters, deviation: 1)
    guard abs(model.value(rest.raw)) < max(4 * problem.deviation, 0.02 * strength) else { return false }
    let last = max(0, index - 1)
    return used[max(0, last - rest.count)...last].filter { !$0 }.count * 4 < rest.count
  }

  /// The axis map and the angle between field and up.
  mutating func solveAxes() {
    let centre = estimate.parameters.hardIron
    let attitudes = rests.attitudes(centre: centre)
    let pairs = attitudes.count >= Rests.needed ? attitudes.compactMap { pair($0.raw, $0.force) } : movingPairs()
    guard !pairs.isEmpty else { return }
    if settings.findsAxes { axes = AxisMap.found(pairs, inclination: settings.place?.inclination) }
    angleSeen = median(pairs.map { (axes.matrix * $0.field).angle(to: $0.up) })
  }

  private func pair(_ raw: Vector3, _ force: Vector3?) -> DirectionPair? {
    let p = estimate.parameters
    guard let up = force?.direction, let field = (p.stretch * (raw - p.hardIron)).direction else { return nil }
    return DirectionPair(field: field, up: up)
  }

  /// Moving gravity is good enough to tell axes apart.
  private func movingPairs() -> [DirectionPair] {
    let quiet = sweep.kept(used).filter { abs(($0.force?.length ?? 0) - 1) < 0.15 }
    let step = max(1, quiet.count / 200)
    return stride(from: 0, to: quiet.count, by: step).compactMap { pair(quiet[$0].raw, quiet[$0].force) }
  }

  // MARK: Everything

  /// All parameters that the data carry, on many points, with the covariance that their correlation allows.
  mutating func solveAll() {
    problem.axes = axes.matrix
    let centre = estimate.parameters.hardIron
    let kept = sweep.kept(used).map { $0.raw }
    problem.raw = kept.spread(over: Self.manyPoints, centre: centre)
    if let angleSeen {
      estimate.parameters.angle = angleSeen
      problem.priors.mean[Parameters.angleIndex] = angleSeen
    }
    problem.deviation = spreadOfResiduals(problem.raw)
    problem.raw = withoutWild(problem.raw)
    if !isSketch { correlation = Correlation.time(of: residuals(), used: used) }
    problem.sampleWeight = 1 / max(1, correlation * Double(problem.raw.count) / Double(max(kept.count, 1)))
    guard isRound else {
      solveLevel()
      return
    }
    guard rests.sufficeForRotation(centre: centre), solveRotation() else {
      finish()
      return
    }
  }

  /// Directions enough for a calibration that holds in every attitude, and not in one plane.
  var isRound: Bool { coverage.percent >= Coverage.least && !isFlat }

  /// The directions lie nearly in a plane through the centre, or in a narrow cap.
  var isFlat: Bool {
    let directions = directions
    let mean = directions.reduce(Vector3.zero, +) / Double(max(directions.count, 1))
    let moments = Matrix3.moments(directions.map { $0 - mean }) * (1 / Double(max(directions.count, 1)))
    guard let axes = SymmetricMatrix.axes(of: moments) else { return true }
    return axes.values.x < 0.01
  }

  private var coverage: Coverage { Coverage(directions) }

  /// Of the field in the magnetometer's axes, one of each measurement used.
  private var directions: [Vector3] {
    let p = estimate.parameters
    return sweep.kept(used).compactMap { (p.stretch * ($0.raw - p.hardIron)).direction }
  }

  /// Hard iron, soft iron, angle and rotation together; false, and nothing changed, where the rests do not carry it.
  private mutating func solveRotation() -> Bool {
    let held = problem
    problem.priors = Priors(place: settings.place)
    if let angleSeen { problem.priors.mean[Parameters.angleIndex] = angleSeen }
    expectInclination()
    problem.rests = rests.attitudes(centre: estimate.parameters.hardIron)
    let before = estimate
    finish()
    if let covariance = estimate.equations.matrix.inverse {
      let largest = (0..<3).map { covariance[Parameters.rotationIndex + $0, Parameters.rotationIndex + $0] }.max() ?? 1
      if largest.squareRoot() < Angle.radians(1.2) {
        kind = .full
        return true
      }
    }
    problem = held
    estimate = before
    return false
  }

  mutating func expectInclination() {
    guard let place = settings.place else { return }
    let sign: Double = axes.accelerometerIsReversed ? -1 : 1
    problem.priors.expectAngle(Angle.radians(90 + sign * place.inclination))
  }

  mutating func finish() {
    estimate = problem.solved(from: estimate.parameters, iterations: 10)
  }
}

/// How long errors last.
enum Correlation {
  /// How many measurements in a row share one error: 1 for white noise (the integrated autocorrelation time).
  static func time(of residuals: [Double], used: [Bool]) -> Double {
    let clipped = zip(residuals, used).map { $0.1 ? max(-3, min(3, $0.0)) : 0 }
    let power = clipped.reduce(0) { $0 + $1 * $1 }
    guard power > 0 else { return 1 }
    var sum = 1.0
    for lag in 1...min(100, max(1, clipped.count / 10)) {
      var product = 0.0
      for index in lag..<clipped.count { product += clipped[index] * clipped[index - lag] }
      let share = product / power
      if share < 0.05 { break }
      sum += 2 * share
    }
    return sum
  }
}
