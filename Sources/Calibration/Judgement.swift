import Core
import Glibc

// The verdict: not how small the residuals are but how wrong a heading may be.
//
// C = (JᵀWJ + prior)⁻¹, with the samples counted by the correlation of their residuals and the rests by their scatter,
// is carried to heading over all headings and tilts. That root mean square times 1.5, and at least 0.2° for what no
// model holds, is the predicted heading error. A rotation between the chips that could not be solved enters with the
// size it has on ordinary boards; an accelerometer whose length at rest varies is not trusted beyond that.

/// The judgement on a fit.
struct Judgement {
  /// Standard deviation about each axis, in degrees, by which chips on ordinary boards are turned.
  static let ordinaryMisalignment = 1.05
  private static let inflation = 1.5
  private static let floor = 0.2
  private static let tilts = [0.0, 10, 20, 30]
  /// By which the length of the specific force differs from rest to rest in a hand, in g.
  private static let tremor = 0.0015
  /// tan(tilt), of the tilts judged, root mean square.
  private static let tilted = 0.35
  /// Degrees from up, where there is neither gravity nor a place.
  private static let ordinaryAngle = 90 + 65.0

  let fit: SweepFit

  init(_ fit: SweepFit) { self.fit = fit }

  /// The calibration, whether it may be used, and what would make it better.
  var outcome: CalibrationOutcome {
    let correction = fit.estimate.parameters.correction(axes: fit.problem.axes)
    guard let covariance = covariance(), let (errors, aligned) = errors(covariance, correction: correction) else {
      return CalibrationOutcome(refusal: .noSolution)
    }
    let coverage = Coverage(
      fit.sweep.kept(fit.used).map { correction.softIron * ($0.raw - correction.hardIron) })
    let result = result(
      covariance: covariance.whole, correction: correction, errors: errors, aligned: aligned.overall, coverage: coverage
    )
    let next = NextMotionSearch(
      fit: fit, covariance: covariance.fitted, grid: grid, correction: correction, angle: angle, coverage: coverage
    ).best
    return CalibrationOutcome(
      result: result, refusal: Verdict.refusal(of: fit, result: result, next: next), next: next)
  }

  // MARK: Covariance and heading error

  private struct Covariances {
    /// What the data and the priors leave open.
    var fitted: SymmetricMatrix
    /// With the rotation that was not solved.
    var whole: SymmetricMatrix
    /// That rotation alone; nil where it was solved.
    var unknown: SymmetricMatrix?
  }

  private func covariance() -> Covariances? {
    guard let fitted = weighted().equations(at: fit.estimate.parameters).matrix.inverse else { return nil }
    guard fit.kind == .normOnly else { return Covariances(fitted: fitted, whole: fitted) }
    var unknown = SymmetricMatrix(size: Parameters.count)
    var whole = fitted
    for index in Parameters.rotationIndex..<Parameters.count {
      unknown[index, index] = Angle.radians(Self.ordinaryMisalignment) * Angle.radians(Self.ordinaryMisalignment)
      whole[index, index] += unknown[index, index]
    }
    return Covariances(fitted: fitted, whole: whole, unknown: unknown)
  }

  /// The problem with its rests counted as their scatter deserves.
  private func weighted() -> Problem {
    var problem = fit.problem
    guard fit.kind == .full else { return problem }
    let squares = problem.angleResiduals(at: fit.estimate.parameters).reduce(0) { $0 + $1 * $1 }
    problem.restWeight = (Double(max(problem.rests.count - 4, 1)) + 1) / (squares + 1)
    return problem
  }

  private var angle: Double {
    if fit.kind != .normOnly { return fit.estimate.parameters.angle }
    return fit.angleSeen ?? Angle.radians(fit.settings.place.map { 90 + $0.inclination } ?? Self.ordinaryAngle)
  }

  private var grid: AttitudeGrid {
    AttitudeGrid(
      strength: fit.estimate.parameters.strength, angle: angle,
      tilts: fit.kind == .level ? [0, SweepFit.levelTilt] : Self.tilts, level: fit.level)
  }

  /// With the rotation that was not solved, and without it.
  private func errors(
    _ covariance: Covariances, correction: Correction
  ) -> (whole: HeadingErrors, aligned: HeadingErrors)? {
    func propagated(_ matrix: SymmetricMatrix) -> HeadingErrors? {
      CorrectionCovariance(
        parameters: fit.estimate.parameters.values, covariance: matrix.elements, correction: correction
      ).map { grid.errors($0) }
    }
    guard let fitted = propagated(covariance.fitted)?.inflated(by: Self.inflation, floor: Self.floor) else {
      return nil
    }
    if fit.kind == .full {
      let whole = fitted.combined(with: accelerometerErrors)
      return (whole, whole)
    }
    guard let unknown = covariance.unknown.flatMap(propagated) else { return (fitted, fitted) }
    return (fitted.combined(with: unknown), fitted)
  }

  /// An accelerometer with an offset reads another length in each attitude; up is off by about as much as that varies,
  /// and a heading by tan(dip) times that, or by tan(tilt) where the device is tilted. What is common to all attitudes the rotation takes in, so level it is half.
  private var accelerometerErrors: HeadingErrors {
    let lengths = fit.problem.rests.map { $0.force.length }
    let mean = lengths.reduce(0, +) / Double(max(lengths.count, 1))
    let squares = lengths.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let variance = squares / Double(max(lengths.count - 1, 1)) - Self.tremor * Self.tremor
    let turn = Angle.degrees(max(variance, 0).squareRoot() * hypot(min(abs(tan(angle - .pi / 2)), 20), Self.tilted))
    return HeadingErrors(overall: turn, level: turn / 2, worst: 2 * turn)
  }

  // MARK: The result

  private func result(
    covariance: SymmetricMatrix, correction: Correction, errors: HeadingErrors, aligned: Double, coverage: Coverage
  ) -> CalibrationResult {
    let sign: Double = fit.axes.accelerometerIsReversed ? -1 : 1
    let hasGravity = fit.kind == .full || fit.angleSeen != nil
    var result = CalibrationResult(
      correction: fit.rescaled(correction), fieldStrength: fit.estimate.parameters.strength,
      inclination: hasGravity ? sign * (Angle.degrees(angle) - 90) : nil, axes: fit.axes,
      noise: fit.noise / fit.scale, parameters: zip(fit.estimate.parameters.values, fit.rescaling).map { $0 * $1 },
      parameterNames: Parameters.names,
      covariance: covariance.scaled(by: fit.rescaling).elements,
      quality: quality(errors, aligned: aligned, coverage: coverage), coverage: coverage)
    result.quality.warnings = Verdict.warnings(of: fit, result: result)
    return result
  }

  private func quality(_ errors: HeadingErrors, aligned: Double, coverage: Coverage) -> CalibrationQuality {
    CalibrationQuality(
      verdict: Verdict.grade(errors.overall, signIsAmbiguous: fit.axes.signIsAmbiguous), kind: fit.kind,
      headingErrorDegrees: errors.overall, headingErrorLevelDegrees: errors.level, headingErrorAlignedDegrees: aligned,
      headingErrorWorstDegrees: errors.worst,
      tiltLimitDegrees: fit.kind == .level ? SweepFit.levelTilt : Self.tilts.last ?? 0,
      misalignment: fit.kind == .full ? .solved : .unknown, samples: fit.used.filter { $0 }.count,
      rests: fit.rests.distinct(centre: fit.estimate.parameters.hardIron), coveragePercent: coverage.percent,
      residual: fit.residual, holdOutDegrees: fit.kind == .full ? HoldOut.degrees(fit) : nil, ignored: fit.ignored,
      warnings: [])
  }
}

extension SweepFit {
  /// Of one axis of a raw measurement: from the scatter within rests, or else from the residuals.
  var noise: Double {
    let scatters = rests.all.map { $0.scatter }.filter { $0 > 0 }
    return scatters.count >= 3 ? min(median(scatters), problem.deviation) : problem.deviation
  }

  /// How much of the sweep's motion was left out, 0 to 1: by the way the field went, for a board that lies beside iron
  /// before and after a clean sweep takes nothing from it.
  var ignoredShare: Double {
    let step = max(1, Int(0.2 / interval))
    var (left, all) = (0.0, 0.0)
    for index in stride(from: step, to: used.count, by: step) {
      let way = (sweep.measurements[index].raw - sweep.measurements[index - step].raw).length
      guard way > 6 * problem.deviation else { continue }
      all += way
      if !used[index] { left += way }
    }
    return all > 0 ? left / all : 0
  }

  /// Root mean square of the distances from the model in µT, wild measurements left out.
  var residual: Double {
    var (sum, count) = (0.0, 0.0)
    for (value, isUsed) in zip(residuals(), used) where isUsed && abs(value) < 6 {
      sum += value * value
      count += 1
    }
    return problem.deviation * (sum / max(count, 1)).squareRoot()
  }

  /// What each parameter is multiplied with to belong to raw values in the unit they came in.
  var rescaling: [Double] {
    (0..<Parameters.count).map { index in
      index < 3 ? 1 / scale : (4..<Parameters.normCount).contains(index) ? scale : 1
    }
  }

  /// The correction for raw values in the unit they came in.
  func rescaled(_ correction: Correction) -> Correction {
    scale == 1
      ? correction : Correction(hardIron: correction.hardIron / scale, softIron: correction.softIron * scale)
  }
}

extension Problem {
  /// Of the rests, in standard deviations.
  func angleResiduals(at parameters: Parameters) -> [Double] {
    let model = GravityModel(parameters, axes: axes)
    return rests.map { rest in
      let deviation = rest.angleDeviation(noise: deviation, strength: exp(priors.mean[3]))
      return model.residual(raw: rest.raw, up: rest.up, deviation: deviation).value
    }
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
    problem.rests = rests.enumerated().filter { $0.offset % 3 == 2 }.map { $0.element }
    let model = GravityModel(estimate.parameters, axes: problem.axes)
    let angles = problem.rests.map { model.residual(raw: $0.raw, up: $0.up, deviation: 1).value }
    guard !angles.isEmpty else { return nil }
    return Angle.degrees((angles.reduce(0) { $0 + $1 * $1 } / Double(angles.count)).squareRoot())
  }
}

extension HeadingErrors {
  func inflated(by factor: Double, floor: Double) -> HeadingErrors {
    HeadingErrors(
      overall: max(overall * factor, floor), level: max(level * factor, floor), worst: max(worst * factor, floor))
  }

  func combined(with other: HeadingErrors) -> HeadingErrors {
    HeadingErrors(
      overall: hypot(overall, other.overall), level: hypot(level, other.level), worst: hypot(worst, other.worst))
  }
}
