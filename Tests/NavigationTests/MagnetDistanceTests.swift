import Navigation
import Support
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
    #expect(abs(noisy.moment - 0.5) < 3 * noisy.momentUncertainty && noisy.momentUncertainty < 0.08)
    #expect(abs(noisy.depth - 0.012) < 3 * noisy.depthUncertainty && noisy.depthUncertainty < 0.006)
  }

  /// Rods of 0 to 30 mm, µ₀ m / 4πL (1/(R − L/2)² − 1/(R + L/2)²), distances that are 1 mm off as often as not and 2 mm
  /// at most in 95 of 100, from three and from six of them: the truth is within the ±.
  @Test(arguments: [(0.0, 3), (0.01, 6), (0.03, 3), (0.03, 6)])
  func intervalsHoldForRods(length: Double, count: Int) {
    var random = SeededGenerator(seed: 8)
    func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0...1, using: &random) } }
    var (depths, moments, all) = (0, 0, 0)
    for _ in 0..<200 {
      let depth = Double.random(in: 0.003...0.02, using: &random), moment = Double.random(in: 0.3...1.5, using: &random)
      let points = (0..<count).map { index in
        let typed = 0.04 + 0.11 * Double(index) / Double(count - 1)
        let far = typed + depth + normal() * 0.00102
        let field =
          length == 0
          ? 0.2 * moment / (far * far * far)
          : 0.1 * moment / length
            * (1 / ((far - length / 2) * (far - length / 2)) - 1 / ((far + length / 2) * (far + length / 2)))
        return MagnetDistance.Point(distance: typed, magnitude: field + normal() * 0.3, uncertainty: 0.6)
      }
      guard let found = try? MagnetDistance(points) else { continue }
      all += 1
      if abs(found.depth - depth) <= 1.96 * found.depthUncertainty { depths += 1 }
      if abs(found.moment - moment) <= 1.96 * found.momentUncertainty { moments += 1 }
    }
    #expect(all == 200 && depths >= 190 && moments >= 190, "\(all), \(depths), \(moments)")
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
