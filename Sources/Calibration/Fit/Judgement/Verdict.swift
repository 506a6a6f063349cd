import LodestoneCore
import Glibc

/// The verdict on a calibration: whether it may be used, or why not, and the warnings about it.
enum Verdict {
  /// Degrees of predicted heading error up to which a calibration is good, and up to which it is fair.
  static let (good, fair) = (1.0, 3.0)
  /// Percent of the directions below which they are what a poor sweep lacks.
  static let enoughCoverage = 60.0
  /// Share of the field's strength left over, above which the field was not one field.
  private static let largestResidual = 0.08
  /// Degrees that one known heading may be off by: it is good for what it says.
  private static let mostFacing = 20.0
  /// Share of the sweep's motion left out, above which too little is left.
  private static let mostIgnored = 0.4

  /// Share of a poor prediction that makes the causes, or a lean of up, the reason for it.
  private static let (mostByCauses, mostByLean) = (0.6, 0.5)

  /// Past `fair`, what is still fair where most of it is the ordinary misalignment, one constant for all boards, and
  /// degrees of everything else that it may have then.
  private static let (fairByMisalignment, fairAligned) = (3.5, 2.0)

  /// The grade of a predicted heading error. Axes that may be the other way up are never good.
  /// - Parameter aligned: the error without a rotation that was not solved; nil where the rotation was solved.
  static func grade(
    _ degrees: Double, aligned: Double? = nil, signIsAmbiguous: Bool
  ) -> CalibrationQuality.Verdict {
    if degrees <= good { return signIsAmbiguous ? .fair : .good }
    let isFair = degrees <= fair || degrees <= fairByMisalignment && aligned.map { $0 <= fairAligned } ?? false
    return isFair ? .fair : .poor
  }

  /// Why a result must not be used; nil when it may.
  static func refusal(of fit: SweepFit, result: CalibrationResult, next: NextMotion?) -> CalibrationRefusal? {
    let quality = result.quality
    let residual = quality.residual ?? 0
    let share = residual / result.fieldStrength
    let ignored = fit.ignoredShare
    if share > largestResidual || ignored > mostIgnored {
      return .disturbed(
        residualMicrotesla: residual, percentOfField: share * 100, ignoredPercent: ignored * 100)
    }
    if fit.gravity.isMirrored { return .mirroredForce(map: fit.axes.name) }
    let error = quality.headingErrorDegrees ?? 180
    if quality.method == .facing {
      return error <= mostFacing ? nil : .inaccurate(headingErrorDegrees: error, next: nil)
    }
    if quality.kind == .normOnly, !fit.isRound {
      if fit.isFlat, fit.hasOneAxis { return .planar(headingErrorDegrees: error) }
      return .tooFewDirections(coveragePercent: quality.coveragePercent, headingErrorDegrees: error, next: next)
    }
    if let spread = fit.gravity.doubtfulSpread, quality.kind == .normOnly { return .axesUnknown(spreadDegrees: spread) }
    if isImpossible(result) {
      return .impossibleField(microtesla: result.fieldStrength, allowed: MagneticField.earthStrength)
    }
    guard quality.verdict == .poor else { return nil }
    if let causes = fit.input.causes, causes.headingError(result) > mostByCauses * error {
      return .causesUnsettled(causes.causes.map { $0.name }, headingErrorDegrees: error)
    }
    if fit.drifted > 0 { return .drifting(microtesla: fit.drifted, headingErrorDegrees: error) }
    if quality.method == .touchUp || quality.method == .gyroscope {
      return .inaccurate(headingErrorDegrees: error, next: next)
    }
    if quality.kind == .level {
      if let lean = fit.solved.lean, lean.isLikely,
        lean.heading(angle: fit.estimate.parameters.angle) > mostByLean * error
      {
        return .leaning(degrees: lean.degrees, headingErrorDegrees: error)
      }
      return .planar(headingErrorDegrees: error)
    }
    if fit.isHeld {
      return .tooFewPositions(found: quality.rests, wanted: HeldPositions.plenty, headingErrorDegrees: error)
    }
    if quality.coveragePercent < enoughCoverage {
      return .tooFewDirections(coveragePercent: quality.coveragePercent, headingErrorDegrees: error, next: next)
    }
    return .inaccurate(headingErrorDegrees: error, next: next)
  }

  /// The refusal of a correction that no profile can hold; nil for any other. Counts as they come may have any scale.
  static func refusal(of correction: Correction, _ settings: CalibrationSettings, strength: Double)
    -> CalibrationRefusal?
  {
    guard settings.unitIsKnown || settings.countsPerMicrotesla != nil, !correction.isOfOneUnit else { return nil }
    return .impossibleUnit(sphereMicrotesla: correction.radius(of: strength))
  }

  /// The field's strength lies outside what the Earth's can be by more than two standard deviations.
  private static func isImpossible(_ result: CalibrationResult) -> Bool {
    let deviation = result.covariance[3 * Parameters.fieldCount + 3].squareRoot()
    let margin = exp(min(2 * deviation, 3))
    return result.fieldStrength * margin < MagneticField.earthStrength.lowerBound
      || result.fieldStrength / margin > MagneticField.earthStrength.upperBound
  }

  /// Further warnings for the user.
  static func warnings(of fit: SweepFit, result: CalibrationResult, isUneven: Bool) -> [CalibrationWarning] {
    misalignmentWarnings(of: fit, result: result) + forceWarnings(of: fit, result: result)
      + axisWarnings(of: fit, result: result) + laserWarnings(of: fit, result: result)
      + sampleWarnings(of: fit, result: result)
      + (fit.drifted > 0 ? [.drifted(microtesla: fit.drifted)] : []) + (isUneven ? [.uneven] : [])
  }

  /// Milligravity of an accelerometer's zero that are worth a sentence.
  private static let remarkableOffset = 25.0

  private static func forceWarnings(of fit: SweepFit, result: CalibrationResult) -> [CalibrationWarning] {
    if let spread = fit.gravity.senselessSpread { return [.accelerometerLeftOut(spreadDegrees: spread)] }
    let offset = result.forceCorrection.zero.length * 1000
    return offset > remarkableOffset ? [.accelerometerOffset(milligravity: offset)] : []
  }

  private static func misalignmentWarnings(
    of fit: SweepFit, result: CalibrationResult
  ) -> [CalibrationWarning] {
    let blind: [CalibrationWarning] =
      fit.gravity.hasForce || fit.gravity.senselessSpread != nil ? [] : [.noAccelerometer]
    switch fit.kind {
    case .level:
      let assumed: [CalibrationWarning] = fit.axes.basis == .assumed && fit.gravity.hasForce ? [.axesAssumed] : []
      let isAssumed = fit.settings.place == nil && fit.solved.angle == nil
      let dip: [CalibrationWarning] = isAssumed ? [.dipAssumed] : []
      let curve = fit.solved.lean?.openHeading(angle: fit.estimate.parameters.angle) ?? 0
      return blind + [.levelOnly(tiltDegrees: result.quality.tiltLimitDegrees)] + assumed + dip
        + (curve > good ? [.curveUnsettled(headingDegrees: curve)] : [])
    case .normOnly:
      let dip = Angle.radians(result.inclination ?? fit.settings.place?.inclination ?? 65)
      let unknown = CalibrationWarning.misalignmentUnknown(
        restsFound: result.quality.rests, restsNeeded: Rests.needed,
        headingDegreesPerDegree: hypot(1, tan(min(abs(dip), 1.5))))
      return blind + [unknown]
    case .full where fit.solved.method == .facing: return [.oneHeading]
    case .full where fit.isHeld:
      return result.quality.rests < HeldPositions.enough
        ? [.fewPositions(found: result.quality.rests, needed: HeldPositions.enough)] : []
    case .full where fit.solved.restsAreFew:
      let isEnough = result.quality.rests >= Rests.needed && result.quality.verdict == .good
      return isEnough ? [] : [.fewRests(found: result.quality.rests, needed: Rests.needed)]
    case .full:
      guard let held = result.quality.holdOutDegrees, held > holdOutLimit else { return [] }
      return [.holdOutDisagrees(degrees: held, expectedDegrees: holdOutLimit)]
    }
  }

  /// Degrees between the chips' angle in a rest and the fit without it that no good rests show.
  private static let holdOutLimit = 1.0

  private static func axisWarnings(of fit: SweepFit, result: CalibrationResult) -> [CalibrationWarning] {
    var warnings: [CalibrationWarning] = []
    if fit.axes.isTilted {
      warnings.append(
        .compassTilted(map: fit.axes.name, degrees: fit.axes.tiltDegrees, spreadDegrees: fit.axes.spreadDegrees))
    } else if fit.axes.nearestMap != .identity {
      warnings.append(.axesDiffer(map: fit.axes.name, isLeftHanded: fit.axes.handedness < 0))
    }
    if fit.axes.signIsAmbiguous { warnings.append(.axesSignAssumed(map: fit.axes.name)) }
    if fit.axes.accelerometerIsReversed { warnings.append(.accelerometerReversed) }
    if let place = placeWarning(of: fit, result: result) { warnings.append(place) }
    if result.signIsAssumed, let inclination = result.inclination, inclination < 0 {
      warnings.append(.inclinationNegative(degrees: inclination))
    }
    return warnings
  }

  /// The most that a chip's gain, and the inclination beside a building's iron, are off: more is another place.
  private static let (placeShare, placeDegrees) = (0.25, 10.0)

  /// A place that contradicts what was measured. The fit takes the place's strength for its scale, so that the measured
  /// one is that of the field before the correction; one heading has measured neither.
  private static func placeWarning(of fit: SweepFit, result: CalibrationResult) -> CalibrationWarning? {
    guard let place = fit.settings.place, fit.solved.method != .facing else { return nil }
    let isScaled = fit.settings.unitIsKnown && fit.settings.countsPerMicrotesla == nil
    let strength = isScaled ? result.correction.radius(of: result.fieldStrength) : nil
    let inclination = fit.kind == .full ? result.inclination : nil
    let isStrengthOff = strength.map { abs($0 / place.fieldStrength - 1) > placeShare } ?? false
    let isInclinationOff = inclination.map { abs($0 - place.inclination) > placeDegrees } ?? false
    guard isStrengthOff || isInclinationOff else { return nil }
    return .placeDisagrees(place, microtesla: strength, inclination: inclination)
  }

  private static func laserWarnings(of fit: SweepFit, result: CalibrationResult) -> [CalibrationWarning] {
    guard fit.isHeld, fit.kind == .full else { return [] }
    return [
      result.laser.map { .laserTurned(axis: $0.name, degrees: $0.degrees, deviation: $0.deviation) } ?? .laserUnknown
    ]
  }

  private static func sampleWarnings(of fit: SweepFit, result: CalibrationResult) -> [CalibrationWarning] {
    var warnings: [CalibrationWarning] = []
    let ignored = fit.norm.ignored.reduce(0) { $0 + $1.to - $1.from }
    if ignored > 0 { warnings.append(.disturbed(seconds: ignored)) }
    let received = Double(max(fit.sweep.received, 1))
    let repeated = Double(fit.sweep.repeated) / received * 100
    if repeated > 20 { warnings.append(.repeatedSamples(percent: repeated)) }
    let saturated = Double(fit.sweep.saturated) / received * 100
    if saturated > 0 { warnings.append(.saturatedSamples(percent: saturated)) }
    let weak = weakParameters(of: fit, result: result)
    if !weak.isEmpty { warnings.append(.weaklyDetermined(weak)) }
    for cause in fit.input.causes?.withoutEffect ?? [] {
      warnings.append(.causeWithoutEffect(cause.name, microtesla: cause.microtesla))
    }
    return warnings
  }

  /// Shape parameters that are known hardly better than before the sweep.
  private static func weakParameters(of fit: SweepFit, result: CalibrationResult) -> [String] {
    (4..<Parameters.normCount).filter { index in
      result.covariance[index * Parameters.fieldCount + index].squareRoot() > 0.7 * fit.problem.priors.deviation[index]
    }.map { Parameters.names[$0] }
  }
}
