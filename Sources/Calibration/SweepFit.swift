import Core
import Glibc

/// The fit of one sweep as it goes from step to step.
struct SweepFit {
  let settings: CalibrationSettings
  /// What the field is expected to be, in µT.
  let strength: Double
  /// Scaled to µT where the unit is not known.
  private(set) var sweep: Sweep
  /// What raw values were multiplied with to become µT.
  private(set) var scale = 1.0
  /// Which measurements the fit uses.
  private(set) var used: [Bool]
  private(set) var ignored: [IgnoredStretch] = []
  private(set) var rests = Rests()
  private(set) var axes = AxisMap.assumed
  private(set) var problem: Problem
  private(set) var estimate: Estimate
  private(set) var refusal: CalibrationRefusal?
  /// Whether the rotation between the chips was fitted.
  private(set) var rotationIsSolved = false
  /// Of the angle between field and up where it was not fitted, in radians; nil without gravity.
  private(set) var angleSeen: Double?
  /// How many neighbours share one error.
  private(set) var correlation = 1.0
  let interval: Double

  /// Points for finding the valley, for walking down it, and for the end.
  private static let (fewPoints, somePoints, manyPoints) = (300, 600, 3000)

  init(sweep: Sweep, settings: CalibrationSettings, strength: Double) {
    self.sweep = sweep
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
    guard let start = start() else { return false }
    estimate.parameters = start
    refine(points: Self.somePoints, iterations: 12)
    for _ in 0..<3 {
      guard cutDisturbances() else { break }
      refine(points: Self.somePoints, iterations: 8)
    }
    findRests()
    return true
  }

  private mutating func start() -> Parameters? {
    var points = sweep.measurements.map { $0.raw }
    guard let rough = Starts.guesses(points, strength: strength).first else { return nil }
    if !settings.unitIsKnown {
      scale = strength / max(rough.radius, 1e-9)
      sweep = sweep.scaled(by: scale)
      points = sweep.measurements.map { $0.raw }
    }
    let few = points.spread(over: Self.fewPoints, centre: rough.centre * scale)
    problem.raw = few
    problem.sampleWeight = 1
    problem.deviation = 0.03 * strength
    var best: Estimate?
    for guess in Starts.guesses(few, strength: strength) {
      guard guess.centre.isFinite else { continue }
      var parameters = guess.parameters
      parameters.logStrength = problem.priors.mean[3]
      let candidate = problem.solved(from: parameters, iterations: 20)
      if candidate.cost < best?.cost ?? .infinity { best = candidate }
    }
    return best?.parameters
  }

  /// Fits again with the noise that the residuals show.
  private mutating func refine(points count: Int, iterations: Int) {
    let kept = sweep.kept(used).map { $0.raw }
    problem.raw = kept.spread(over: count, centre: estimate.parameters.hardIron)
    for _ in 0..<2 {
      problem.deviation = spreadOfResiduals(problem.raw)
      estimate = problem.solved(from: estimate.parameters, iterations: iterations)
    }
  }

  /// Robust standard deviation of the sensor-frame distances in µT.
  private func spreadOfResiduals(_ raw: [Vector3]) -> Double {
    let model = NormModel(estimate.parameters, deviation: 1)
    return max(1.4826 * median(raw.map { abs(model.value($0)) }), 0.02)
  }

  /// Residuals of all measurements in standard deviations.
  func residuals() -> [Double] {
    let model = NormModel(estimate.parameters, deviation: problem.deviation)
    return sweep.measurements.map { model.value($0.raw) }
  }

  /// Marks runs of large residuals; false when there is nothing new.
  private mutating func cutDisturbances() -> Bool {
    let residuals = residuals()
    let runs = Disturbance.runs(residuals, interval: interval)
    var mask = [Bool](repeating: true, count: residuals.count)
    var stretches: [IgnoredStretch] = []
    for run in runs {
      for index in run { mask[index] = false }
      let excess = run.map { abs(residuals[$0]) }.max() ?? 0
      stretches.append(
        IgnoredStretch(
          from: sweep.measurements[run.lowerBound].time, to: sweep.measurements[run.upperBound - 1].time,
          reason: .disturbed, excess: excess * problem.deviation))
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
    for (index, measurement) in sweep.measurements.enumerated() {
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
    let step = max(1, quiet.count / 400)
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
    problem.deviation = spreadOfResiduals(kept)
    correlation = Correlation.time(of: residuals(), used: used)
    weightSamples(of: kept.count)
    if rests.sufficeForRotation(centre: centre) { solveRotation() } else { finish() }
  }

  private mutating func weightSamples(of total: Int) {
    problem.sampleWeight = 1 / max(1, correlation * Double(problem.raw.count) / Double(max(total, 1)))
  }

  private mutating func solveRotation() {
    let held = problem
    problem.priors = Priors(place: settings.place)
    if let angleSeen { problem.priors.mean[Parameters.angleIndex] = angleSeen }
    if let place = settings.place {
      let sign: Double = axes.accelerometerIsReversed ? -1 : 1
      problem.priors.expectAngle(Angle.radians(90 + sign * place.inclination))
    }
    problem.rests = rests.attitudes(centre: estimate.parameters.hardIron)
    let before = estimate
    finish()
    if let covariance = estimate.equations.matrix.inverse {
      let largest = (0..<3).map { covariance[Parameters.rotationIndex + $0, Parameters.rotationIndex + $0] }.max() ?? 1
      rotationIsSolved = largest.squareRoot() < Angle.radians(1.2)
    }
    guard !rotationIsSolved else { return }
    problem = held
    estimate = before
    finish()
  }

  private mutating func finish() {
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
