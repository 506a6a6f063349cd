import Glibc
import Instruments
import LodestoneCore
import Support
import Testing

@testable import Calibration

/// Which way the field dips, from level turns without a place.
@Suite struct LevelWobbleTests {
  /// Moments of two turns of a board with this wobble in degrees, in a field 20 µT to the north and `down` downwards.
  private static func moments(down: Double, wobble: Double, noise: Double = 0.08) -> [Rest] {
    var random = SeededGenerator(seed: 5)
    func scatter(_ size: Double) -> Vector3 {
      Vector3(
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random),
        Double.random(in: -1...1, using: &random)) * (size * 3.0.squareRoot())
    }
    return (0..<100).map { index in
      let time = Double(index) * 0.3
      let tilt = Vector3(sin(time * 1.7), sin(time * 1.1 + 1), 0) * (wobble * .pi / 180)
      let board = (Matrix3(rotation: Vector3(0, 0, -time * 0.42)) * Matrix3(rotation: tilt)).transposed
      let up = (board * Vector3(0, 0, 1) + scatter(0.001)).direction ?? Vector3(0, 0, 1)
      return Rest(
        raw: board * Vector3(0, 20, -down) + scatter(noise), force: up, up: up, from: time, to: time + 0.3, count: 15,
        scatter: 0)
    }
  }

  @Test(arguments: [-43.0, -12, 12, 43], [0.3, 1, 3])
  func theWobbleShowsTheVerticalField(_ down: Double, _ wobble: Double) throws {
    let moments = Self.moments(down: down, wobble: wobble)
    let found = try #require(LevelWobble(moments, .none, level: Vector3(0, 0, 1)))
    #expect(found.isSure)
    #expect(abs(found.down - down) < 4 * found.deviation + 0.15 * abs(down), "\(found)")
  }

  @Test(arguments: [-43.0, 43]) func aTurnWithoutWobbleTellsNothing(_ down: Double) throws {
    let found = try #require(LevelWobble(Self.moments(down: down, wobble: 0), .none, level: Vector3(0, 0, 1)))
    #expect(!found.isSure)
    #expect(LevelWobble(Array(Self.moments(down: down, wobble: 1).prefix(20)), .none, level: Vector3(0, 0, 1)) == nil)
  }

  private static func turned(
    _ seed: UInt64, dip: Double, wobble: Double
  ) throws -> (SimulatedSweep, CalibrationResult) {
    let sweep = SimulatedSweep(seed: seed, seconds: 30) {
      ($0.motion, $0.inclination, $0.wobble, $0.accelerometerOffset) = (.spin, dip, wobble, 0.01)
    }
    return (sweep, try #require(Calibrator().fit(sweep.samples).result))
  }

  /// Half a degree of wobble is enough in either hemisphere, also for chips 2° askew.
  @Test(arguments: [-75.0, -40, 40, 75], [0.5, 2]) func levelTurnsFindTheDip(_ dip: Double, _ wobble: Double) throws {
    for seed in 21...23 as ClosedRange<UInt64> {
      let (_, result) = try Self.turned(seed, dip: dip, wobble: wobble)
      #expect(result.quality.kind == .level)
      #expect((result.inclination ?? 0) * dip > 0, "\(seed), \(String(describing: result.inclination))")
      #expect(!result.warnings.contains(.dipAssumed))
      #expect(result.quality.tiltLimitDegrees == 5)
    }
  }

  /// Where nothing tells which way the field dips, that is said, and the stated accuracy of a tilted board holds both
  /// ways.
  @Test(arguments: [-65.0, 65]) func aTurnWithoutWobbleLeavesTheDipOpen(_ dip: Double) throws {
    for seed in 21...23 as ClosedRange<UInt64> {
      let (sweep, result) = try Self.turned(seed, dip: dip, wobble: 0)
      #expect(result.inclination == nil)
      #expect(result.warnings.contains(.dipAssumed) && result.warnings.contains(.levelOnly(tiltDegrees: 1)))
      #expect(sweep.headingError(result.correction, tilts: [0]) < 3)
      let covariance = try #require(
        CorrectionCovariance(
          parameters: result.parameters, covariance: result.covariance, correction: result.correction))
      let field = Vector3(0, cos(Angle.radians(65)), -sin(Angle.radians(65))) * result.fieldStrength
      let leaning = Matrix3(rotation: Vector3(0, Angle.radians(5), 0))
      let variance = try #require(covariance.headingVariance(field: leaning * field, up: leaning * Vector3(0, 0, 1)))
      #expect(Angle.degrees(variance.squareRoot()) > 8)
    }
  }
}
