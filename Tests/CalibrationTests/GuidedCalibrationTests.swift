import Glibc
import LodestoneCore
import Instruments
import Support
import Testing

@testable import Calibration

@Suite struct GuidedCalibrationTests {
  @Test func goesFromSweepToRestsToDone() throws {
    let sweep = SimulatedSweep(seed: 3)
    var guide = GuidedCalibration()
    var phases: [CalibrationProgress.Phase] = []
    var directions = 0.0
    var used: [Sample] = []
    for sample in sweep.samples where guide.progress.phase != .done {
      used.append(sample)
      guard guide.add(sample) else { continue }
      let progress = guide.progress
      if phases.last != progress.phase { phases.append(progress.phase) }
      #expect(progress.directions >= directions)
      directions = progress.directions
      #expect((progress.nextPose != nil) == (progress.phase == .rests))
    }
    #expect(phases == [.sweep, .rests, .done])
    #expect(directions == 1)
    #expect(guide.progress.rests >= Rests.fewest)
    #expect(guide.progress.hasAccelerometer)
    #expect(guide.progress.problem == nil)
    let result = try #require(guide.finished().result)
    #expect(sweep.headingError(result.correction) < 1)
    #expect(result == Calibrator().fit(used).result)
    let accuracy = try #require(guide.progress.accuracy)
    #expect(abs(accuracy - 1.96 * (result.quality.headingErrorDegrees ?? 0)) < 1e-9)
  }

  @Test func saysWhatIsMissing() throws {
    let sweep = SimulatedSweep(seed: 4, seconds: 5)
    let turned = try Mounting("-y,x,z")
    var guide = GuidedCalibration(mounting: turned)
    for sample in sweep.samples { guide.add(sample) }
    let progress = guide.progress
    let coverage = try #require(progress.result?.coverage)
    #expect(coverage.percent < 70)
    #expect(!progress.missing.isEmpty)
    #expect(progress.missing == coverage.missing.map { turned.matrix * $0 })
    #expect(progress.phase == .sweep && progress.request == .sweep && progress.nextPose == nil)
  }

  /// A gap of three seconds is told as a loss, and not for good; one that a pause or an unplugged device leaves is
  /// none.
  @Test(arguments: [false, true]) func aPauseIsNoLoss(isPause: Bool) {
    let sweep = SimulatedSweep(seed: 4, seconds: 20)
    var guide = GuidedCalibration()
    for sample in sweep.samples where sample.time < 5 { guide.add(sample) }
    if isPause { guide.noteBreak() }
    var (isFirst, isTold) = (true, false)
    for var sample in sweep.samples where sample.time >= 5 {
      sample.time += 3
      if isFirst { sample.flags.insert(.gap) }
      isFirst = false
      guide.add(sample)
      isTold = isTold || guide.progress.warnings.contains(.samplesLost)
    }
    #expect(isTold == !isPause)
    #expect(!guide.progress.warnings.contains(.samplesLost))
  }

  @Test func asksForTheFirstPoseThatWasNotHeld() throws {
    let sweep = SimulatedSweep(seed: 5, seconds: 40) { $0.rests = 0 }
    var guide = GuidedCalibration()
    for sample in sweep.samples { guide.add(sample) }
    #expect(guide.progress.phase == .rests)
    #expect(guide.progress.nextPose == RestPose(up: Vector3(0, 0, 1), turnDegrees: 0))
    guard case .hold = guide.progress.request else {
      Issue.record("\(guide.progress.request)")
      return
    }
  }

  /// Two seconds of lying face up before the sweep are a rest: face up is not asked for again.
  @Test func neverAsksForWhatWasHeld() throws {
    var hand = ObedientHand(seed: 6, tremor: 0.01, start: (0, 0, 0), lies: 3)
    let run = hand.calibrate()
    let first = try #require(run.asked.first)
    #expect(first.up.angle(to: Vector3(0, 0, 1)) > Angle.radians(20))
    #expect(run.progress.phase == .done && run.progress.refusal == nil)
    for (index, pose) in run.asked.enumerated() {
      #expect(!run.asked[..<index].contains { $0.up == pose.up }, "\(pose) twice")
    }
  }

  /// A guide that asks for rests after a sweep of 40 s, and its board, which lies still from there on.
  private static func swept(seed: UInt64) throws -> (GuidedCalibration, VirtualBreakout) {
    let sweep = SimulatedSweep(seed: seed, seconds: 40) { $0.rests = 0 }
    var guide = GuidedCalibration()
    for sample in sweep.samples { guide.add(sample) }
    try #require(guide.progress.phase == .rests)
    var settings = sweep.settings
    settings.motion = .still
    return (guide, VirtualBreakout(settings))
  }

  /// A rest counts as soon as it has lasted 1.2 s, not only when it ends; the share of it rises evenly until then.
  @Test func aRestCountsWhileItLasts() throws {
    var (guide, board) = try Self.swept(seed: 7)
    var (shares, counted): ([Double], Double?) = ([], nil)
    for _ in 0..<100 {
      var sample = board.next().sample
      let time = sample.time
      sample.time += 40
      guide.add(sample)
      if counted == nil {
        shares.append(guide.progress.restProgress)
        if guide.progress.rests == 1 { counted = time }
      }
    }
    let time = try #require(counted)
    #expect(time > 1.15 && time < 1.45)
    #expect(shares == shares.sorted() && shares.contains { $0 > 0.3 && $0 < 0.7 })
  }

  /// Somebody who does what is asked, missing it by up to 10° about each axis and trembling, always ends with a good
  /// calibration, in a minute at 2.5 s a pose; the accuracy shown falls on the way.
  @Test(arguments: 1...4)
  func anObedientHandEndsGood(seed: UInt64) throws {
    let starts = [(0.0, 0.0, 0.0), (120, 0, 180), (220, 90, 0), (310, 0, -90)]
    var hand = ObedientHand(seed: seed, tremor: seed % 2 == 0 ? 0.01 : 0.02, start: starts[Int(seed - 1)])
    let run = hand.calibrate()
    #expect(run.progress.phase == .done && run.progress.refusal == nil)
    #expect(run.secondsOfRests <= 60)
    let result = try #require(run.outcome.result)
    #expect(result.quality.verdict == .good && result.quality.kind == .full)
    #expect(hand.headingError(result.correction) < 2)
    let (first, last) = (try #require(run.accuracies.first), try #require(run.accuracies.last))
    #expect(last < 0.7 * first)
  }

  /// A hand that stands where it stands, whatever turn it is asked for, is never sent to a pose that counts already.
  @Test func aHandThatDoesNotTurnEndsGood() throws {
    var hand = ObedientHand(seed: 1, tremor: 0.01, start: (40, 0, 0), turns: false)
    let run = hand.calibrate()
    #expect(run.progress.phase == .done && run.progress.refusal == nil)
    #expect(run.secondsOfRests <= 60)
  }

  @Test func warnsOfDisturbance() {
    let sweep = SimulatedSweep(seed: 6, seconds: 32) {
      $0.disturbances = [.init(field: Vector3(20, 20, 20), from: 30, to: 40)]
    }
    var guide = GuidedCalibration()
    var warned = false
    for sample in sweep.samples where guide.add(sample) {
      if guide.progress.warnings.contains(.disturbed) {
        warned = true
        #expect(sample.time > 30)
      }
    }
    #expect(warned)
  }

  /// A magnet that stands beside the first half of a sweep spoils it: that is said from the third rest on, and the
  /// accuracy shown from then on is the verdict's.
  @Test func aMagnetBesideTheFirstHalfIsSaidBeforeTheEnd() throws {
    var board = VirtualBreakout(SimulatedSweep(seed: 6, seconds: 0) { $0.hasGyroscope = false }.settings)
    var guide = GuidedCalibration()
    for _ in 0..<Int(62 * board.settings.rate) {
      var (sample, truth) = board.next()
      if sample.time < 16, let field = sample.field {
        let magnet = truth.attitude.transposed * Vector3(15, 10, -8)
        sample.field = MagneticField(microtesla: field.microtesla + magnet)
      }
      guide.add(sample)
    }
    let outcome = guide.finished()
    guard case .disturbed? = outcome.refusal else {
      Issue.record("\(String(describing: outcome.refusal))")
      return
    }
    #expect(guide.progress.phase == .rests)
    #expect(guide.progress.leftOutWords?.contains("start again") == true)
  }

  @Test func namesADeadAxisWithinSeconds() {
    let sweep = SimulatedSweep(seed: 7, seconds: 6)
    var guide = GuidedCalibration()
    for sample in sweep.samples {
      var broken = sample
      broken.field = sample.field.map { MagneticField(microtesla: $0.microtesla.x, $0.microtesla.y, 0) }
      guide.add(broken)
    }
    #expect(guide.progress.problem == .stuckAxis(axis: "z", value: 0))
  }

  @Test func withoutAnAccelerometerDirectionsAreEnough() {
    let sweep = SimulatedSweep(seed: 8, seconds: 40) {
      $0.hasAccelerometer = false
      $0.rests = 0
    }
    var guide = GuidedCalibration()
    for sample in sweep.samples { guide.add(sample) }
    #expect(!guide.progress.hasAccelerometer)
    #expect(guide.progress.phase == .done)
  }

  /// A board that lies still is reminded of, not alarmed about.
  @Test(arguments: [true, false])
  func aStillBoardIsReminded(hasAccelerometer: Bool) {
    let sweep = SimulatedSweep(seed: 9, seconds: 8) {
      $0.motion = .still
      $0.hasAccelerometer = hasAccelerometer
    }
    var guide = GuidedCalibration()
    for sample in sweep.samples {
      guide.add(sample)
      if sample.time < 4.9 { #expect(guide.progress.reminder == nil) }
    }
    #expect(guide.progress.reminder == .lyingStill)
    #expect(guide.progress.problem == nil && guide.progress.warnings.isEmpty)
  }

  /// A position that is held and does not count is not said to: it is not still enough, or not under gravity alone.
  @Test func whyARestDoesNotCountIsSaid() {
    func reminders(_ force: (Double) -> Vector3) -> Set<CalibrationProgress.Reminder> {
      var settings = CalibrationSettings()
      settings.isHeld = true
      var guide = GuidedCalibration(settings: settings)
      var reminders: Set<CalibrationProgress.Reminder> = []
      for var sample in SimulatedSweep(seed: 9, seconds: 8, { $0.motion = .still }).samples {
        sample.acceleration = Acceleration(g: force(sample.time))
        guide.add(sample)
        if let reminder = guide.progress.reminder { reminders.insert(reminder) }
      }
      return reminders
    }
    #expect(reminders { _ in Vector3(0, 0, 1) } == [.alreadyHeld])
    #expect(reminders { _ in Vector3(0, 0, 1.3) } == [.forceOff])
    // A hand that twitches each 0.7 s.
    #expect(reminders { Vector3(Int($0 / 0.7) % 2 == 0 ? 0 : 0.2, 0, 1) } == [.unsteady])
  }

  /// A hand that comes back to the position that was counted last is told so at once, and shown no rest that fills.
  @Test func aPositionThatIsHeldAgainIsSaid() throws {
    var (guide, board) = try Self.swept(seed: 5)
    var (reminders, filled): (Set<CalibrationProgress.Reminder>, Double) = ([], 0)
    for index in 0..<400 {
      var sample = board.next().sample
      sample.time += 40
      // Tilted away and back for a second, after three.
      if (150..<200).contains(index), let force = sample.acceleration?.g {
        sample.acceleration = Acceleration(g: force + Vector3(0.4 * sin(Double(index)), 0, 0))
      }
      guide.add(sample)
      guard index >= 200, sample.time < 40 + 7 else { continue }
      filled = max(filled, guide.progress.restProgress)
      if sample.time > 40 + 5, let reminder = guide.progress.reminder { reminders.insert(reminder) }
    }
    #expect(guide.progress.rests == 1)
    #expect(reminders == [.alreadyHeld])
    #expect(filled < 0.5)
  }

  @Test func flatTurningIsOfferedALevelCalibration() {
    let sweep = SimulatedSweep(seed: 10, seconds: 24) { $0.motion = .spin }
    var guide = GuidedCalibration()
    var offeredAt: Double?
    for sample in sweep.samples where guide.add(sample) {
      #expect(guide.progress.accuracy == nil || guide.progress.result?.quality.kind != .level)
      if guide.progress.reminder == .onlyLevel { offeredAt = offeredAt ?? sample.time }
    }
    #expect(offeredAt.map { $0 >= 20 && $0 < 21 } ?? false)
  }

  /// Two circles, counted as they are made; swinging to and fro adds none.
  /// Level circles that are ended early are too few: nobody is told to turn a boat about all axes.
  @Test func levelCirclesEndedEarlyAreTooFew() throws {
    let sweep = SimulatedSweep(seed: 5, seconds: 60) { $0.motion = .spin }
    var guide = GuidedCalibration(isLevel: true)
    for sample in sweep.samples where guide.progress.circles < 0.4 { guide.add(sample) }
    try #require(guide.progress.circles < 1)
    #expect(guide.finished().refusal == .tooFewCircles(turned: guide.progress.circles, needed: 2))
  }

  @Test func levelCirclesAreCounted() throws {
    let sweep = SimulatedSweep(seed: 11, seconds: 60) {
      $0.motion = .spin
      $0.turnRate = 24
    }
    var guide = GuidedCalibration(isLevel: true)
    var doneAt: Double?
    for sample in sweep.samples where doneAt == nil {
      guide.add(sample)
      if guide.progress.phase == .done { doneAt = sample.time }
      #expect(guide.progress.circles < 24 * sample.time / 360 + 0.5, "at \(sample.time)")
    }
    let end = try #require(doneAt)
    #expect(end > 28 && end < 34)
    #expect(guide.progress.refusal == nil)
    #expect(guide.progress.result?.quality.kind == .level)
  }

  @Test func samplesWithoutFieldsDoNoHarm() {
    var guide = GuidedCalibration()
    for step in 0..<1000 { guide.add(Sample(time: Double(step) * 0.01)) }
    #expect(guide.progress.samples == 0 && guide.progress.phase == .waiting)
    #expect(guide.finished().refusal == .noField)
  }
}
