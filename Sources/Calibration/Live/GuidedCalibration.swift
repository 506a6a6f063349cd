import LodestoneCore

// The one procedure behind every face: a terminal's screen, its lines, a browser's page.
//
// Every sample is kept for the end (bounded); beside them stands a sketch: points picked when the field has moved on
// by a fortieth of what it spans, at most 500 and then every second is dropped. Up to four times a second, where it has
// grown, the sketch is fitted by the same steps as a whole sweep, from where the last fit ended, so an update costs the
// same after ten minutes as after one. From the eighth rest on, the whole sweep is fitted after each: what the guide
// calls done is what the verdict will be.

/// A calibration guided as it is made: samples in, and out comes what to do next and how far it has come.
public struct GuidedCalibration: Sendable {
  /// Seconds between two updates.
  private static let updateInterval = 0.25
  private static let mostPoints = 500
  /// Seconds without a sample that are a gap.
  private static let longestStep = 0.5
  /// Poses and rolled shots asked for before it ends with what it has.
  private static let (mostPoses, mostShots) = (22, 16)

  /// How far it has come.
  public private(set) var progress = CalibrationProgress()
  private let calibrator: Calibrator
  private let mounting: Mounting
  /// Whether it guides level circles.
  public private(set) var isLevel: Bool
  private var sweep = Sweep()
  private var sketch = SketchPoints(capacity: mostPoints)
  private var tracker = RestTracker()
  private var watch = SweepWatch()
  private var poses = PoseSequence()
  /// Rests before the first rolled shot, and shots since.
  private var (restsBeforeShots, shotsTaken) = (0, 0)
  private var shotReminder: CalibrationProgress.Reminder?
  private var parameters: Parameters?
  private var deviation = 0.0
  private var outcome: CalibrationOutcome?
  /// Whether the whole sweep was fitted: the sketch, which does not see how its parts disagree, tells no accuracy then.
  private var isJudged = false
  private var fitted: (points: Int, rests: Int) = (0, 0)
  private var (firstTime, lastTime) = (Double?.none, 0.0)
  private var nextUpdate = 0.0
  private var hasMoved = true
  /// The field when it was last seen to change: a board that turns level is not still.
  private var turn: (field: Vector3, time: Double)?
  private var (askedAt, touchedUpAt) = (0.0, 0.0)

  /// A calibration that has not begun.
  /// - Parameters:
  ///   - mounting: how the chip sits in the device: poses and directions are given in the device frame.
  ///   - isLevel: for a board that cannot be tilted, in a boat or a car; two level circles, and the calibration holds
  ///     near level only.
  public init(
    settings: CalibrationSettings = CalibrationSettings(), mounting: Mounting = .aligned, isLevel: Bool = false
  ) {
    calibrator = Calibrator(settings: settings)
    self.mounting = mounting
    self.isLevel = isLevel
    if settings.earlier != nil {
      progress.method = .touchUp
    } else if settings.isHeld {
      progress.method = .held
      progress.restsNeeded = HeldPositions.enough
      poses = PoseSequence(RestPose.held)
    }
    progress.target = settings.target * Quantile.normal
  }

  /// Notes the end of a pause or of an absence of the device: the samples that are missing were not lost.
  public mutating func noteBreak() { watch.expectsGap = true }

  /// Goes on as a level calibration, with the samples there are.
  public mutating func continueLevel() {
    isLevel = true
    fitted = (0, 0)
  }

  /// Takes a sample; true when more of `progress` has changed than the rest under way.
  @discardableResult
  public mutating func add(_ sample: Sample) -> Bool {
    let (isNew, row): (Bool, SweepPoint?) =
      switch sweep.add(sample) {
      case .nothing: (false, nil)
      case .repetition(let row): (false, row)
      case .measurement(let row): (true, row)
      }
    watch.note(sample, isNew: isNew, isStill: tracker.finder.isStill)
    guard let field = sample.field, let measurement = row else { return updateIfDue(at: sample.time) }
    let start = firstTime ?? sample.time
    firstTime = start
    if sample.time - lastTime > Self.longestStep, lastTime > start { watch.noteGap() }
    lastTime = sample.time
    noteTurn(field.microtesla, at: sample.time)
    progress.hasAccelerometer = measurement.force != nil
    progress.fieldDirection = progress.result.flatMap {
      (mounting.matrix * $0.correction.apply(to: field).field.microtesla).direction
    }
    progress.up = measurement.force.flatMap {
      (mounting.matrix * $0 * (progress.result?.axes.accelerometerIsReversed == true ? -1 : 1)).direction
    }
    guard !watch.isDisturbed(measurement, parameters: parameters, deviation: deviation) else {
      return updateIfDue(at: sample.time)
    }
    if isNew { sketch.add(measurement) }
    let step = tracker.add(measurement, time: sample.time, centre: centre)
    progress.restProgress = tracker.progress
    if step != .none, take(step) { nextUpdate = sample.time }
    return updateIfDue(at: sample.time)
  }

  /// The calibration of all that was collected, as a recording of it would be fitted.
  public func finished() -> CalibrationOutcome {
    if let outcome { return outcome }
    var whole = calibrator.fit(sweep)
    if isLevel, progress.circles < progress.circlesNeeded, whole.refusal?.asksForMotion == true {
      whole.refusal = .tooFewCircles(turned: progress.circles, needed: progress.circlesNeeded)
    }
    return whole
  }

  // MARK: Updates

  private var centre: Vector3 { parameters?.hardIron ?? .zero }

  private mutating func updateIfDue(at time: Double) -> Bool {
    guard time >= nextUpdate || time < nextUpdate - 2 * Self.updateInterval else { return false }
    nextUpdate = time + Self.updateInterval
    (progress.samples, progress.seconds) = (sweep.received, lastTime - (firstTime ?? lastTime))
    progress.warnings = watch.warnings
    if progress.phase != .done {
      switch progress.method {
      case .held: settleHeld()
      case .touchUp: settleTouchUp()
      default:
        refit()
        settlePhase()
      }
    }
    progress.reminder = reminder(at: time)
    return true
  }

  private mutating func refit() {
    guard sketch.points.count >= Sanity.fewest else {
      progress.problem = sweep.received > 100 ? problemOfSketch : nil
      return
    }
    let now = (sketch.points.count, tracker.rests.all.count)
    guard fitted != now || !hasMoved, outcome == nil else { return }
    fitted = now
    hasMoved = true
    progress.problem = problemOfSketch
    guard progress.problem == nil else { return forget(nil) }
    let fit: SweepFit
    do {
      fit = try SweepFit(sketchInput)
    } catch {
      return forget(error)
    }
    let outcome = Judgement(fit).outcome
    guard let result = outcome.result else { return forget(outcome.refusal) }
    deviation = fit.problem.deviation
    if isJudged { noteRests() } else { show(outcome, headingError: forecast(result.quality)) }
    tracker.expect(
      strength: fit.estimate.parameters.strength / fit.scale, noise: fit.problem.deviation / fit.scale)
    // A start from far off is tried again while the directions are few: the first valley may be the wrong one.
    parameters = result.coverage.percent > 2 * Coverage.least || fit.kind == .full ? fit.estimate.parameters : nil
  }

  private var sketchInput: FitInput {
    FitInput(
      settings: calibrator.settings, strength: calibrator.strength, sweep: sketchSweep,
      sketch: FitInput.Sketch(rests: tracker.rests), earlier: parameters)
  }

  /// The heading error while rests are too few to solve the rotation between the chips: the unknown part of it shrinks
  /// evenly from rest to rest, slower than simulated sweeps have it.
  private func forecast(_ quality: CalibrationQuality) -> Double? {
    guard quality.kind == .normOnly, progress.hasAccelerometer, let whole = quality.headingErrorDegrees,
      let aligned = quality.headingErrorAlignedDegrees, whole > aligned
    else { return quality.headingErrorDegrees }
    let left = 1 - Double(min(quality.rests, Rests.needed)) / Double(Rests.needed)
    return (aligned * aligned + (whole * whole - aligned * aligned) * left * left).squareRoot()
  }

  private mutating func show(_ outcome: CalibrationOutcome, headingError: Double?) {
    guard let result = outcome.result else { return }
    (progress.result, progress.refusal) = (result, outcome.refusal)
    let error = isLevel || result.quality.kind != .level ? headingError : nil
    progress.accuracy = error.map { $0 * Quantile.normal }.flatMap { $0 < 180 ? $0 : nil }
    progress.met = result.coverage.met.map { mounting.matrix * $0 }
    progress.missing = result.coverage.missing.map { mounting.matrix * $0 }
    if progress.method == .held { progress.laser = result.laser.map { $0.turned(by: mounting) } }
    noteRests()
  }

  private mutating func noteRests() {
    if progress.method == nil { progress.rests = tracker.rests.distinct(centre: centre) }
  }

  private mutating func forget(_ problem: CalibrationRefusal?) {
    parameters = nil
    switch problem {
    case .noMotion?: hasMoved = false  // It has only not begun.
    default: progress.problem = progress.problem ?? problem
    }
  }

  /// The problem that no turning solves; nil for none. Too few points are none yet: the sweep has only begun.
  private var problemOfSketch: CalibrationRefusal? {
    let problem = Sanity.problem(of: sketchSweep)
    if case .tooFewSamples = problem { return nil }
    return problem
  }

  private var sketchSweep: Sweep { sweep.replacingMeasurements(with: sketch.points) }

  // MARK: Steps

  /// Percent of the sphere that must be met before rests are asked for, and without an accelerometer, where directions
  /// are all there is.
  private var coverageNeeded: Double { progress.hasAccelerometer ? 75 : 85 }

  private mutating func settlePhase() {
    if isLevel { return settleCircles() }
    guard progress.problem == nil, let result = progress.result else {
      progress.phase = progress.samples == 0 ? .waiting : .sweep
      return
    }
    let percent = result.quality.coveragePercent
    progress.directions = max(progress.directions, min(1, percent / coverageNeeded))
    if !progress.hasAccelerometer {
      let isEnough =
        percent >= coverageNeeded && isWithinTarget(result.quality.headingErrorAlignedDegrees)
      progress.phase = .sweep
      if isEnough, progress.refusal == nil { finishUnlessRefused() }
      return
    }
    guard progress.phase != .rests else { return }
    progress.phase = progress.directions < 1 ? .sweep : .rests
    if progress.phase == .rests { askNext() }
  }

  /// Takes a rest that has just begun to count; true when the screen should know at once.
  private mutating func take(_ step: RestTracker.Step) -> Bool {
    if progress.phase == .rolls { return takeShot() }
    guard progress.phase == .rests else { return false }
    poses.answer()
    if progress.method == .held {
      progress.rests += 1
      if progress.rests >= HeldPositions.fewest { judgeWhole() }
    } else if step == .new, tracker.rests.distinct(centre: centre) >= Rests.fewest {
      judgeWhole()
    }
    if progress.phase == .rests { askNext() }
    return true
  }

  /// Fits everything; done when that reaches the target, or when further poses do not help.
  private mutating func judgeWhole() {
    let whole = calibrator.fit(sweep)
    guard let quality = whole.result?.quality else { return }
    (isJudged, progress.isUneven) = (true, whole.refusal != nil && whole.next == .turnAbout)
    show(whole, headingError: quality.headingErrorDegrees)
    if progress.method == nil { progress.restsLeftOut = max(0, progress.rests - quality.rests) }
    let isEnough =
      quality.kind == .full && whole.refusal == nil && isWithinTarget(quality.headingErrorDegrees)
      && (progress.method == nil || progress.rests >= progress.restsNeeded)
    guard isEnough || poses.answered.count >= Self.mostPoses else { return }
    if calibrator.settings.asksForLaser, !isAimed { askForShots() } else { finish(whole) }
  }

  private func isWithinTarget(_ degrees: Double?) -> Bool { (degrees ?? 180) <= calibrator.settings.target }

  /// Ends with all that was collected; goes on where that is refused though the sketch of it was not.
  private mutating func finishUnlessRefused() {
    let whole = calibrator.fit(sweep)
    if whole.refusal == nil { finish(whole) } else { progress.refusal = whole.refusal }
  }

  private mutating func finish(_ whole: CalibrationOutcome) {
    show(whole, headingError: whole.result?.quality.headingErrorDegrees)
    outcome = whole
    (progress.nextPose, progress.nextShot) = (nil, nil)
    progress.phase = .done
  }

  private mutating func askNext() {
    let held =
      progress.method == .held
      ? [] : tracker.rests.attitudes(centre: centre).map { mounting.matrix * $0.up }
    poses.askNext(held: held)
    if poses.asked != progress.nextPose { askedAt = lastTime }
    progress.nextPose = poses.asked
  }

  private mutating func settleCircles() {
    progress.phase = progress.samples == 0 ? .waiting : .circles
    guard progress.problem == nil else { return }
    progress.circles = LevelTurn(sketch.points).turns
    guard progress.circles >= progress.circlesNeeded else { return }
    let whole = calibrator.fit(sweep)
    if whole.refusal == nil || progress.circles >= 2 * progress.circlesNeeded { finish(whole) }
  }

  /// One position after the other, and nothing between them.
  private mutating func settleHeld() {
    if progress.phase != .rolls { progress.phase = progress.samples == 0 ? .waiting : .rests }
    progress.problem = sweep.received > 100 ? Sanity.problem(of: sweep).flatMap { $0.isOfTheDevice ? $0 : nil } : nil
    progress.directions = min(1, Double(progress.rests) / Double(progress.restsNeeded))
    if progress.phase == .rests { askNext() }
  }

  /// Whether the laser's axis is known as well as is wanted.
  private var isAimed: Bool { progress.laser.map { $0.deviation <= calibrator.settings.laserTarget } ?? false }

  private mutating func askForShots() {
    restsBeforeShots = tracker.rests.all.count
    progress.phase = .rolls
    progress.nextPose = nil
    askForShot()
  }

  private mutating func askForShot() {
    progress.nextShot = AimedShot(after: progress.nextShot, progress.shots)
    askedAt = lastTime
  }

  /// Any rest is a shot. All that was held is fitted after each: shots are positions too. One mark alone may tell the
  /// axis, but less well than it seems: what the calibration is off by there goes with the instrument as it is rolled.
  private mutating func takeShot() -> Bool {
    progress.rests += 1
    shotsTaken += 1
    let whole = calibrator.fit(sweep)
    guard let result = whole.result else { return true }
    show(whole, headingError: result.quality.headingErrorDegrees)
    progress.shots =
      RolledShots(
        Array(tracker.rests.all.dropFirst(restsBeforeShots)), result.correction, result.forceCorrection
      ).counts
    shotReminder = progress.nextShot?.reminder(progress.shots)
    let marks = progress.shots.filter { $0 >= RolledShots.fewest }.count
    let isEnough = isAimed && marks >= CalibrationProgress.marksNeeded
    if isEnough || shotsTaken >= Self.mostShots { finish(whole) } else { askForShot() }
    return true
  }

  /// Seconds of a touch-up before it is first looked at, between two looks, and before it may end.
  private static let (firstLook, look, shortestTouchUp) = (3.0, 1.0, 8.0)

  /// Any motion serves: the whole of it is fitted once a second.
  private mutating func settleTouchUp() {
    progress.phase = progress.samples == 0 ? .waiting : .sweep
    guard progress.seconds >= max(Self.firstLook, touchedUpAt + Self.look) else { return }
    touchedUpAt = progress.seconds
    let whole = calibrator.fit(sweep)
    progress.problem =
      whole.refusal == .softIronChanged && progress.seconds > Self.shortestTouchUp ? .softIronChanged : nil
    show(whole, headingError: whole.result?.quality.headingErrorDegrees)
    guard let error = whole.result?.quality.headingErrorDegrees else { return }
    progress.directions = max(progress.directions, min(1, calibrator.settings.target / max(error, 1e-3)))
    if whole.refusal == nil, isWithinTarget(error), progress.seconds >= Self.shortestTouchUp { finish(whole) }
  }

  // MARK: Reminders

  /// Seconds of stillness, or of moving on, after which a word helps.
  private static let patience = 5.0

  /// A field that changes by this share of it has been turned.
  private static let turnShare = 0.05

  private mutating func noteTurn(_ field: Vector3, at time: Double) {
    if let turn, time >= turn.time, (field - turn.field).length < Self.turnShare * field.length { return }
    turn = (field, time)
  }

  private func reminder(at time: Double) -> CalibrationProgress.Reminder? {
    let isStill =
      tracker.stillSince.map { time - $0 >= Self.patience } ?? (!hasMoved && progress.seconds >= Self.patience)
    let isUnturned = turn.map { time - $0.time >= Self.patience } ?? true
    switch progress.phase {
    case .sweep where isStill && isUnturned, .circles where isStill && isUnturned: return .lyingStill
    case .sweep where progress.seconds >= 20 && progress.directions < 0.5 && LevelTurn(sketch.points).isOnlyLevel:
      return .onlyLevel
    case .rolls where shotReminder != nil: return shotReminder
    case .rests where isStill || tracker.isHeldAgain, .rolls where isStill || tracker.isHeldAgain:
      return tracker.hasCounted ? .alreadyHeld : tracker.finder.isForceOff ? .forceOff : .unsteady
    case .rests, .rolls: return unrest(at: time)
    default: return nil
    }
  }

  /// The reminder for a hand that has not come to rest for long; nil for none.
  private func unrest(at time: Double) -> CalibrationProgress.Reminder? {
    let isMovingOn = tracker.movingSince.map { time - max($0, askedAt) >= Self.patience } ?? false
    guard isMovingOn || time - askedAt >= 2 * Self.patience && !progress.isKeptStill else { return nil }
    return tracker.movingSince == nil ? .unsteady : .stillMoving
  }
}
