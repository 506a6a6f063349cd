import Calibration
import Instruments
import LodestoneCore
import Testing

/// What a swing shows of the accelerometer, without rests: part of the prediction.
@Suite struct MovingZeroTests {
  /// A sweep without rests and gyroscope of a board whose chips are turned by so many degrees.
  private static func sweep(_ seed: UInt64, misalignment: Double) -> SimulatedSweep {
    SimulatedSweep(seed: seed) { ($0.rests, $0.hasGyroscope, $0.misalignment) = (0, false, misalignment) }
  }

  /// Chips that are turned by 6° are no ordinary ones: what a swing shows of that is said, and refused.
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func chipsThatAreTurnedByMoreAreSaid(_ seed: UInt64) throws {
    let sweep = Self.sweep(seed, misalignment: 6)
    let outcome = Calibrator().fit(sweep.samples)
    let result = try #require(outcome.result)
    let predicted = try #require(result.quality.headingErrorDegrees)
    #expect(sweep.headingError(result.correction) < 1.6 * predicted)
    #expect(outcome.refusal != nil)
  }

  /// Ordinary boards are predicted as they were.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func ordinaryBoardsStayFair(_ seed: UInt64) throws {
    let outcome = Calibrator().fit(Self.sweep(seed, misalignment: 1.5).samples)
    let predicted = try #require(outcome.result?.quality.headingErrorDegrees)
    #expect(outcome.refusal == nil && predicted < 3.5)
  }

  /// A hundredth of the fields thrown off hides no accelerometer's zero of 40 mg.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func wildFieldsHideNoZero(_ seed: UInt64) throws {
    func predicted(_ wild: Double) throws -> Double {
      let sweep = SimulatedSweep(seed: seed) {
        ($0.rests, $0.accelerometerOffset, $0.gyroscopeNoise) = (0, 0.04, 0.1)
        ($0.wildFraction, $0.wildSize) = (wild, 120)
      }
      return try #require(Calibrator().fit(sweep.samples).result?.quality.headingErrorDegrees)
    }
    #expect(try predicted(0.01) > 0.75 * predicted(0))
  }
}
