import Navigation
import Testing

@Suite struct MagnetDistanceTests {
  /// A moment of 0.5 A·m² makes 0.1 µT·m³/(r + d)³ on its axis: 100 µT at 0.1 m.
  private static func points(depth: Double, error: (Int) -> Double = { _ in 0 }) -> [MagnetDistance.Point] {
    [0.05, 0.08, 0.1, 0.15, 0.2, 0.3].enumerated().map { index, distance in
      let field = 0.1 / ((distance + depth) * (distance + depth) * (distance + depth))
      return MagnetDistance.Point(distance: distance, magnitude: field + error(index), uncertainty: 0.5)
    }
  }

  @Test func momentAndDepthAreFound() throws {
    let found = try MagnetDistance(Self.points(depth: 0.012))
    #expect(abs(found.moment - 0.5) < 1e-9 && abs(found.depth - 0.012) < 1e-9 && found.residual < 1e-9)
    let noisy = try MagnetDistance(Self.points(depth: 0.012) { [0.3, -0.3, 0.2, -0.2, 0.3, -0.1][$0] })
    #expect(abs(noisy.moment - 0.5) < 3 * noisy.momentUncertainty && noisy.momentUncertainty < 0.05)
    #expect(abs(noisy.depth - 0.012) < 3 * noisy.depthUncertainty && noisy.depthUncertainty < 0.005)
  }

  @Test func whatIsNoMagnetIsRefused() {
    let points = Self.points(depth: 0)
    #expect(throws: MagnetDistance.Refusal.tooFew(2)) { try MagnetDistance(Array(points.prefix(2))) }
    let weak = points.map { MagnetDistance.Point(distance: $0.distance, magnitude: 0.2, uncertainty: 0.5) }
    #expect(throws: MagnetDistance.Refusal.tooFew(0)) { try MagnetDistance(weak) }
    let growing = points.map {
      MagnetDistance.Point(distance: $0.distance, magnitude: 100 * $0.distance, uncertainty: 0.5)
    }
    #expect(throws: MagnetDistance.Refusal.notADipole) { try MagnetDistance(growing) }
  }
}
