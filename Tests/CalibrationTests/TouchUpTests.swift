import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// Saved calibrations whose hard iron has moved, refined by a little motion.
@Suite struct TouchUpTests {
  /// A board with a saved calibration whose hard iron, and soft iron where it says so, are others now.
  private struct Board {
    let sweep: SimulatedSweep
    let earlier: EarlierCalibration
    private let moved: Vector3
    private let stretched: Matrix3
    private let before: Vector3

    init(seed: UInt64, moved length: Double, softIron: Double = 0, swing: Double, hasGyroscope: Bool) throws {
      let full = SimulatedSweep(seed: seed)
      let result = try #require(Calibrator().fit(full.samples).result)
      earlier = try #require(EarlierCalibration(Profile(result, device: "board", created: 0)))
      sweep = SimulatedSweep(seed: seed, seconds: 20) {
        ($0.motion, $0.swing, $0.hasGyroscope, $0.gyroscopeBias) = (.wiggle, swing, hasGyroscope, 1)
        ($0.heading, $0.seed) = (Double(seed * 77 % 360), seed + 5000)
      }
      var random = RandomNumbers(seed: seed + 9000)
      func vector() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) }
      moved = (vector().direction ?? Vector3(1, 0, 0)) * length
      let (own, off) = (vector() * softIron, vector() * softIron)
      stretched =
        Matrix3.identity
        + Matrix3(Vector3(own.x, off.x, off.y), Vector3(off.x, own.y, off.z), Vector3(off.y, off.z, own.z))
      before = full.sensor.hardIron
    }

    /// The board's samples now.
    var samples: [Sample] {
      sweep.samples.map { sample in
        var sample = sample
        sample.field = sample.field.map {
          MagneticField(microtesla: stretched * ($0.microtesla - before) + before + moved)
        }
        return sample
      }
    }

    func headingError(_ correction: Correction, force: ForceCorrection) -> Double {
      let back = (stretched.inverse ?? .identity) * (before + moved - correction.hardIron)
      return sweep.headingError(
        Correction(hardIron: before - back, softIron: correction.softIron * stretched), force: force)
    }

    var outcome: CalibrationOutcome {
      var settings = CalibrationSettings()
      settings.earlier = earlier
      return Calibrator(settings: settings).fit(samples)
    }
  }

  /// An offset that goes 3 µT on while it is touched up, without a gyroscope: the last one is found.
  @Test(arguments: [1, 2, 3] as [UInt64]) func aDriftIsTakenOff(_ seed: UInt64) throws {
    let board = try Board(seed: seed, moved: 10, swing: 60, hasGyroscope: false)
    let drift = Vector3(1.8, -1.8, 1.6)
    let count = Double(board.samples.count)
    let drifting = board.samples.enumerated().map { index, sample in
      var sample = sample
      let share = Double(index) / count - 1
      sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + drift * share) }
      return sample
    }
    var settings = CalibrationSettings()
    settings.earlier = board.earlier
    let result = try #require(Calibrator(settings: settings).fit(drifting).result)
    #expect(board.headingError(result.correction, force: result.forceCorrection) < 1)
    #expect(result.warnings.contains { if case .drifted = $0 { true } else { false } })
  }

  private static func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
  }

  @Test(arguments: [20.0, 35, 60], [true, false])
  func aMovedHardIronIsFound(swing: Double, hasGyroscope: Bool) throws {
    var (errors, stated, refused) = ([Double](), [Double](), 0)
    for (index, seed) in (201...208 as ClosedRange<UInt64>).enumerated() {
      let board = try Board(seed: seed, moved: 5 * Double(index + 1), swing: swing, hasGyroscope: hasGyroscope)
      let outcome = board.outcome
      guard outcome.refusal == nil, let result = outcome.result else {
        refused += 1
        continue
      }
      #expect(result.quality.method == .touchUp && result.quality.kind == .full)
      errors.append(board.headingError(result.correction, force: result.forceCorrection))
      stated.append(result.quality.headingErrorDegrees ?? 180)
    }
    let (error, said) = (Self.rootMeanSquare(errors), Self.rootMeanSquare(stated))
    // A soft iron that has not changed is taken for changed in one of many.
    #expect(refused <= 1)
    #expect(error <= 0.8 && error <= 1.2 * said, "\(error), stated \(said)")
  }

  /// Turns on a table tell the hard iron upright by the strength and the dip alone: one that did not move stays,
  /// however often it is touched up, and one that surely did is found. Headings stay within what is stated.
  @Test(arguments: [0.0, 12], [true, false])
  func whatTurnsOnATableDoNotTellStays(moved: Double, hasGyroscope: Bool) throws {
    let upright = Vector3(0, 0, moved)
    for seed in 301...304 as ClosedRange<UInt64> {
      let full = SimulatedSweep(seed: seed)
      let first = try #require(Calibrator().fit(full.samples).result)
      var profile = Profile(first, device: "board", created: 0)
      for time in 0..<3 {
        let turns = SimulatedSweep(seed: seed, seconds: 25) {
          ($0.motion, $0.wobble, $0.hasGyroscope) = (.spin, 0.5, hasGyroscope)
          ($0.seed, $0.heading) = (seed * 100 + UInt64(time) + 77_000, Double((Int(seed) * 77 + time * 50) % 360))
        }
        var settings = CalibrationSettings()
        settings.earlier = EarlierCalibration(profile)
        let samples = turns.samples.map { sample in
          var sample = sample
          sample.field = sample.field.map { MagneticField(microtesla: $0.microtesla + upright) }
          return sample
        }
        let outcome = Calibrator(settings: settings).fit(samples)
        #expect(outcome.refusal == nil)
        let result = try #require(outcome.result)
        let correction = result.correction
        let off = correction.hardIron.z - first.correction.hardIron.z - moved
        #expect(abs(off) < (moved == 0 ? 0.1 : 3), "\(seed), touched up \(time + 1) times: \(off) µT off")
        let error = turns.headingError(
          Correction(hardIron: correction.hardIron - upright, softIron: correction.softIron),
          force: result.forceCorrection)
        #expect(error <= 2 * (result.quality.headingErrorDegrees ?? 0), "\(seed): \(error)")
        profile = Profile(result, device: "board", created: 0)
      }
    }
  }

  /// A soft iron that has changed too is refused where the motion shows it; where not, the statement is not far off.
  @Test(arguments: [true, false])
  func aChangedSoftIronIsNotPassedOver(hasGyroscope: Bool) throws {
    var refused = 0
    for seed in 221...228 as ClosedRange<UInt64> {
      let board = try Board(seed: seed, moved: 15, softIron: 0.06, swing: 60, hasGyroscope: hasGyroscope)
      let outcome = board.outcome
      guard outcome.refusal == nil, let result = outcome.result else {
        refused += 1
        continue
      }
      let error = board.headingError(result.correction, force: result.forceCorrection)
      let stated = result.quality.headingErrorDegrees ?? 0
      #expect(error <= 1.5 * stated, "\(seed): \(error), stated \(stated)")
    }
    #expect(refused >= 4, "\(refused)")
  }

  /// Another board under the old one's calibration, without a gyroscope: its norm contradicts the old soft iron,
  /// however far its hard iron is from the old.
  @Test(arguments: [23, 31, 43] as [UInt64]) func anotherBoardIsRefused(_ seed: UInt64) throws {
    let result = try #require(Calibrator().fit(SimulatedSweep(seed: seed).samples).result)
    let other = SimulatedSweep(seed: seed + 5000, seconds: 30) {
      ($0.sensor, $0.heading, $0.rests) = (seed + 4000, Double(seed * 77 % 360), 0)
      ($0.hasGyroscope, $0.gyroscopeBias) = (false, 1)
    }
    var settings = CalibrationSettings()
    settings.earlier = EarlierCalibration(Profile(result, device: "board", created: 0))
    #expect(Calibrator(settings: settings).fit(other.samples).refusal == .softIronChanged)
  }

  /// The gain of a gyroscope comes from a full sweep: a touch-up keeps the earlier one as it is, and finds none of its
  /// own.
  @Test(arguments: [20.0, 30]) func theGainStaysAsItIs(swing: Double) throws {
    let board = try Board(seed: 241, moved: 15, swing: swing, hasGyroscope: true)
    let earlier = try #require(board.earlier.profile.gyroscopeGain)
    let result = try #require(board.outcome.result)
    #expect(result.gyroscopeGain == earlier)
    var profile = board.earlier.profile
    profile.gyroscopeGain = nil
    var settings = CalibrationSettings()
    settings.earlier = EarlierCalibration(profile)
    let without = try #require(Calibrator(settings: settings).fit(board.samples).result)
    #expect(without.gyroscopeGain == nil && without.quality.method == .touchUp)
  }

  /// What no touch-up changes stays: the gyroscope's figures of a profile, for a motion too short to tell them.
  @Test func whatTheMotionDoesNotTellStays() throws {
    let board = try Board(seed: 231, moved: 10, swing: 35, hasGyroscope: true)
    let result = try #require(board.outcome.result)
    #expect(result.gyroscopeGain != nil)
    #expect(result.parameterNames.count == result.parameters.count)
  }

  @Test func onlyFullCalibrationsAreTouchedUp() throws {
    let sweep = SimulatedSweep(seed: 232) { ($0.rests, $0.hasGyroscope) = (0, false) }
    let result = try #require(Calibrator().fit(sweep.samples).result)
    #expect(EarlierCalibration(Profile(result, device: "board", created: 0)) == nil)
  }
}
