import Calibration
import Core

extension Compass.Settings {
  /// The settings that a profile gives: its correction, and how far headings may be off under it.
  public mutating func use(_ profile: Profile) {
    correction = profile.correction
    accelerometerIsReversed = profile.accelerometerIsReversed
    isCalibrated = true
    let found = HeadingErrorModel.Reference(strength: profile.fieldStrength, inclination: profile.inclination)
    let model = HeadingErrorModel(
      correction: profile.correction, parameters: profile.parameters.map { $0.value },
      covariance: profile.covariance.flatMap { $0 }, reference: found, noise: profile.noise)
    errors = model ?? .uncalibrated
  }
}
