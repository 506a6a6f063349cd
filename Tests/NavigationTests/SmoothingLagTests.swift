import Instruments
import LodestoneCore
import Navigation
import Testing

/// An exponential mean with time constant T is r T behind what turns at a rate r.
@Suite struct SmoothingLagTests {
  /// Headings that are measured at 50 Hz with noise, each sent several times: 10 s of rest, then a turn by `rate`
  /// degrees a second for 10 s. `sway` is the noise in degrees that each sample of one measurement has of its own, as
  /// of a tilt.
  private static func run(
    rate: Double, timeConstant: Double, noise: Double, accuracy: Double, times: Int = 1, sway: Double = 0
  ) -> [(time: Double, truth: Double, smooth: Double, lag: Double)] {
    var random = RandomNumbers(seed: 7)
    var smoothing = CircularSmoothing(timeConstant: timeConstant)
    var measured = 0.0
    return (0..<1000 * times).map { step in
      let time = Double(step) * 0.02 / Double(times)
      let truth = 350 + max(0, time - 10) * rate
      let isNew = step % times == 0
      if isNew { measured = truth + noise * random.normal() }
      let told = measured + (sway > 0 ? sway * random.normal() : 0)
      let (smooth, lag) = smoothing.add(degrees: told, accuracy: accuracy, isRepeat: !isNew && sway > 0, at: time)
      return (time, truth, smooth, lag)
    }
  }

  /// Counted as new ones they would have less noise than they have, and noise would be taken for a lag for a quarter of
  /// the time.
  @Test(arguments: [0.2, 1, 4], [0, 0.05]) func measurementsThatAreSentAgainShowNone(
    _ timeConstant: Double, _ sway: Double
  ) {
    let run = Self.run(rate: 0, timeConstant: timeConstant, noise: 0.8, accuracy: 2, times: 5, sway: sway)
    #expect(run.filter { $0.lag > 0 }.count <= 25)
  }

  @Test(arguments: [(0.3, 15.0), (1, 10), (4, -20)])
  func aTurnOfMeasurementsThatAreSentAgainIsHeld(_ timeConstant: Double, _ rate: Double) {
    let turning = Self.run(rate: rate, timeConstant: timeConstant, noise: 0.8, accuracy: 2, times: 5).filter {
      $0.time > 10
    }
    let held = turning.filter { abs(Angle.shortestTurn(from: $0.truth, to: $0.smooth)) <= 2 + $0.lag }
    #expect(Double(held.count) >= 0.95 * Double(turning.count))
  }

  @Test(arguments: [0.2, 1, 4]) func atRestThereIsNone(_ timeConstant: Double) {
    let run = Self.run(rate: 0, timeConstant: timeConstant, noise: 0.8, accuracy: 2)
    #expect(run.filter { $0.lag > 0 }.count <= 5)
  }

  @Test(arguments: [(0.3, 15.0, 0.8), (1, 10, 0.8), (1, 10, 0), (4, -20, 0.8)])
  func aTurnIsHeld(_ timeConstant: Double, _ rate: Double, _ noise: Double) {
    let run = Self.run(rate: rate, timeConstant: timeConstant, noise: noise, accuracy: 2)
    let turning = run.filter { $0.time > 10 }
    let held = turning.filter { abs(Angle.shortestTurn(from: $0.truth, to: $0.smooth)) <= 2 + $0.lag }
    #expect(Double(held.count) >= 0.95 * Double(turning.count))
    // Not more than it must: the lag, a quarter of it more, and noise.
    let most = 1.25 * abs(rate) * timeConstant + 4 * noise
    #expect(turning.allSatisfy { $0.lag <= most })
  }

  /// The field of a magnet that comes at 20 µT/s and stays: at 1 s of smoothing the reading is 20 µT behind.
  @Test func aSmoothedFieldHoldsItsLag() throws {
    var random = RandomNumbers(seed: 3)
    let ambient = Vector3(20, 0, -40)
    func noise() -> Vector3 { Vector3(random.normal(), random.normal(), random.normal()) * 0.2 }
    var collector = ZeroPointCollector()
    for step in 0..<100 { collector.add(ambient + noise(), up: nil, at: Double(step) * 0.02) }
    var meter = FieldMeter(zero: try collector.result().get(), gainUncertainty: 0, smoothing: 1)
    var readings: [(truth: Double, reading: FieldReading)] = []
    for step in 100..<700 {
      let time = Double(step) * 0.02
      let truth = 20 * min(max(0, time - 6), 4)
      let field = ambient + Vector3(0, truth, 0) + noise()
      readings.append((truth, meter.read(time: time, field: field, force: nil, flags: [])))
    }
    let shown = readings.filter { $0.truth > 5 }.compactMap { entry in
      entry.reading.magnitude.flatMap { size in entry.reading.uncertainty.map { (abs(size - entry.truth), $0) } }
    }
    #expect(shown.count > 200)
    #expect(Double(shown.filter { $0.0 <= $0.1 }.count) >= 0.95 * Double(shown.count))
    let late = try #require(readings.last { $0.reading.time < 9.9 })
    #expect(late.truth - (try #require(late.reading.magnitude)) > 15)
  }
}
