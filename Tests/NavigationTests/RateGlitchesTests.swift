import LodestoneCore
import Testing

@testable import Navigation

/// Rates that a bus has garbled, and turns that begin as suddenly.
@Suite struct RateGlitchesTests {
  /// The turn in degrees that rates about one axis make, each with its step in seconds.
  private func turn(_ rates: [(rate: Double, step: Double)]) -> Double {
    var glitches = RateGlitches()
    return rates.reduce(0) { $0 + glitches.sound(Vector3(0, 0, $1.rate), step: $1.step).z * $1.step }
  }

  @Test(arguments: [1000.0, -2000]) func aSingleRateFarFromItsNeighboursTurnsNothing(_ garbled: Double) {
    #expect(abs(turn([(10, 0.02), (10, 0.02), (garbled, 0.02), (10, 0.02), (10, 0.02)]) - 1) < 1e-9)
  }

  /// A blow turns a board as suddenly: the next rate bears it out, and nothing of it is lost, though the steps differ.
  @Test func aTurnThatBeginsAtOnceIsWhole() {
    #expect(abs(turn([(0, 0.02), (400, 0.03), (380, 0.02), (10, 0.02), (10, 0.02)]) - 20) < 1e-9)
  }
}
