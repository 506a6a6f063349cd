import LodestoneCore
import Glibc

// The verdict: not how small the residuals are but how wrong a heading may be.
//
// C = (JᵀWJ + prior)⁻¹, with the samples counted by the correlation of their residuals and the rests by their scatter,
// is carried to heading over all headings and tilts. That root mean square times 1.5, and at least 0.2° for what no
// model holds, is the predicted heading error; and where eight parts of the sweep disagree by more than that (see the
// jackknife), 1.5 times their disagreement. Where the rests show that the field differs from place to place, most of
// that hides in the hard and soft iron of a board that swings through it: in a full calibration three times what shows
// counts, up to 2°; past that what hides grows with the root of what shows. A level turn through
// an uneven field takes nearly all of it for hard iron, so four times what shows counts there, beside the covariance. A
// rotation between the chips that could not be solved, and an accelerometer that could not be, enter with the size they
// have on ordinary boards.

/// The judgement on a fit.
struct Judgement {
  /// Standard deviation about each axis, in degrees, by which chips on ordinary boards are turned.
  static let ordinaryMisalignment = 1.05
  /// Zero of each axis of an accelerometer that nothing tells of, in g: about 15 mg in all.
  static let ordinaryZero = 0.008
  private static let usualInflation = 1.5
  private static let floor = 0.2
  /// The ratio of the error that an uneven field hides to the one that shows, and the degrees up to which it is that.
  private static let (hidden, straight) = (3.0, 2.0)
  /// The ratio for a level turn, whose circle takes up nearly all of an uneven field, and the most that hides in
  /// degrees.
  private static let (hiddenByCircle, mostHidden) = (4.0, 20.0)
  private static let tilts = [0.0, 10, 20, 30]
  /// Degrees from up, where there is neither gravity nor a place.
  private static let ordinaryAngle = 90 + 65.0
  /// Degrees of dip past which a figure for the sweep's mean is too uncertain to use.
  private static let steepestDip = 80.0

  let fit: SweepFit
  /// Angle from up to the field in radians, over which headings are judged.
  private let angle: Double
  /// The attitudes in which they are.
  private let grid: AttitudeGrid

  init(_ fit: SweepFit) {
    self.fit = fit
    angle = Self.angle(of: fit)
    grid = AttitudeGrid(
      strength: fit.estimate.parameters.strength, angle: angle,
      tilts: fit.kind == .level ? [0, fit.solved.tiltLimit] : Self.tilts, level: fit.solved.level)
  }

  /// The calibration, whether it may be used, and what would make it better.
  var outcome: CalibrationOutcome { completed(draft) }

  /// The outcome without the findings on the gyroscope.
  var draft: CalibrationOutcome {
    let correction = fit.correction
    let coverage = Coverage(fit.norm.kept.map { correction.softIron * ($0.raw - correction.hardIron) })
    guard let covariance = covariance(),
      let errors = errors(covariance, correction: correction, coverage: coverage)
    else {
      return CalibrationOutcome(refusal: .noSolution)
    }
    let result = result(covariance, correction: correction, errors: errors, coverage: coverage)
    let next =
      errors.isUneven
      ? NextMotion.turnAbout
      : fit.solved.leastTurned.map { NextMotion.turn(about: $0) }
        ?? NextMotionSearch(
          fit: fit, covariance: covariance.fitted, grid: grid, correction: correction, angle: angle, coverage: coverage
        ).best
    let refusal = Verdict.refusal(of: fit, result: result, next: next)
    if let impossible = Verdict.refusal(of: result.correction, fit.settings, strength: result.fieldStrength) {
      return CalibrationOutcome(refusal: refusal ?? impossible, next: next)
    }
    return CalibrationOutcome(result: result, refusal: refusal, next: next)
  }

  /// The heading error that a covariance alone predicts, for a field of this strength in µT and this angle from up in
  /// radians.
  static func predicted(_ covariance: CorrectionCovariance, strength: Double, angle: Double) -> HeadingErrors {
    AttitudeGrid(strength: strength, angle: angle, tilts: tilts).errors(covariance)
      .inflated(by: usualInflation, floor: floor)
  }

  // MARK: Covariance and heading error

  private struct Covariances {
    /// The covariance left by the data and the priors.
    var fitted: SymmetricMatrix
    /// How eight parts of the sweep disagree; nil where a part cannot be left out.
    var parts: SymmetricMatrix?
    /// The rotation that was not solved, or a dip that may go either way, alone; nil where both are known.
    var unknown: SymmetricMatrix?
  }

  private func covariance() -> Covariances? {
    var covariance = fittedCovariance()
    if let drift = fit.input.drift { covariance?.fitted.add(drift.covariance) }
    guard let hardIron = fit.input.causes?.hardIron else { return covariance }
    for row in 0..<3 {
      for column in 0..<3 { covariance?.fitted[row, column] += hardIron[row][column] * fit.scale * fit.scale }
    }
    return covariance
  }

  private func fittedCovariance() -> Covariances? {
    if let told = fit.solved.covariance {
      return Covariances(fitted: told, parts: fit.solved.scatter, unknown: fit.solved.unknownTurn)
    }
    guard let inverse = weighted().equations(at: fit.estimate.parameters).matrix.inverse else { return nil }
    let fitted = fit.isHeld ? inverse.scaled(by: fit.solved.stationExcess) : inverse
    let parts =
      fit.input.sketch == nil && !fit.isHeld
      ? fit.problem.jackknife(at: fit.estimate, dealsRests: !fit.solved.restsAreFew) : nil
    let open =
      switch fit.kind {
      case .normOnly: unknown
      case .level: fit.solved.openCovariance
      case .full: fit.solved.unknownTurn
      }
    return Covariances(fitted: fitted, parts: parts, unknown: open)
  }

  /// The variance of a rotation that was not solved; an accelerometer's zeros lean up, so they count as one.
  private var unknown: SymmetricMatrix {
    let moving = fit.movingZero
    return Self.unknownTurn(
      Self.misalignment(moving), hasForce: fit.gravity.hasForce, movingZero: moving)
  }

  /// The size in radians about each axis of a rotation between the chips that nothing settled: that of ordinary boards,
  /// or what the swing shows where that is more.
  static func misalignment(_ moving: MovingZero?) -> Vector3 {
    let ordinary = Angle.radians(ordinaryMisalignment)
    var sizes = Vector3(ordinary, ordinary, ordinary)
    if let moving { for axis in 0..<3 { sizes[axis] = moving.rotation(axis: axis, ordinary: ordinary) } }
    return sizes
  }

  /// The covariance of a rotation unknown by this size in radians about each axis, and of the accelerometer's zeros.
  static func unknownTurn(_ sizes: Vector3, hasForce: Bool, movingZero: MovingZero?) -> SymmetricMatrix {
    var unknown = SymmetricMatrix(size: Parameters.count)
    for axis in 0..<3 {
      var turn = sizes[axis]
      if axis < 2, hasForce {
        let zero = movingZero?.size(axis: 1 - axis, ordinary: Self.ordinaryZero) ?? Self.ordinaryZero
        turn = hypot(turn, zero)
      }
      unknown[Parameters.rotationIndex + axis, Parameters.rotationIndex + axis] = turn * turn
    }
    return unknown
  }

  /// The problem with its rests counted as their scatter deserves.
  private func weighted() -> Problem {
    var problem = fit.problem
    guard fit.kind == .full, !fit.isHeld else { return problem }
    problem.restWeight = problem.restAgreement(at: fit.estimate.parameters)
    return problem
  }

  /// Angle from up to the field in radians: from rests, else from the place, else the ordinary one, or what the whole
  /// sweep shows on average where that is steeper.
  private static func angle(of fit: SweepFit) -> Double {
    if fit.kind != .normOnly { return fit.estimate.parameters.angle }
    if let angle = fit.gravity.angle { return angle }
    if let place = fit.settings.place { return Angle.radians(90 + place.inclination) }
    let seen = fit.meanAngle.map { min(abs(Angle.degrees($0) - 90), steepestDip) } ?? 0
    return Angle.radians(max(ordinaryAngle, 90 + seen))
  }

  private struct Errors {
    /// The predicted errors.
    var whole: HeadingErrors
    /// The predicted errors without the rotation that was not solved.
    var aligned: HeadingErrors
    /// Parts of the sweep disagree by more than the fit's covariance allows, and not for want of directions.
    var isUneven: Bool
    /// The factor of the covariance that covers the disagreement.
    var growth: Double
  }

  private func errors(_ covariance: Covariances, correction: Correction, coverage: Coverage) -> Errors? {
    let force = fit.estimate.parameters.force
    func propagated(_ matrix: SymmetricMatrix) -> HeadingErrors? {
      CorrectionCovariance(
        parameters: fit.estimate.parameters.values, covariance: matrix, correction: correction, force: force
      ).map { grid.errors($0) }
    }
    guard let fitted = propagated(covariance.fitted) else { return nil }
    let parts = covariance.parts.flatMap(propagated)
    let (isLevel, hidden) = (fit.kind == .level, hidden)
    let even = (parts.map { fitted.larger($0) } ?? fitted).inflated(by: inflation, floor: Self.floor)
    let bends = hidden > max(even.overall, Verdict.good)
    let known =
      isLevel
      ? even.combined(with: HeadingErrors(overall: hidden, level: hidden, worst: hidden))
      : even.inflated(by: 1, floor: hidden)
    let ratio = max(1, known.overall / max(fitted.overall * inflation, Self.floor))
    // In a sweep of few directions each part has some that no other has, so that the fit without it differs in any
    // field.
    let disagrees = (isLevel || coverage.percent >= Verdict.enoughCoverage) && ratio > 2 && known.overall > Verdict.good
    let unknown = covariance.unknown.flatMap(propagated)
    return Errors(
      whole: unknown.map { known.combined(with: $0) } ?? known, aligned: known, isUneven: bends || disagrees,
      growth: ratio * ratio)
  }

  /// The factor of predicted errors: 1 for one known heading, whose covariance comes from boards, not from noise.
  private var inflation: Double { fit.solved.method == .facing ? 1 : Self.usualInflation }

  /// Degrees of heading that an uneven field may hide.
  private var hidden: Double {
    let horizontal = max(fit.estimate.parameters.strength * abs(sin(angle)), 1)
    switch fit.kind {
    case .full:
      let shown = Self.hidden * Angle.degrees(fit.unevenness / horizontal)
      return shown <= Self.straight ? shown : min((shown * Self.straight).squareRoot(), Self.mostHidden)
    case .level:
      return min(Self.hiddenByCircle * Angle.degrees(fit.circleUnevenness / horizontal), Self.mostHidden)
    case .normOnly: return 0
    }
  }

  // MARK: The result

  private func result(
    _ covariance: Covariances, correction: Correction, errors: Errors, coverage: Coverage
  ) -> CalibrationResult {
    var kept = covariance.fitted.ofField(force: fit.estimate.parameters.force).scaled(by: errors.growth)
    if let unknown = covariance.unknown { kept.add(unknown.ofField(force: .none)) }
    var result = CalibrationResult(
      correction: fit.rescaled(correction), forceCorrection: fit.kind == .full ? fit.estimate.parameters.force : .none,
      fieldStrength: fit.estimate.parameters.strength, inclination: inclination, axes: fit.axes,
      noise: fit.noise / fit.scale, parameters: zip(fit.estimate.parameters.values, fit.rescaling).map { $0 * $1 },
      parameterNames: Parameters.names, covariance: kept.scaled(by: fit.rescaling).elements,
      quality: quality(errors, coverage: coverage), coverage: coverage)
    let before = fit.settings.before?.profile
    if fit.solved.method != nil {
      result.forceCorrection.zeroDeviation = before?.forceCorrection.zeroDeviation
    } else if result.forceCorrection != .none {
      result.forceCorrection.zeroDeviation = covariance.fitted.zeroDeviation.map { $0 * errors.growth.squareRoot() }
    }
    result.countsPerMicrotesla = fit.settings.countsPerMicrotesla
    result.countsPerGravity = fit.settings.countsPerGravity
    result.strengthIsAssumed = fit.settings.countsPerMicrotesla != nil && fit.settings.place == nil
    result.signIsAssumed = signIsAssumed
    result.causes = fit.input.causes?.causes ?? []
    result.laser = fit.laser ?? before?.laser
    if let before {
      if result.causes.isEmpty { result.causes = before.causes }
      result.countsPerMicrotesla = result.countsPerMicrotesla ?? before.countsPerMicrotesla
      result.countsPerGravity = result.countsPerGravity ?? before.countsPerGravity
      if fit.settings.place == nil || fit.solved.method == .facing {
        result.strengthIsAssumed = before.strengthIsAssumed
      }
    }
    result.temperature = fit.sweep.temperature
    result.forceIsUsed = fit.gravity.senselessSpread == nil
    result.warnings = Verdict.warnings(of: fit, result: result, isUneven: errors.isUneven)
    result.quality.warnings = result.warnings.map { $0.text }
    return result
  }

  /// A draft with what the sweep tells of the gyroscope, or else an earlier calibration.
  func completed(_ draft: CalibrationOutcome) -> CalibrationOutcome {
    let (gyroscope, before) = (GyroscopeFinding(fit), fit.settings.before?.profile)
    var outcome = draft
    outcome.result?.gyroscopeZero = gyroscope.zero ?? before?.gyroscopeZero
    outcome.result?.gyroscopeGain = gyroscope.gain ?? before?.gyroscopeGain
    outcome.result?.fieldLag = gyroscope.lag ?? before?.fieldLag
    return outcome
  }

  /// In degrees, down positive: from rests, a slow level turn or the place, never from a board that moves; nil without
  /// any of them.
  private var inclination: Double? {
    let sign: Double = fit.axes.accelerometerIsReversed ? -1 : 1
    if let angle = fit.kind == .full ? fit.estimate.parameters.angle : fit.solved.angle {
      return sign * (Angle.degrees(angle) - 90)
    }
    return fit.gravity.hasForce ? fit.settings.place?.inclination : nil
  }

  /// Degrees by which a field that dips upwards does so surely.
  private static let surelyUpwards = 10.0

  /// Nothing told which way up the axes are. Without a place a field that dips upwards is one of the southern
  /// hemisphere, or the accelerometer is reversed. A calibration that is refined knows, unless the place settles it
  /// now.
  private var signIsAssumed: Bool {
    let place = fit.settings.place
    if let before = fit.settings.before?.profile {
      let isSettled = place.map { $0.inclination * (inclination ?? 0) > 0 } ?? false
      return before.signIsAssumed && !isSettled
    }
    return fit.axes.signIsAmbiguous || place == nil && (inclination ?? 0) < -Self.surelyUpwards
  }

  private func quality(_ errors: Errors, coverage: Coverage) -> CalibrationQuality {
    var quality = CalibrationQuality(
      verdict: Verdict.grade(
        errors.whole.overall, aligned: fit.kind == .normOnly || fit.solved.signIsOpen ? errors.aligned.overall : nil,
        signIsAmbiguous: signIsAssumed), kind: fit.kind,
      misalignment: misalignment, headingErrorDegrees: Self.known(errors.whole.overall),
      headingErrorLevelDegrees: Self.known(errors.whole.level))
    if fit.gravity.doubtfulSpread != nil, fit.kind == .normOnly { quality.forgetHeadingError() }
    if fit.kind == .level { quality.tiltLimitDegrees = fit.solved.tiltLimit }
    quality.headingErrorAlignedDegrees = Self.known(errors.aligned.overall)
    quality.headingErrorWorstDegrees = Self.known(errors.whole.worst)
    quality.samples = fit.isHeld ? fit.gravity.rests.all.reduce(0) { $0 + $1.count } : fit.norm.used.filter { $0 }.count
    quality.rests = fit.positions
    quality.method = fit.solved.method
    if fit.isHeld, quality.rests < HeldPositions.enough, quality.verdict == .good { quality.verdict = .fair }
    quality.coveragePercent = coverage.percent
    quality.residual = fit.residual
    quality.holdOutDegrees = fit.kind == .full && !fit.isHeld ? HoldOut.degrees(fit) : nil
    quality.ignored = fit.norm.ignored.map { fit.sweep.cut.original($0) }
    return quality
  }

  /// Whether the rotation between the chips is known: a fit that does not look for it knows what one before it did.
  private var misalignment: CalibrationQuality.Misalignment {
    if let before = fit.settings.before { return before.profile.quality.misalignment }
    return fit.kind == .full && fit.solved.method != .facing ? .solved : .unknown
  }

  /// An error past half a turn says that the heading is unknown.
  private static func known(_ degrees: Double) -> Double? { degrees <= 180 ? degrees : nil }
}

extension SymmetricMatrix {
  /// Standard deviations of the accelerometer's zeros in g, from the covariance of all parameters; nil for that of
  /// fewer.
  fileprivate var zeroDeviation: Vector3? {
    guard size >= Parameters.count else { return nil }
    let deviations = (0..<3).map { max(0, self[Parameters.forceIndex + $0, Parameters.forceIndex + $0]).squareRoot() }
    return Vector3(deviations[0], deviations[1], deviations[2])
  }

  /// From the covariance of all parameters to that of the magnetometer's fourteen. What the accelerometer's zeros leave
  /// open leans up, and counts as a rotation of the field against it: δρ_x = −k_y δz_y, δρ_y = k_x δz_x for a level
  /// board.
  fileprivate func ofField(force: ForceCorrection) -> SymmetricMatrix {
    let (first, rotation) = (Parameters.forceIndex, Parameters.rotationIndex)
    return transformed(
      by: (0..<Parameters.fieldCount).map { row in
        var weights = [Double](repeating: 0, count: Parameters.count)
        weights[row] = 1
        if row == rotation { weights[first + 1] = -force.gain.y }
        if row == rotation + 1 { weights[first] = force.gain.x }
        return weights
      })
  }
}

extension Problem {
  /// The expected square of the rests' scatter over the observed one: about 1 for ordinary rests.
  func restAgreement(at parameters: Parameters) -> Double {
    let model = GravityModel(parameters, axes: axes)
    let squares = rests.reduce(0) { sum, rest in
      let angle = residual(of: rest, under: model).angle
      return sum + angle * angle
    }
    return (Double(max(rests.count - 4, 1)) + 1) / (squares + 1)
  }
}

extension HeadingErrors {
  func inflated(by factor: Double, floor: Double) -> HeadingErrors {
    HeadingErrors(
      overall: max(overall * factor, floor), level: max(level * factor, floor), worst: max(worst * factor, floor))
  }

  /// The larger of each.
  func larger(_ other: HeadingErrors) -> HeadingErrors {
    HeadingErrors(
      overall: max(overall, other.overall), level: max(level, other.level), worst: max(worst, other.worst))
  }

  func combined(with other: HeadingErrors) -> HeadingErrors {
    HeadingErrors(
      overall: hypot(overall, other.overall), level: hypot(level, other.level), worst: hypot(worst, other.worst))
  }
}
