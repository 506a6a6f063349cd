import LodestoneCore

/// A sweep's fit, stage by stage: what the judgement is made on.
struct SweepFit {
  let input: FitInput
  let norm: NormFit
  private(set) var gravity: GravityFinding
  private(set) var solved: ParameterFit
  /// Whether the instrument was held in positions.
  var isHeld: Bool { input.isHeld }

  /// Goes through all stages; throws what makes a fit senseless.
  init(_ input: FitInput) throws(CalibrationRefusal) { self = try SweepFit(normOf: input).withGravity }

  /// The first stage alone.
  init(normOf input: FitInput) throws(CalibrationRefusal) {
    self.input = input
    norm = try NormFit(input)
    gravity = GravityFinding(axes: .assumed, hasForce: false)
    solved = ParameterFit(kind: .normOnly, problem: norm.problem, estimate: norm.estimate, axes: .assumed)
  }

  /// The other stages on top of the first.
  var withGravity: SweepFit {
    var fit = self
    fit.gravity = GravityFinding(norm, sketch: input.sketch)
    fit.solved = ParameterFit(norm, fit.gravity, isSketch: input.sketch != nil)
    return fit
  }

  /// The fit of an instrument that was held in positions.
  init(_ input: FitInput, _ held: HeldPositions) throws(CalibrationRefusal) {
    var input = input
    input.sweep = input.sweep.replacingMeasurements(with: held.points)
    input.isHeld = true
    self.input = input
    norm = try NormFit(input)
    gravity = GravityFinding(norm, held: held)
    solved = ParameterFit(held: norm, gravity)
  }

  /// The fit that refines an earlier calibration.
  init(_ input: FitInput, touchingUp earlier: EarlierCalibration) throws(CalibrationRefusal) {
    self.input = input
    let touchUp = try TouchUp(earlier, input.sweep)
    norm = NormFit(input, known: touchUp.parameters)
    gravity = GravityFinding(
      axes: earlier.axes, hasForce: input.sweep.measurements.kept.contains { $0.force != nil })
    solved = ParameterFit(touchUp, norm, axes: earlier.axes)
  }

  /// The fit of a board that stood still under a known heading.
  init(_ input: FitInput, facing: KnownHeading) throws(CalibrationRefusal) {
    self.input = input
    let fit = try FacingFit(facing, input.settings, input.sweep)
    norm = NormFit(input, known: fit.parameters)
    gravity = GravityFinding(axes: fit.axes, hasForce: true)
    solved = ParameterFit(fit, norm)
  }

  /// The findings of how the field turns by the gyroscope; nil where there is none, or the field does not turn as it
  /// says.
  var turning: VectorFinding? { input.sketch == nil && !isHeld ? VectorFinding(norm) : nil }

  /// The fit of the sweep by its gyroscope.
  func turned(by finding: VectorFinding) -> SweepFit {
    var fit = self
    let movingZero = gravity.hasForce ? norm.movingZero(axes: finding.fit.axes.matrix) : nil
    fit.solved = ParameterFit(finding, norm, hasForce: gravity.hasForce, movingZero: movingZero)
    return fit
  }

  /// Rests settled the rotation between the chips.
  var isSettledByRests: Bool { kind == .full && method == nil && !solved.restsAreFew }

  /// The fits with the rotation that the gyroscope shows, alone and with rests too few to settle it; empty where it
  /// shows none.
  var aligned: [SweepFit] {
    var alone = withoutFewRests ?? self
    let isSwept = isRound && input.sketch == nil && !isHeld
    guard isSwept, alone.kind == .normOnly, gravity.hasForce, gravity.doubtfulSpread == nil, let turn = ChipTurn(alone)
    else { return [] }
    alone.solved.align(by: turn, movingZero: movingZero)
    guard solved.restsAreFew else { return [alone] }
    var rested = self
    rested.solved = ParameterFit(norm, gravity, isSketch: false, turn: turn)
    return [alone, rested]
  }

  /// The fit without rests too few to settle the rotation; nil where there are none such.
  var withoutFewRests: SweepFit? {
    guard solved.restsAreFew else { return nil }
    var fit = self
    fit.solved = ParameterFit(norm, gravity, isSketch: input.sketch != nil, countsFewRests: false)
    return fit
  }

  /// How far the offset went during the sweep, in µT; 0 for one that stayed.
  var drifted: Double { max(input.drift?.distance ?? 0, solved.drifted) }

  var settings: CalibrationSettings { input.settings }
  var sweep: Sweep { norm.sweep }
  var kind: CalibrationQuality.Kind { solved.kind }
  var method: CalibrationQuality.Method? { solved.method }
  var problem: Problem { solved.problem }
  var estimate: Estimate { solved.estimate }
  var axes: AxisMap { solved.axes }
  /// The factor from raw values to µT.
  var scale: Double { norm.scale }
  /// The correction from raw fields in µT to the field in the accelerometer's axes.
  var correction: Correction { estimate.parameters.correction(axes: axes.matrix) }
  /// Attitudes held still; stations, where positions were held.
  var positions: Int {
    isHeld ? gravity.rests.all.count : gravity.rests.distinct(centre: estimate.parameters.hardIron)
  }
  /// Whether the field came from all sides, as far as the end of the fit sees it.
  var isRound: Bool { final.isRound }
  /// Whether the directions lie nearly in a plane.
  var isFlat: Bool { final.isFlat }
  /// Whether the board was turned about one axis alone.
  var hasOneAxis: Bool { final.hasOneAxis }

  /// The norm's stage with the parameters of the end.
  private var final: NormFit {
    var final = norm
    final.estimate = estimate
    final.problem.deviation = problem.deviation
    return final
  }
}

// MARK: Figures

extension SweepFit {
  /// Standard deviation of one axis of a raw measurement: from the scatter within rests, or else from the residuals.
  var noise: Double {
    let scatters = gravity.rests.all.map { $0.scatter }.filter { $0 > 0 }
    return scatters.count >= 3 ? min(median(scatters), problem.deviation) : problem.deviation
  }

  /// Root mean square in µT by which the field's strength in rests is off the model, beyond noise: a rest averages
  /// noise away, and so shows a field that differs from place to place. 0 with too few rests.
  var unevenness: Double {
    let model = NormModel(estimate.parameters, deviation: 1)
    let attitudes = gravity.rests.attitudes(centre: estimate.parameters.hardIron)
    guard attitudes.count >= 4, !isHeld else { return 0 }
    var squares = 0.0
    for rest in attitudes {
      let off = model.value(rest.raw)
      squares += off * off - 2 * noise * noise / Double(max(rest.count, 1))
    }
    return max(squares / Double(attitudes.count) - Self.evenField * Self.evenField, 0).squareRoot()
  }

  /// Angle from up to the field in radians from the whole sweep, good enough for a prediction; nil without an
  /// accelerometer.
  var meanAngle: Double? { gravity.hasForce ? norm.meanAngle(axes: gravity.axes.matrix) : nil }

  /// The accelerometer's zero as the swing shows it; nil where it shows none, and for a sweep that is still being made.
  var movingZero: MovingZero? {
    gravity.hasForce && input.sketch == nil ? norm.movingZero(axes: gravity.axes.matrix) : nil
  }

  /// The unevenness of the most even field, in µT.
  private static let evenField = 0.04

  /// How much of the sweep's motion was left out, 0 to 1: by the way the field went, for a board that lies beside iron
  /// before and after a clean sweep takes nothing from it.
  var ignoredShare: Double {
    let (measurements, used) = (sweep.measurements.kept, norm.used)
    let step = Sweep.count(of: 0.2, every: norm.interval, atLeast: 1)
    var (left, all) = (0.0, 0.0)
    for index in stride(from: step, to: used.count, by: step) {
      let way = (measurements[index].raw - measurements[index - step].raw).length
      guard way > 6 * problem.deviation else { continue }
      all += way
      if !used[index] { left += way }
    }
    return all > 0 ? left / all : 0
  }

  /// Root mean square of the distances from the model in µT, wild measurements left out.
  var residual: Double {
    var (sum, count) = (0.0, 0.0)
    for (value, isUsed) in zip(final.residuals(), norm.used) where isUsed && abs(value) < 6 {
      sum += value * value
      count += 1
    }
    return problem.deviation * (sum / max(count, 1)).squareRoot()
  }

  /// The factors that bring the magnetometer's parameters to raw values in the unit they came in.
  var rescaling: [Double] {
    (0..<Parameters.fieldCount).map { index in
      index < 3 ? 1 / scale : (4..<Parameters.normCount).contains(index) ? scale : 1
    }
  }

  /// The correction for raw values in the unit they came in.
  func rescaled(_ correction: Correction) -> Correction {
    scale == 1
      ? correction : Correction(hardIron: correction.hardIron / scale, softIron: correction.softIron * scale)
  }
}

/// Every third rest against a fit that has not seen it.
enum HoldOut {
  /// Root mean square angle residual in degrees; nil where too few rests would remain.
  static func degrees(_ fit: SweepFit) -> Double? {
    var problem = fit.problem
    let rests = problem.rests
    guard rests.count >= Rests.needed else { return nil }
    problem.rests = rests.enumerated().filter { $0.offset % 3 != 2 }.map { $0.element }
    problem.raw = problem.raw.spread(over: 300, centre: fit.estimate.parameters.hardIron)
    problem.sampleWeight *= Double(fit.problem.raw.count) / Double(max(problem.raw.count, 1))
    let estimate = problem.solved(from: fit.estimate.parameters, iterations: 6)
    let model = GravityModel(estimate.parameters, axes: problem.axes)
    let angles = rests.enumerated().filter { $0.offset % 3 == 2 }.map {
      model.residual($0.element, angleDeviation: 1, lengthDeviation: 1).angle
    }
    guard !angles.isEmpty else { return nil }
    return Angle.degrees((angles.reduce(0) { $0 + $1 * $1 } / Double(angles.count)).squareRoot())
  }
}
