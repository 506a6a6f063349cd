import LodestoneCore
import Testing

@Suite struct AngleTests {
  @Test(arguments: [(0.0, 0.0), (360, 0), (-1e-20, 0), (-90, 270), (725, 5), (359.999, 359.999), (-0.0, 0)])
  func wraps(_ given: Double, _ expected: Double) {
    let wrapped = Angle.wrapped(degrees: given)
    #expect(abs(wrapped - expected) < 1e-9)
    #expect(wrapped.sign == .plus)
    #expect(wrapped < 360)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func whatIsNotFiniteIsNoDirection(_ given: Double) {
    #expect(Angle.wrapped(degrees: given) == 0 && Heading<TrueNorth>(degrees: given).degrees.isNaN)
  }

  @Test(arguments: [(350.0, 10.0, 20.0), (10, 350, -20), (0, 180, -180), (90, 90, 0)])
  func turnsTheShortWay(_ from: Double, _ to: Double, _ expected: Double) {
    #expect(abs(Angle.shortestTurn(from: from, to: to) - expected) < 1e-9)
  }

  @Test func meanCrossesNorth() throws {
    var mean = CircularMean()
    for degrees in [350.0, 355, 5, 10] { mean.add(degrees: degrees) }
    let degrees = try #require(mean.degrees)
    #expect(abs(Angle.shortestTurn(from: 0, to: degrees)) < 1e-9)
  }

  @Test func meanOfOppositesIsNone() {
    var mean = CircularMean()
    mean.add(degrees: 90)
    mean.add(degrees: 270)
    #expect(mean.degrees == nil)
  }
}
