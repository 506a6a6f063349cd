import Calibration
import LodestoneCore
import Instruments
import Support

/// A sweep of the virtual breakout, and what its calibration is really worth.
struct SimulatedSweep {
  let settings: VirtualBreakout.Settings
  let sensor: VirtualSensor
  let samples: [Sample]

  init(seed: UInt64 = 1, seconds: Double = 62, _ change: (inout VirtualBreakout.Settings) -> Void = { _ in }) {
    var settings = VirtualBreakout.Settings()
    settings.motion = .figureEight
    settings.seed = seed
    settings.sensor = seed &+ 1000
    change(&settings)
    var breakout = VirtualBreakout(settings)
    samples = (0..<Int(seconds * settings.rate)).map { _ in breakout.next().sample }
    self.settings = settings
    sensor = breakout.sensor
  }

  /// The true heading error of a correction in degrees: root mean square over headings and tilts.
  func headingError(
    _ correction: Correction, force: ForceCorrection = .none, tilts: [Double] = [0, 10, 20, 30]
  ) -> Double {
    VirtualBreakout(settings).headingError(of: correction, force: force, tilts: tilts)
  }
}
