import Instruments
import LodestoneCore
import Navigation

/// The cost of the fusion.
enum Timing {
  /// The median of several runs over the same samples, in nanoseconds a sample.
  static func nanoseconds() -> Double {
    var settings = VirtualBreakout.Settings()
    settings.rate = 200
    var breakout = VirtualBreakout(settings)
    let samples = (0..<100_000).map { _ in breakout.next().sample }
    let clock = ContinuousClock()
    let runs = (0..<9).map { _ -> Double in
      var fusion = Fusion()
      let elapsed = clock.measure {
        for sample in samples {
          fusion.add(
            time: sample.time, field: sample.field?.microtesla, force: sample.acceleration?.g,
            rate: sample.rotationRate?.degreesPerSecond, fieldNoise: 0.3)
        }
      }
      return elapsed / .nanoseconds(samples.count)
    }
    return runs.sorted()[runs.count / 2]
  }
}
