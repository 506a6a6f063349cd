import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// Calibrations of a board that stands still under a known heading.
@Suite struct FacingFitTests {
  private static func outcome(
    _ sweep: SimulatedSweep, told: Double, from earlier: EarlierCalibration? = nil
  ) -> CalibrationOutcome {
    var settings = CalibrationSettings()
    settings.place = CalibrationSettings.Place(fieldStrength: 48, inclination: 65)
    settings.facing = KnownHeading(magneticDegrees: told)
    settings.facingFrom = earlier
    return Calibrator(settings: settings).fit(sweep.samples)
  }

  private static func still(_ seed: UInt64, softIron: Double) -> SimulatedSweep {
    SimulatedSweep(seed: seed, seconds: 5) {
      ($0.motion, $0.softIron, $0.misalignment) = (.still, softIron, 0)
      ($0.heading, $0.pitch, $0.roll) = (Double(seed * 91 % 360), 4, -3)
    }
  }

  @Test func theHardIronIsFound() throws {
    for seed in 301...306 as ClosedRange<UInt64> {
      let sweep = Self.still(seed, softIron: 0)
      let outcome = Self.outcome(sweep, told: sweep.settings.heading)
      #expect(outcome.refusal == nil)
      let result = try #require(outcome.result)
      #expect(sweep.headingError(result.correction) <= 0.5, "\(sweep.headingError(result.correction))")
      #expect((2...10).contains(result.quality.headingErrorDegrees ?? 0))
      #expect(result.quality.method == .facing && result.warnings.contains(.oneHeading))
    }
  }

  /// The soft iron of ordinary boards, and a heading told wrong by 2°, stay within what is stated.
  @Test func whatIsStatedHolds() throws {
    var (squares, stated) = (0.0, 0.0)
    for seed in 311...318 as ClosedRange<UInt64> {
      let sweep = Self.still(seed, softIron: 0.04)
      let result = try #require(Self.outcome(sweep, told: sweep.settings.heading + 2).result)
      let (error, said) = (sweep.headingError(result.correction), result.quality.headingErrorDegrees ?? 0)
      squares += error * error
      stated += said * said
    }
    #expect(squares < stated && squares > stated * 0.02, "\((squares / 8).squareRoot()), \((stated / 8).squareRoot())")
  }

  /// With a full calibration of before, its soft iron serves.
  @Test func anEarlierSoftIronIsKept() throws {
    let full = try #require(Calibrator().fit(SimulatedSweep(seed: 321).samples).result)
    let earlier = try #require(EarlierCalibration(Profile(full, device: "board", created: 0)))
    let sweep = SimulatedSweep(seed: 321, seconds: 5) { ($0.motion, $0.heading) = (.still, 200) }
    let result = try #require(Self.outcome(sweep, told: 200, from: earlier).result)
    #expect(sweep.headingError(result.correction, force: result.forceCorrection) < 1)
    #expect((result.quality.headingErrorDegrees ?? 180) < 8)
  }

  @Test func withoutAnAccelerometerItIsNamed() {
    let sweep = SimulatedSweep(seconds: 5) { $0.motion = .still }
    var settings = CalibrationSettings()
    settings.place = CalibrationSettings.Place(fieldStrength: 48, inclination: 65)
    settings.facing = KnownHeading(magneticDegrees: 0)
    let samples = sweep.samples.map { Sample(time: $0.time, field: $0.field) }
    #expect(Calibrator(settings: settings).fit(samples).refusal == .noAccelerometer)
  }

  @Test func aMovingBoardIsRefused() {
    #expect(Self.outcome(SimulatedSweep(seconds: 5) { $0.motion = .spin }, told: 0).refusal == .notStill)
  }
}
