import LodestoneCore
import Testing

@testable import Calibration

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

  /// On a board at rest 150°/s for a fiftieth of a second are 3° that it has not turned.
  @Test func aBoardAtRestIsNotTurnedByASmallerOne() {
    let rest = [Double](repeating: 0.2, count: 20).map { (rate: $0, step: 0.02) }
    #expect(abs(turn(rest + [(150, 0.02)] + rest) - 41 * 0.2 * 0.02) < 1e-9)
  }

  @Test(arguments: [(1000.0, -700.0), (-2000, 400)]) func twoInARowTurnNothing(_ first: Double, _ second: Double) {
    let turned = turn([(10, 0.02), (10, 0.02), (first, 0.02), (second, 0.02), (10, 0.02), (10, 0.02)])
    #expect(abs(turned - 1.2) < 1e-9)
  }

  /// Three are a turn, however they differ: nothing is lost of those that were not believed.
  @Test func aShakenBoardIsNotHeldBack() {
    let turned = turn([(0, 0.02), (600, 0.02), (-600, 0.02), (500, 0.02), (400, 0.02)])
    #expect(abs(turned - 18) < 1e-9)
  }

  /// A blow turns a board as suddenly: the next rate bears it out, and nothing of it is lost, though the steps differ.
  @Test func aTurnThatBeginsAtOnceIsWhole() {
    #expect(abs(turn([(0, 0.02), (400, 0.03), (380, 0.02), (10, 0.02), (10, 0.02)]) - 20) < 1e-9)
  }
}
