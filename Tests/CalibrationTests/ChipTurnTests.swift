import Instruments
import LodestoneCore
import Testing

@testable import Calibration

/// The rotation between magnetometer and accelerometer from the turns of a sweep, where rests are few or none.
@Suite struct ChipTurnTests {
  /// A sweep whose gyroscope lies turned against both other chips.
  private static func samples(of sweep: SimulatedSweep, gyroscopeTurned turn: Vector3) -> [Sample] {
    let matrix = Matrix3(rotation: turn * (.pi / 180))
    return sweep.samples.map { sample in
      var sample = sample
      sample.rotationRate = sample.rotationRate.map { RotationRate(degreesPerSecond: matrix * $0.degreesPerSecond) }
      return sample
    }
  }

  private static func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(max(values.count, 1))).squareRoot()
  }

  /// What is true of sweeps with rests and a gyroscope turned so, in degrees, and what is stated.
  private static func figures(rests: Int, gyroscopeTurned turn: Vector3?) throws -> (error: Double, stated: Double) {
    var (errors, stated) = ([Double](), [Double]())
    for seed in 211...218 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) {
        ($0.rests, $0.gyroscopeBias, $0.hasGyroscope, $0.accelerometerOffset) = (rests, 1, turn != nil, 0.005)
      }
      let outcome = Calibrator().fit(samples(of: sweep, gyroscopeTurned: turn ?? .zero))
      let result = try #require(outcome.result)
      #expect(outcome.refusal == nil, "\(seed): \(outcome.refusal.debugDescription)")
      errors.append(sweep.headingError(result.correction, force: result.forceCorrection))
      stated.append(try #require(result.quality.headingErrorDegrees))
    }
    return (rootMeanSquare(errors), rootMeanSquare(stated))
  }

  /// Boards misaligned by 2°, on which three rests alone leave headings 2° off.
  @Test(arguments: [Vector3.zero, Vector3(2.5, -2, 2.5)], [0, 3]) func turnsTellIt(turn: Vector3, rests: Int) throws {
    let with = try Self.figures(rests: rests, gyroscopeTurned: turn)
    let without = try Self.figures(rests: rests, gyroscopeTurned: nil)
    #expect(with.error <= 1 && with.error <= 1.2 * with.stated, "\(with), without \(without)")
    #expect(with.error < 0.6 * without.error && with.stated < 0.7 * without.stated, "\(with), without \(without)")
  }

  /// How a gyroscope lies against the accelerometer is found to within its error, and that is small.
  @Test(arguments: [Vector3.zero, Vector3(3, -1, 2)]) func theForceTellsTheGyroscopesTurn(turn: Vector3) throws {
    for seed in 221...224 as ClosedRange<UInt64> {
      let sweep = SimulatedSweep(seed: seed) { ($0.rests, $0.gyroscopeBias, $0.accelerometerOffset) = (0, 0, 0) }
      let points = Sweep(Self.samples(of: sweep, gyroscopeTurned: turn)).measurements.kept
      let shown = try #require(ForceTurn(points, by: Gyroscope(), .momentary))
      let off = shown.rotation * (180 / .pi) - turn
      let deviation = shown.deviation * 180 / .pi
      #expect(deviation < 0.5 && off.length < 3 * 3.0.squareRoot() * max(deviation, 0.15), "\(off) ± \(deviation)")
    }
  }

  /// Where a sweep shows nothing, chips lie as they do on one die; a turn that chance cannot make is believed, and one
  /// that it can is not.
  @Test func whatIsShownIsWeighed() {
    let degree = Double.pi / 180
    let nothing = ForceTurn.likely(nil)
    #expect(nothing.rotation == .zero && abs(nothing.variance.squareRoot() - 0.25 * degree) < 1e-9)
    let sure = ForceTurn.likely(ForceTurn(rotation: Vector3(3, 0, 0) * degree, deviation: 0.1 * degree))
    #expect(abs(sure.rotation.x / degree - 3) < 0.2 && sure.variance.squareRoot() < 0.25 * degree)
    let rough = ForceTurn.likely(ForceTurn(rotation: Vector3(3, 0, 0) * degree, deviation: 2.5 * degree))
    #expect(rough.rotation.x < 0.5 * degree && rough.variance.squareRoot() > 0.25 * degree)
  }
}
