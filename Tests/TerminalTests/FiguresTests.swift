import Testing

@testable import LodestoneTerminal

@Suite struct FiguresTests {
  @Test(arguments: [
    (0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.05001, 1, "-0.1"), (48.2349, 2, "48.23"), (99.999, 2, "100.00"),
    (-3, 0, "-3"), (0.007, 3, "0.007"), (1.5e17, 1, "1.5e+17"), (.nan, 1, "–"), (-.infinity, 1, "–"),
    (123456.789012, 6, "123456.789012"),
  ])
  func fixedDecimals(value: Double, decimals: Int, text: String) {
    #expect(Figures.fixed(value, decimals: decimals) == text)
  }

  @Test func signIsShownOnlyWhereThereIsOne() {
    #expect(Figures.fixed(1.25, decimals: 1, plus: true) == "+1.2")
    #expect(Figures.fixed(0.01, decimals: 1, plus: true) == "0.0")
  }

  @Test(arguments: [(359.96, "0.0"), (359.94, "359.9"), (0, "0.0"), (-0.01, "0.0"), (725, "5.0"), (.nan, "–")])
  func directionsAreRoundedThenWrapped(degrees: Double, text: String) {
    #expect(Figures.direction(degrees) == text)
  }

  @Test(arguments: [(0, "0:00"), (59.9, "0:59"), (61, "1:01"), (3725, "1:02:05"), (-1, "–"), (.infinity, "–")])
  func durations(seconds: Double, text: String) {
    #expect(Figures.duration(seconds) == text)
  }

  @Test func percentIsHundredOnlyWhenComplete() {
    #expect(Figures.percent(0.999) == "99 %")
    #expect(Figures.percent(1) == "100 %")
    #expect(Figures.percent(-3) == "0 %")
  }
}
