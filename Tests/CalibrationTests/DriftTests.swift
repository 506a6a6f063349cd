import Calibration
import LodestoneCore
import Instruments
import Testing

/// An offset that moves during the sweep: 1 µT of it is 2° of heading at a dip of 65°.
@Suite struct DriftTests {
  /// A sweep whose offset moves by `moved` µT along one direction: `course` says how much of it by a share of the time.
  private struct Moving {
    let sweep: SimulatedSweep
    let samples: [Sample]
    let moved: Vector3

    init(
      _ seed: UInt64, by distance: Double, seconds: Double = 62, course: (Double) -> Double = { $0 },
      change: (inout VirtualBreakout.Settings) -> Void = { _ in }
    ) {
      let sweep = SimulatedSweep(seed: seed, seconds: seconds, change)
      let direction = seed % 2 == 0 ? Vector3(0.6, -0.6, 0.53) : Vector3(-0.29, 0.91, 0.29)
      let moved = direction * distance
      let count = Double(sweep.samples.count)
      samples = sweep.samples.enumerated().map { index, sample in
        var sample = sample
        let share = course(Double(index) / count)
        sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + moved * share) }
        return sample
      }
      (self.sweep, self.moved) = (sweep, moved)
    }

    /// The error of a calibration once the sweep has ended, in degrees.
    func error(_ result: CalibrationResult, tilts: [Double] = [0, 10, 20, 30]) -> Double {
      let correction = Correction(
        hardIron: result.correction.hardIron - moved, softIron: result.correction.softIron)
      return sweep.headingError(correction, force: result.forceCorrection, tilts: tilts)
    }
  }

  private static func drifted(_ result: CalibrationResult) -> Double? {
    result.warnings.lazy.compactMap { if case .drifted(let microtesla) = $0 { microtesla } else { nil } }.first
  }

  @Test(arguments: [1, 2, 3] as [UInt64], [2.0, 5, 10])
  func anEvenDriftIsTakenOff(_ seed: UInt64, _ distance: Double) throws {
    let board = Moving(seed, by: distance)
    let outcome = Calibrator().fit(board.samples)
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil)
    let error = board.error(result)
    #expect(error < 0.8)
    #expect(try error < 1.2 * #require(result.quality.headingErrorDegrees))
    #expect(try abs(#require(Self.drifted(result)) - board.moved.length) < 0.7)
  }

  @Test(arguments: [1, 2] as [UInt64], [1.0, 3])
  func aStepIsFoundWhereItWas(_ seed: UInt64, _ distance: Double) throws {
    let board = Moving(seed, by: distance, course: { $0 > 0.43 ? 1 : 0 })
    let result = try #require(Calibrator().fit(board.samples).result)
    #expect(board.error(result) < 0.4)
    #expect(try abs(#require(Self.drifted(result)) - board.moved.length) < 0.2)
  }

  /// Far enough off for what came before it, or after, to look like another field: left out, the calibration would hold
  /// for the wrong side of the step.
  @Test(arguments: [1, 2, 3, 4] as [UInt64], [0.5, 0.65, 0.75])
  func aStepThatLooksLikeAnotherFieldIsAStep(_ seed: UInt64, _ place: Double) throws {
    let board = Moving(seed, by: 30, course: { $0 > place ? 1 : 0 })
    let outcome = Calibrator().fit(board.samples)
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil && result.quality.verdict == .good)
    #expect(board.error(result) < 0.5)
    #expect(try abs(#require(Self.drifted(result)) - board.moved.length) < 0.5)
  }

  /// Iron that comes near while the board rests at the end changes the norm much as a step does; the rests contradict
  /// that.
  @Test(arguments: [2, 3] as [UInt64])
  func ironNearTheLastRestsIsNoStep(_ seed: UInt64) throws {
    let sweep = SimulatedSweep(seed: seed)
    var breakout = VirtualBreakout(sweep.settings)
    let samples = sweep.samples.map { sample in
      let attitude = breakout.next().truth.attitude
      var sample = sample
      guard sample.time > 50 else { return sample }
      let added = sweep.sensor.distortion * (attitude.transposed * Vector3(-12, 12, 12))
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + added) }
      return sample
    }
    let result = try #require(Calibrator().fit(samples).result)
    #expect(result.quality.kind == .full && Self.drifted(result) == nil)
    #expect(sweep.headingError(result.correction, force: result.forceCorrection) < 0.5)
  }

  /// An instrument that is only held, whose offset moves from the first of sixteen positions to the last.
  @Test(arguments: [1, 2, 3] as [UInt64], [3.0, 8])
  func aDriftWhilePositionsAreHeldIsTakenOff(_ seed: UInt64, _ distance: Double) throws {
    let (dance, each, count) = (40.0, 2.6, 16)
    let seconds = dance + 1 + each * Double(count)
    let board = Moving(
      seed, by: distance, seconds: seconds, course: { max(0, ($0 * seconds - dance) / (seconds - dance)) }
    ) { $0.rests = count }
    let held = board.samples.filter { sample in
      let place = (sample.time - dance) / each
      return place > 0 && place < Double(count) && (place - place.rounded(.down)) * each > 1.05
    }
    var settings = CalibrationSettings()
    settings.isHeld = true
    let outcome = Calibrator(settings: settings).fit(held)
    let result = try #require(outcome.result)
    #expect(outcome.refusal == nil && result.quality.method == .held)
    let error = board.error(result)
    #expect(try error < 1 && error < 1.2 * #require(result.quality.headingErrorDegrees))
    #expect(try abs(#require(Self.drifted(result)) - board.moved.length) < 1)
  }

  /// A chip that warms up: most of the way in the first third.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func aChipThatWarmsUpIsPredicted(_ seed: UInt64) throws {
    let board = Moving(seed, by: 6, course: { 1 - 1 / (1 + 3 * $0 + 4.5 * $0 * $0 + 4.5 * $0 * $0 * $0) })
    let outcome = Calibrator().fit(board.samples)
    let result = try #require(outcome.result)
    #expect(try board.error(result) < 1.2 * #require(result.quality.headingErrorDegrees))
  }

  @Test(arguments: [1, 2] as [UInt64])
  func withoutRestsTheHardIronIsTheLastOne(_ seed: UInt64) throws {
    let board = Moving(seed, by: 5, change: { ($0.rests, $0.misalignment) = (0, 0) })
    let result = try #require(Calibrator().fit(board.samples).result)
    #expect(board.error(result) < 0.5)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func aGyroscopeTellsADriftOfAShortMotion(_ seed: UInt64) throws {
    let board = Moving(
      seed, by: 3, seconds: 10, change: { ($0.motion, $0.swing, $0.gyroscopeBias) = (.wiggle, 45, 1) })
    let result = try #require(Calibrator().fit(board.samples).result)
    #expect(result.quality.method == .gyroscope)
    #expect(board.error(result) < 0.8)
    #expect(Self.drifted(result) != nil)
  }

  /// A level turn hardly tells a drift from soft iron.
  @Test func aLevelTurnWithADriftIsRefusedForIt() {
    let board = Moving(2, by: 5, seconds: 30, change: { ($0.motion, $0.misalignment) = (.spin, 0) })
    guard case .drifting(let microtesla, _) = Calibrator().fit(board.samples).refusal else {
      Issue.record("not refused for its drift")
      return
    }
    #expect(abs(microtesla - board.moved.length) < 2)
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func whatStayedHasNoDrift(_ seed: UInt64) throws {
    let board = Moving(seed, by: 0)
    #expect(Self.drifted(try #require(Calibrator().fit(board.samples).result)) == nil)
  }
}
