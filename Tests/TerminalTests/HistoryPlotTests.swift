import Testing

@testable import LodestoneTerminal

@Suite struct HistoryPlotTests {
  @Test func spikeOfOneSampleStays() {
    var history = History(span: 10, count: 10)
    for step in 0..<100 { history.append(step == 55 ? 100 : 1, at: Double(step) / 10) }
    #expect(history.ranges.compactMap { $0?.upperBound }.max() == 100)
    #expect(history.ranges.compactMap { $0?.lowerBound }.max() == 1)
  }

  @Test func oldValuesLeave() {
    var history = History(span: 10, count: 10)
    history.append(5, at: 0)
    history.append(6, at: 9.5)
    #expect(history.ranges.compactMap { $0 } == [5...5, 6...6])
    history.append(7, at: 10.5)
    #expect(history.ranges.compactMap { $0 } == [6...6, 7...7])
    history.append(8, at: 1e6)
    #expect(history.ranges.compactMap { $0 } == [8...8])
  }

  @Test func oddTimesAndValuesAreEndured() {
    var history = History(span: .nan, count: -4)
    for value in [Double.nan, .infinity, 1] {
      for time in [Double.nan, .infinity, -.infinity, 9e18, -9e18, 5, -5] { history.append(value, at: time) }
    }
    #expect(history.ranges.count == 1)
  }

  /// Axes as one would draw them by hand.
  @Test(arguments: [
    (0.0...100.0, 4, 1.0, 0.0, 100.0, 50.0), (0.0...97.0, 5, 1, 0, 100, 20), (-3.2...7.9, 5, 1, -5, 10, 5),
    (48.21...48.23, 4, 0.5, 47.8, 48.6, 0.2), (0.0...0.0, 4, 1, -0.5, 0.5, 0.5),
  ])
  func axesEndOnRoundNumbers(
    values: ClosedRange<Double>, labels: Int, least: Double, lower: Double, upper: Double, step: Double
  ) {
    let axis = NiceAxis(holding: values, labels: labels, least: least)
    #expect(abs(axis.bounds.lowerBound - lower) < 1e-9)
    #expect(abs(axis.bounds.upperBound - upper) < 1e-9)
    #expect(abs(axis.step - step) < 1e-9)
  }
}
