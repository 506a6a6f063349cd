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
        $0.hasGyroscope = false
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

  /// The eight rests of the instructions, flat and with the top edge raised in four directions, are much alike: beside
  /// an accelerometer that is off they leave the rotation open, and count for what they are worth all the same.
  @Test(arguments: [0.02, 0.06])
  func eightRestsMuchAlikeCount(_ offset: Double) throws {
    for seed in UInt64(101)...108 {
      let sweep = SimulatedSweep(seed: seed, seconds: 40) {
        $0.rests = 0
        $0.accelerometerOffset = offset
      }
      let rests = (0..<8).flatMap { index in
        var settings = sweep.settings
        (settings.motion, settings.seed) = (.still, seed * 10 + UInt64(index))
        (settings.heading, settings.pitch) = (Double(20 + 90 * (index / 2)), Double(38 * (index % 2)))
        var board = VirtualBreakout(settings)
        return (0..<Int(2 * settings.rate)).map { _ in
          var sample = board.next().sample
          sample.time += 40 + 2.5 * Double(index)
          return sample
        }
      }
      let outcome = Calibrator().fit(sweep.samples + rests)
      let result = try #require(outcome.result)
      let predicted = try #require(result.quality.headingErrorDegrees)
      let error = sweep.headingError(result.correction, force: result.forceCorrection)
      #expect(outcome.refusal == nil && result.quality.kind == .full, "\(seed): \(result.quality.kind) \(predicted)")
      #expect(error <= 1 && error <= 1.2 * predicted, "\(seed): \(error) of \(predicted)")
    }
  }
}
