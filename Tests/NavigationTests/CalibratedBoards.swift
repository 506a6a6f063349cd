import Calibration
import Instruments

/// Simulated boards with a gyroscope that have been calibrated.
enum CalibratedBoards {
  /// A board for each seed, with the profile of its own sweep.
  static func of(seeds: ClosedRange<UInt64>) -> [(settings: VirtualBreakout.Settings, profile: Profile)] {
    seeds.compactMap { seed in
      var settings = VirtualBreakout.Settings()
      (settings.motion, settings.seed, settings.sensor, settings.gyroscopeBias) = (.figureEight, seed, seed + 50, 1.5)
      var sweep = VirtualBreakout(settings)
      guard let result = Calibrator().fit((0..<3100).map { _ in sweep.next().sample }).result else { return nil }
      return (settings, Profile(result, device: "board", created: 0))
    }
  }
}
