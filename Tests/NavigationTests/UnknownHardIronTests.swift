import Testing

@testable import Navigation

@Suite struct UnknownHardIronTests {
  /// Quantiles of the von Mises distribution, from a numerical integration in steps of 0.01°.
  @Test(arguments: [
    (0.0625, 170.41), (0.5, 164.32), (1, 150.38), (2, 102.72), (4, 61.68), (8, 41.31), (16, 28.61), (32, 20.03),
  ])
  func ninetyFivePercentLieWithin(_ concentration: Double, _ degrees: Double) {
    #expect(abs(UnknownHardIron.halfWidth(concentration: concentration) - degrees) < 0.02)
  }

  /// No direction at all: 95 % of a circle. A narrow one is nearly normal.
  @Test func atTheEnds() {
    #expect(UnknownHardIron.halfWidth(concentration: 0) == 171)
    #expect(abs(UnknownHardIron.halfWidth(concentration: 400) - 1.96 / 20 * 180 / .pi) < 0.01)
    #expect(UnknownHardIron.halfWidth(concentration: .infinity) == 0)
  }
}
