import LodestoneCore

// From samples to a verdict.
//
// 1. Samples that are no measurements of their own are set aside, and what cannot be fitted is said at once.
// 2. The norm alone, from several starts: hard iron, symmetric soft iron, field strength.
// 3. Stretches of time in which the field changed are cut out, and the fit repeated.
// 4. The axes: which signed permutation keeps the angle between field and gravity in rests, or turns with the
// gyroscope. 5. With rests enough, all parameters with gravity, the accelerometer's zeros among them; else the rotation
// is that
//    which a gyroscope shows, or stays at none, and its possible size becomes part of the prediction.
// 6. The covariance, by the correlation the residuals really have, and the disagreement of eight parts of the sweep;
// from
//    both the heading error in degrees.

/// Fits calibrations.
public struct Calibrator: Sendable {
  /// The settings of the fit, known beforehand.
  public var settings: CalibrationSettings

  /// A calibrator with what is known beforehand.
  public init(settings: CalibrationSettings = CalibrationSettings()) { self.settings = settings }

  /// Fits a recording.
  public func fit(_ samples: some Sequence<Sample>) -> CalibrationOutcome {
    takesOffCauses ? fit(Array(samples)) : fit(Sweep(samples))
  }

  private var takesOffCauses: Bool { !settings.causes.isEmpty || settings.before?.profile.causes.isEmpty == false }

  /// Fits a recording that is in memory: the same in less time.
  public func fit(_ samples: [Sample]) -> CalibrationOutcome {
    if !settings.causes.isEmpty { return fit(withCauses: samples) }
    guard var removal = settings.before?.causeRemoval else { return fit(Sweep(samples)) }
    return fit(
      Sweep(
        samples.lazy.map { sample in
          var sample = sample
          _ = removal.remove(from: &sample)
          return sample
        }))
  }

  /// Finds what causes do, takes it off, and fits what is left.
  private func fit(withCauses samples: [Sample]) -> CalibrationOutcome {
    if let problem = problem(of: Sweep(samples)) { return CalibrationOutcome(refusal: problem) }
    do {
      let causes = try CauseFit(samples, settings)
      return fit(Sweep(causes.removed(from: samples)), causes)
    } catch {
      return CalibrationOutcome(refusal: error)
    }
  }

  private func problem(of sweep: Sweep) -> CalibrationRefusal? { Sanity.problem(of: sweep, isHeld: settings.isHeld) }

  /// The expected strength of the field, in µT.
  var strength: Double { settings.place?.fieldStrength ?? 48 }

  /// A fit's outcome but for the gyroscope, which is looked at once it is settled which fit is taken.
  private typealias Judged = (judgement: Judgement, draft: CalibrationOutcome)

  private func judged(_ fit: SweepFit) -> Judged {
    let judgement = Judgement(fit)
    return (judgement, judgement.draft)
  }

  private func ordinary(_ fit: SweepFit) -> Judged {
    let ordinary = judged(fit)
    guard ordinary.draft.headingError > Verdict.fair, let without = fit.withoutFewRests.map(judged) else {
      return ordinary
    }
    // Rests that make a usable calibration poor are taken for none: they contradict the sweep, or each other.
    return ordinary.draft.headingError <= without.draft.headingError ? ordinary : without
  }

  private func touchedUp(_ input: FitInput, _ earlier: EarlierCalibration) throws(CalibrationRefusal) -> SweepFit {
    try SweepFit(input, touchingUp: earlier).withoutDrift { input throws(CalibrationRefusal) in
      try SweepFit(input, touchingUp: earlier)
    }
  }

  /// The better of a sweep by its gyroscope and without. One whose axes are not the accelerometer's is left out.
  private func turned(_ fit: SweepFit, by finding: VectorFinding, or best: Judged) -> Judged {
    guard !finding.isOfOtherAxes else {
      var best = best
      best.draft.result?.add(.gyroscopeLeftOut)
      return best
    }
    let turned = judged(fit.turned(by: finding))
    return isBetter(turned.draft, than: best.draft) ? turned : best
  }

  private func isBetter(_ one: CalibrationOutcome, than other: CalibrationOutcome) -> Bool {
    one.headingError < other.headingError && (one.refusal == nil || other.refusal != nil)
  }

  /// The outcome of a level sweep, where it is refused without a drift too, and not for what that makes of its circle.
  private func planar(_ fit: SweepFit) -> Judged? {
    let planar = judged(fit)
    let isUneven = planar.draft.result?.warnings.contains { $0 == .uneven } ?? false
    return planar.draft.refusal == nil || isUneven ? nil : planar
  }

  func fit(_ sweep: Sweep, _ causes: CauseFit? = nil) -> CalibrationOutcome {
    if let problem = problem(of: sweep) { return CalibrationOutcome(refusal: problem) }
    var outcome = fitted(sweep, causes)
    if let stuck = Sanity.stuckRate(sweep) { outcome.result?.add(.gyroscopeStuck(axis: stuck.name)) }
    return outcome
  }

  private func fitted(_ sweep: Sweep, _ causes: CauseFit?) -> CalibrationOutcome {
    do {
      var input = FitInput(settings: settings, strength: strength, sweep: sweep)
      input.causes = causes
      if let facing = settings.facing { return Judgement(try SweepFit(input, facing: facing)).outcome }
      if !settings.isHeld { input.sweep = sweep.withoutLongRests }
      if settings.earlier == nil, let held = HeldPositions(input.sweep, isTold: settings.isHeld) {
        return Judgement(try SweepFit.held(input, held)).outcome
      }
      if let earlier = settings.earlier { return Judgement(try touchedUp(input, earlier)).outcome }
      let (fit, still) = try SweepFit.swept(input)
      var best = ordinary(fit)
      // A drift is what is in the way only where it alone is.
      if case .drifting = best.draft.refusal, fit.kind == .level, let still { best = planar(still) ?? best }
      // A gyroscope tells what too few directions did not, or the rotation that rests did not settle.
      if best.draft.refusal != nil || !fit.isSettledByRests, fit.gravity.hasForce, let finding = fit.turning {
        best = turned(fit, by: finding, or: best)
      }
      for aligned in fit.aligned.map(judged) where isBetter(aligned.draft, than: best.draft) { best = aligned }
      return best.judgement.completed(best.draft)
    } catch {
      return CalibrationOutcome(refusal: error)
    }
  }
}

extension CalibrationOutcome {
  /// Predicted, in degrees; 180 where it is unknown.
  fileprivate var headingError: Double { result?.quality.headingErrorDegrees ?? 180 }

  init(refusal: CalibrationRefusal) { self.init(result: nil, refusal: refusal, next: nil) }
}
