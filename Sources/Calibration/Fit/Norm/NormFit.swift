import LodestoneCore

/// The input of a fit.
struct FitInput {
  let settings: CalibrationSettings
  /// The expected strength of the field, in µT.
  let strength: Double
  var sweep: Sweep
  /// The sketch of a sweep that is still being made; nil for a whole one.
  var sketch: Sketch?
  /// The parameters at which an earlier fit of the same sweep ended, in µT; nil where the start is to be looked for.
  var earlier: Parameters?
  /// Whether the sweep's rows are means over positions held, which are no neighbours in time.
  var isHeld = false
  /// The causes whose effects were subtracted from the sweep; nil for none.
  var causes: CauseFit?
  /// The drift of the offset that was taken off it; nil for none.
  var drift: Drift?
  /// Whether stretches in which the field changed are left out.
  var cutsDisturbances = true

  /// Points picked by distance, with what was found on the way: neighbours in it are not neighbours in time.
  struct Sketch {
    let rests: Rests
  }
}

/// The first stage: hard iron, symmetric soft iron and strength from the norm alone, and what of the sweep is to be
/// used.
struct NormFit {
  let settings: CalibrationSettings
  /// The expected strength of the field, in µT.
  let strength: Double
  /// Scaled to µT where the unit is not known.
  private(set) var sweep: Sweep
  /// The factor from raw values to µT.
  private(set) var scale = 1.0
  /// The measurements that the fit uses.
  private(set) var used: [Bool]
  /// The measurements in use.
  private(set) var kept: [SweepPoint]
  /// Stretches of time that it does not use.
  private(set) var ignored: [IgnoredStretch] = []
  /// Seconds between measurements.
  let interval: Double
  var problem: Problem
  var estimate: Estimate
  /// Whether it begins where a search for a drift ended.
  private var hasStart = false

  /// Points for finding the valley, and for walking down it.
  private static let (fewPoints, somePoints) = (300, 600)
  /// A third of what counts as a change of the field, as a share of it: no board is a better ellipsoid than that.
  private static let leastChange = 0.006

  /// Fits the norm; throws what makes it senseless.
  init(_ input: FitInput) throws(CalibrationRefusal) {
    settings = input.settings
    strength = input.strength
    sweep = input.sweep
    interval = sweep.interval
    used = [Bool](repeating: true, count: sweep.measurements.kept.count)
    kept = sweep.measurements.kept
    problem = Problem(raw: [], priors: Priors(place: settings.place))
    problem.priors.holdRotation()
    problem.priors.holdForce()
    estimate = Estimate(parameters: Parameters())
    hasStart = input.drift != nil
    if settings.unitIsKnown, let earlier = input.earlier {
      estimate.parameters = earlier
    } else {
      estimate.parameters = try start()
    }
    refine(iterations: 12)
    if input.sketch == nil, !input.isHeld, input.cutsDisturbances { cutDisturbances() }
  }

  /// A stage whose end is known beforehand.
  init(_ input: FitInput, known parameters: Parameters) {
    settings = input.settings
    strength = input.strength
    sweep = input.sweep
    interval = sweep.interval
    used = [Bool](repeating: true, count: sweep.measurements.kept.count)
    kept = sweep.measurements.kept
    problem = Problem(raw: kept.map { $0.raw }, priors: Priors(place: settings.place))
    estimate = Estimate(parameters: parameters)
  }

  // MARK: The start

  private mutating func start() throws(CalibrationRefusal) -> Parameters {
    let measurements = sweep.measurements.kept
    if settings.unitIsKnown, let impossible = Sanity.impossible(measurements, strength: strength) { throw impossible }
    let step = max(1, measurements.count / Self.somePoints)
    let some = stride(from: 0, to: measurements.count, by: step).map { measurements[$0].raw }
    guard let rough = Starts.guesses(some, strength: strength).first else { throw .noSolution }
    if !settings.unitIsKnown {
      scale = strength / max(rough.radius, 1e-9)
      sweep = sweep.scaled(by: scale)
      kept = sweep.measurements.kept
    }
    let few = sweep.measurements.kept.map { $0.raw }.spread(over: Self.fewPoints, centre: rough.centre * scale)
      .without(where: { abs(($0 - rough.centre * scale).length - rough.radius * scale) > 0.35 * strength })
    problem.raw = few
    problem.sampleWeight = 1
    problem.deviation = 0.03 * strength
    guard let best = bestValley(from: Starts.guesses(few, strength: strength)) else { throw .noSolution }
    return best.parameters
  }

  private func bestValley(from guesses: [SphereGuess]) -> Estimate? {
    var best: Estimate?
    for guess in guesses where guess.centre.isFinite {
      var parameters = guess.parameters
      parameters.logStrength = problem.priors.mean[3]
      let candidate = problem.solved(from: parameters, iterations: 20, tolerance: 1e-3)
      if candidate.cost < best?.cost ?? .infinity { best = candidate }
      let isRound = guesses.count == 2 && candidate.cost < 0.5 * Double(problem.raw.count)
      if isRound { break }
    }
    return best
  }

  // MARK: Noise and disturbance

  /// Fits again with the noise that the residuals show.
  private mutating func refine(iterations: Int) {
    let some = kept.map { $0.raw }.spread(over: Self.somePoints, centre: estimate.parameters.hardIron)
    // The norm of a flat sweep goes on and on along a valley: from where the search for a drift ended a few steps do.
    let tolerance = hasStart && Self.isFlat(some.compactMap(direction)) ? 1e-3 : 1e-5
    for _ in 0..<2 {
      problem.deviation = spreadOfResiduals(some)
      problem.raw = withoutWild(some)
      estimate = problem.solved(from: estimate.parameters, iterations: iterations, tolerance: tolerance)
    }
  }

  /// The points without single ones that are far off. The loss bears them, but where the directions lie to one side of
  /// the centre many of them together have leverage.
  func withoutWild(_ raw: [Vector3]) -> [Vector3] { raw.without(where: isWild) }

  /// Rows of a sweep without single fields that are far off.
  func withoutWild(_ points: [SweepPoint]) -> [SweepPoint] {
    let isWild = isWild
    return points.without(where: { isWild($0.raw) })
  }

  private var isWild: (Vector3) -> Bool {
    let model = NormModel(estimate.parameters, deviation: 1)
    let limit = max(6 * problem.deviation, 0.04 * strength)
    return { abs(model.value($0)) > limit }
  }

  /// Robust standard deviation of the sensor-frame distances in µT.
  func spreadOfResiduals(_ raw: [Vector3]) -> Double {
    let model = NormModel(estimate.parameters, deviation: 1)
    return max(1.4826 * median(raw.map { abs(model.value($0)) }), 0.02)
  }

  /// Residuals of all measurements in standard deviations.
  func residuals(deviation: Double? = nil) -> [Double] {
    let model = NormModel(estimate.parameters, deviation: deviation ?? problem.deviation)
    return sweep.measurements.kept.map { model.value($0.raw) }
  }

  /// Leaves out runs of large residuals, until there are no new ones. What counts as large is the first fit's: what is
  /// left after a cut always looks tidier, and would be cut again.
  private mutating func cutDisturbances() {
    let deviation = max(problem.deviation, Self.leastChange * strength)
    for _ in 0..<3 {
      guard cutRuns(deviation: deviation) else { return }
      refine(iterations: 8)
    }
  }

  private mutating func cutRuns(deviation: Double) -> Bool {
    let (residuals, measurements) = (residuals(deviation: deviation), sweep.measurements.kept)
    let runs = Disturbance.runs(residuals, interval: interval)
    var mask = [Bool](repeating: true, count: residuals.count)
    for run in runs { for index in run { mask[index] = false } }
    ignored = runs.map { run in
      IgnoredStretch(
        from: measurements[run.lowerBound].time, to: measurements[run.upperBound - 1].time,
        reason: IgnoredStretch.disturbed, excess: (run.map { abs(residuals[$0]) }.max() ?? 0) * deviation)
    }
    guard mask != used, mask.filter({ $0 }).count >= Sanity.fewest else { return false }
    used = mask
    kept = sweep.kept(mask)
    return true
  }

  /// The share of the measurements that is not used.
  var leftOut: Double { 1 - Double(kept.count) / Double(max(used.count, 1)) }

  // MARK: Directions

  /// The unit direction of a raw field in the magnetometer's axes, hard and soft iron removed.
  func direction(of raw: Vector3) -> Vector3? {
    let p = estimate.parameters
    return (p.stretch * (raw - p.hardIron)).direction
  }

  /// Whether there are directions enough for a calibration that holds in every attitude, and not in one plane.
  var isRound: Bool {
    let directions = kept.compactMap { direction(of: $0.raw) }
    return Coverage(directions).percent >= Coverage.least && !Self.isFlat(directions)
  }

  /// Whether there are directions enough beside rests that settle the rotation, which tell of the strength, too.
  var isWide: Bool {
    let directions = kept.compactMap { direction(of: $0.raw) }
    return Coverage(directions).percent >= Self.leastBesideRests && !Self.isFlat(directions)
  }

  /// Percent of the directions that suffice beside such rests.
  private static let leastBesideRests = 25.0

  /// Whether the directions lie nearly in a plane through the centre, or in a narrow cap.
  var isFlat: Bool { Self.isFlat(kept.compactMap { direction(of: $0.raw) }) }

  /// Whether the board was turned about one axis alone: up stayed, or went through a plane; without an accelerometer,
  /// the field did.
  var hasOneAxis: Bool {
    let ups = kept.compactMap { $0.force?.direction }
    guard ups.count * 2 > kept.count else { return Self.isPlane(kept.map { $0.raw }, within: 0.08, still: 0) }
    return Self.isPlane(ups, within: 0.12, still: 0.15)
  }

  /// Whether the spread of some vectors across a plane is this share of that along it, or all of it less than `still`.
  private static func isPlane(_ vectors: [Vector3], within share: Double, still: Double) -> Bool {
    let count = Double(max(vectors.count, 1))
    let mean = vectors.reduce(Vector3.zero, +) / count
    guard let axes = SymmetricMatrix.axes(of: Matrix3.moments(vectors.lazy.map { $0 - mean })) else { return true }
    let (least, most) = (max(axes.values.x / count, 0).squareRoot(), (axes.values.z / count).squareRoot())
    return most < still || least < share * most
  }

  private static func isFlat(_ directions: [Vector3]) -> Bool {
    let share = 1 / Double(max(directions.count, 1))
    let mean = directions.reduce(Vector3.zero, +) * share
    guard let axes = SymmetricMatrix.axes(of: Matrix3.moments(directions.lazy.map { $0 - mean }) * share) else {
      return true
    }
    return axes.values.x < 0.01
  }
}
