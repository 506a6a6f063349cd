import Calibration
import LodestoneCore
import Navigation

/// The cost of the parts.
enum Timings {
  static func lines() -> [String] { [live(), accuracy()] }

  /// Ten minutes of figure-eights at 100 Hz: the cost of a sample, and of the costliest.
  private static func live() -> String {
    let sweep = SimulatedBoard(seed: 1, seconds: 600) {
      $0.rate = 100
      $0.rests = 0
    }
    var collector = GuidedCalibration()
    let clock = ContinuousClock()
    var updates: [Double] = []
    for sample in sweep.samples {
      var changed = false
      let time = clock.measure { changed = collector.add(sample) }
      if changed { updates.append(Double(time.components.attoseconds) * 1e-15) }
    }
    return "live fit: \(text(quantile(updates, 0.5))) ms an update, \(text(quantile(updates, 0.99))) ms at 99 %"
  }

  private static func accuracy() -> String {
    let sweep = SimulatedBoard(seed: 1, seconds: 62) { _ in }
    guard let result = Calibrator().fit(sweep.samples).result, let model = HeadingErrorModel(result) else { return "" }
    let clock = ContinuousClock()
    var sum = 0.0
    let time = clock.measure {
      for _ in 0..<100 {
        for sample in sweep.samples {
          guard let raw = sample.field, let force = sample.acceleration?.g else { continue }
          let solution = HeadingSolution(field: result.correction.apply(to: raw), up: force)
          sum += solution.flatMap { model.accuracy(of: $0, along: Vector3(0, 1, 0), tilt: 0.01).degrees } ?? 0
        }
      }
    }
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
    let each = seconds / Double(100 * sweep.samples.count) * 1e9
    return "accuracy of a heading: \(text(each)) ns (mean \(text(sum / Double(100 * sweep.samples.count)))°)"
  }
}
