import Calibration
import LodestoneCore

extension VirtualBreakout {
  /// The temperature at which the board was calibrated, in degrees Celsius.
  private static let roomTemperature = 25.0

  /// The board's calibration as a careful maker would have left it: exact, and claimed to be good to half a degree.
  func profile(device: String, created: Int) -> Profile {
    var quality = CalibrationQuality(
      verdict: .good, kind: .full, misalignment: .solved, headingErrorDegrees: 0.5, headingErrorLevelDegrees: 0.4)
    quality.warnings = ["the simulation's own; calibrated=no in the address leaves it out"]
    var profile = Profile(
      device: device, created: created,
      correction: Correction(hardIron: sensor.hardIron, softIron: sensor.correction),
      fieldStrength: settings.fieldStrength, inclination: settings.hasAccelerometer ? settings.inclination : nil,
      axes: AxisMap.assumed.name, noise: settings.noise, parameters: [], covariance: [], quality: quality)
    if settings.temperature != nil { profile.temperature = Self.roomTemperature }
    profile.accelerometerIsReversed = settings.accelerometerIsReversed
    return profile
  }
}
