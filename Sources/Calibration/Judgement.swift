import Core
import Glibc

// The verdict: not how small the residuals are but how wrong a heading may be.
//
// C = (JᵀWJ + prior)⁻¹, its gravity part enlarged by the scatter of the rests, is carried to heading over all headings
// and tilts. That root mean square times 1.5, and with it 0.2° for what no model holds, is the predicted heading error.
// A rotation between the chips that could not be solved enters with the size it has on ordinary boards.

/// The judgement on a fit.
struct Judgement {
  /// Degrees about each axis by which chips on ordinary boards are turned.
  static let ordinaryMisalignment = 1.2
  private static let inflation = 1.5
  private static let floor = 0.2
  private static let (good, fair) = (1.0, 3.0)
  private static let tilts = [0.0, 10, 20, 30]
  /// Taken where there is neither gravity nor a place.
  private static let ordinaryInclination = 65.0
  /// Earth's field with a margin for a chip's gain.
  private static let possibleStrength = 20.0...70.0

  let fit: SweepFit
  let outcome: CalibrationOutcome

  init(_ fit: SweepFit) {
    self.fit = fit
    outcome = Self.outcome(of: fit)
  }

  private static func outcome(of fit: SweepFit) -> CalibrationOutcome {
    let parameters = fit.estimate.parameters
    guard let covariance = covariance(of: fit) else { return CalibrationOutcome(refusal: .noSolution) }
    let correction = parameters.correction(axes: fit.axes.matrix)
    let angle = fit.rotationIsSolved ? parameters.angle : fit.angleSeen ?? assumedAngle(fit)
    let grid = AttitudeGrid(strength: parameters.strength, angle: angle, tilts: tilts)
    guard
      let fitted = CorrectionCovariance(
        parameters: parameters.values, covariance: covariance.elements, correction: correction)
    else { return CalibrationOutcome(refusal: .noSolution) }
    var errors = grid.errors(fitted).inflated(by: inflation, floor: floor)
    var whole = covariance
    if !fit.rotationIsSolved {
      let variance = Angle.radians(ordinaryMisalignment) * Angle.radians(ordinaryMisalignment)
      var unknown = SymmetricMatrix(size: Parameters.count)
      for axis in 0..<3 {
        let index = Parameters.rotationIndex + axis
        unknown[index, index] = variance
        whole[index, index] += variance
      }
      if let unknown = CorrectionCovariance(
        parameters: parameters.values, covariance: unknown.elements, correction: correction)
      {
        errors = errors.combined(with: grid.errors(unknown))
      }
    }
    let coverage = Coverage(
      fit.sweep.kept(fit.used).map { correction.softIron * ($0.raw - correction.hardIron) })
    let result = result(
      of: fit, correction: correction, covariance: whole, errors: errors, angle: angle, coverage: coverage)
    let next = NextMotionSearch(fit: fit, covariance: covariance, grid: grid, correction: correction, angle: angle).best
    return CalibrationOutcome(
      result: result, refusal: refusal(of: fit, result: result, next: next), next: next)
  }

  private static func assumedAngle(_ fit: SweepFit) -> Double {
    Angle.radians(90 + (fit.settings.place?.inclination ?? ordinaryInclination))
  }

  /// The inverse of the normal equations, with rests counted as their scatter deserves.
  private static func covariance(of fit: SweepFit) -> SymmetricMatrix? {
    var problem = fit.problem
    if !problem.rests.isEmpty {
      let model = GravityModel(fit.estimate.parameters, axes: problem.axes)
      let squares = problem.rests.map { rest in
        let deviation = rest.angleDeviation(noise: problem.deviation, strength: fit.strength)
        let value = model.residual(raw: rest.raw, up: rest.up, deviation: deviation).value
        return value * value
      }
      let freedom = Double(max(problem.rests.count - 4, 1))
      problem.restWeight = 1 / max(1, (squares.reduce(0, +) + 4) / (freedom + 4))
    }
    return problem.equations(at: fit.estimate.parameters).matrix.inverse
  }

  private static func result(
    of fit: SweepFit, correction: Correction, covariance: SymmetricMatrix, errors: HeadingErrors, angle: Double,
    coverage: Coverage
  ) -> CalibrationResult {
    let parameters = fit.estimate.parameters
    let attitudes = fit.rests.distinct(centre: parameters.hardIron)
    let sign: Double = fit.axes.accelerometerIsReversed ? -1 : 1
    let hasGravity = fit.rotationIsSolved || fit.angleSeen != nil
    let verdict: CalibrationQuality.Verdict =
      errors.overall <= good ? .good : errors.overall <= fair ? .fair : .poor
    let quality = CalibrationQuality(
      verdict: verdict, kind: fit.rotationIsSolved ? .full : .normOnly, headingErrorDegrees: errors.overall,
      headingErrorLevelDegrees: errors.level, headingErrorWorstDegrees: errors.worst,
      tiltLimitDegrees: tilts.last ?? 30, misalignment: fit.rotationIsSolved ? .solved : .unknown,
      samples: fit.used.filter { $0 }.count, rests: attitudes, coveragePercent: coverage.percent,
      residual: residual(fit), holdOutDegrees: nil, ignored: fit.ignored, warnings: [])
    return CalibrationResult(
      correction: correction, fieldStrength: parameters.strength,
      inclination: hasGravity ? sign * (Angle.degrees(angle) - 90) : nil, axes: fit.axes,
      noise: fit.noise, parameters: parameters.values, parameterNames: Parameters.names,
      covariance: covariance.elements, quality: quality, coverage: coverage)
  }

  /// Root mean square of the distances from the model in µT, wild measurements left out.
  private static func residual(_ fit: SweepFit) -> Double {
    let values = zip(fit.residuals(), fit.used).filter { $0.1 && abs($0.0) < 6 }.map { $0.0 * fit.problem.deviation }
    guard !values.isEmpty else { return 0 }
    return (values.reduce(0) { $0 + $1 * $1 } / Double(values.count)).squareRoot()
  }

  private static func refusal(
    of fit: SweepFit, result: CalibrationResult, next: NextMotion?
  ) -> CalibrationRefusal? {
    let quality = result.quality
    let share = quality.residual / result.fieldStrength * 100
    let ignoredShare = Double(fit.used.filter { !$0 }.count) / Double(max(fit.used.count, 1)) * 100
    if share > 8 || ignoredShare > 40 {
      return .disturbed(residualMicrotesla: quality.residual, percentOfField: share, ignoredPercent: ignoredShare)
    }
    if !possibleStrength.contains(result.fieldStrength) {
      return .impossibleField(microtesla: result.fieldStrength, allowed: possibleStrength)
    }
    guard quality.verdict == .poor else { return nil }
    let error = quality.headingErrorDegrees
    if quality.coveragePercent < 50 {
      return .tooFewDirections(coveragePercent: quality.coveragePercent, headingErrorDegrees: error, next: next)
    }
    return .inaccurate(headingErrorDegrees: error, next: next)
  }
}

extension SweepFit {
  /// Of one axis of a raw measurement: from the scatter within rests, or else from the residuals.
  var noise: Double {
    let scatters = rests.all.map { $0.scatter }.filter { $0 > 0 }
    return scatters.count >= 3 ? min(median(scatters), problem.deviation) : problem.deviation
  }
}

extension HeadingErrors {
  func inflated(by factor: Double, floor: Double) -> HeadingErrors {
    HeadingErrors(
      overall: hypot(overall * factor, floor), level: hypot(level * factor, floor), worst: hypot(worst * factor, floor))
  }

  func combined(with other: HeadingErrors) -> HeadingErrors {
    HeadingErrors(
      overall: hypot(overall, other.overall), level: hypot(level, other.level), worst: hypot(worst, other.worst))
  }
}
