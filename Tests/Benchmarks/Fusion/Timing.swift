import Instruments
import LodestoneCore
import Navigation

/// The cost of the fusion.
enum Timing {
  /// A sample as the fusion takes it: no copy of a larger one is timed.
  private struct Moment {
    var time: Double
    var (field, force, rate): (Vector3?, Vector3?, Vector3?)

    init(_ sample: Sample) {
      time = sample.time
      field = sample.field?.microtesla
      force = sample.acceleration?.g
      rate = sample.rotationRate?.degreesPerSecond
    }
  }

  /// The median of several runs over the same samples, in nanoseconds a sample.
  static func nanoseconds() -> Double {
    var settings = VirtualBreakout.Settings()
    settings.rate = 200
    var breakout = VirtualBreakout(settings)
    let moments = (0..<100_000).map { _ in Moment(breakout.next().sample) }
    let clock = ContinuousClock()
    let runs = (0..<9).map { _ -> Double in
      var fusion = Fusion()
      let elapsed = clock.measure {
        for moment in moments {
          fusion.add(
            time: moment.time, field: moment.field, force: moment.force, rate: moment.rate, fieldNoise: 0.3)
        }
      }
      return elapsed / .nanoseconds(moments.count)
    }
    return runs.sorted()[runs.count / 2]
  }
}
