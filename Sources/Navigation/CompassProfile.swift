import Calibration
import Core

extension Compass.Settings {
  /// The settings that a profile gives: its correction, and how far headings may be off under it.
  public mutating func use(_ profile: Profile) {
    correction = profile.correction
    accelerometerIsReversed = profile.accelerometerIsReversed
    isCalibrated = true
    errors = HeadingErrorModel(profile)
  }
}
