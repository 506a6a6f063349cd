import Testing

@testable import Calibration

@Suite struct DisturbanceTests {
  @Test func aRunIsFoundWhole() {
    var residuals = [Double](repeating: 0.5, count: 1000)
    for index in 400..<600 { residuals[index] = 20 }
    for index in 470..<485 { residuals[index] = 1 }  // the disturbance stands at a right angle to the field
    let runs = Disturbance.runs(residuals, interval: 0.02)
    #expect(runs.count == 1)
    #expect(runs.first?.lowerBound ?? 0 <= 400)
    #expect(runs.first?.upperBound ?? 0 >= 600)
  }

  @Test func singleWildSamplesAreNoRun() {
    var residuals = [Double](repeating: 0.5, count: 1000)
    for index in stride(from: 10, to: 1000, by: 50) { residuals[index] = 200 }
    #expect(Disturbance.runs(residuals, interval: 0.02).isEmpty)
  }

  @Test func aFifthOfASecondIsTooShort() {
    var residuals = [Double](repeating: 0.5, count: 1000)
    for index in 500..<510 { residuals[index] = 9 }
    #expect(Disturbance.runs(residuals, interval: 0.02).isEmpty)
  }

  @Test func stepsOfNoLengthAreBounded() {
    #expect(Sweep.count(of: 0.5, every: 1e-300, atLeast: 1) == 1_000_000_000)
    #expect(Sweep.count(of: 0.5, every: 0, atLeast: 1) == 1)
    #expect(Sweep.count(of: 0.5, every: .nan, atLeast: 3) == 3)
    #expect(Sweep.count(of: 0.5, every: 0.02, atLeast: 1) == 25)
  }

  @Test func whiteNoiseIsUncorrelated() {
    let white = (0..<4000).map { Self.scatter($0) }
    #expect(Correlation.time(of: white, used: [Bool](repeating: true, count: white.count)) < 1.5)
    let held = (0..<4000).map { Self.scatter($0 / 10) }
    let time = Correlation.time(of: held, used: [Bool](repeating: true, count: held.count))
    #expect(time > 5 && time < 15)
  }

  /// Numbers without order between −1 and 1 (Knuth's multiplicative hash).
  private static func scatter(_ index: Int) -> Double {
    let hashed: Int = (index &* 2_654_435_761) >> 7
    return Double(hashed % 1000) / 500 - 1
  }
}
