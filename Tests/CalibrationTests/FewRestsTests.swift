import Calibration
import Instruments
import LodestoneCore
import Testing

/// Rests fewer than settle the rotation between the chips: each counts, and what they leave open is predicted.
@Suite struct FewRestsTests {
  /// Root mean square over boards misaligned by 2° whose accelerometer is off by 17 mg, in degrees of heading.
  @Test(arguments: [(3, 2.0), (5, 0.8), (7, 0.5)])
  func eachRestLowersTheError(_ rests: Int, _ reach: Double) throws {
    var (trueSquares, predictedSquares) = (0.0, 0.0)
    let seeds: [UInt64] = [101, 102, 103, 104, 105, 106, 107, 108]
    for seed in seeds {
      let sweep = SimulatedSweep(seed: seed) {
        $0.rests = rests
        $0.accelerometerOffset = 0.017
      }
      let result = try #require(Calibrator().fit(sweep.samples).result)
      let predicted = try #require(result.quality.headingErrorDegrees)
      let error = sweep.headingError(result.correction, force: result.forceCorrection)
      (trueSquares, predictedSquares) = (trueSquares + error * error, predictedSquares + predicted * predicted)
      #expect(result.quality.verdict != .good || error < 2)
      #expect(result.warnings.contains(.fewRests(found: rests, needed: 8)))
    }
    let count = Double(seeds.count)
    let (error, predicted) = ((trueSquares / count).squareRoot(), (predictedSquares / count).squareRoot())
    #expect(error <= reach)
    #expect(error <= 1.2 * predicted)
  }
}
