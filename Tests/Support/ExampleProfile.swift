import Calibration
import LodestoneCore

extension Profile {
  /// A full and good calibration, its soft iron not symmetric.
  public static var example: Profile {
    var quality = CalibrationQuality(
      verdict: .good, kind: .full, misalignment: .solved, headingErrorDegrees: 0.21,
      headingErrorLevelDegrees: 0.12)
    quality.samples = 3000
    quality.rests = 8
    quality.coveragePercent = 93.5
    quality.residual = 0.31
    quality.ignored = [IgnoredStretch(from: 23, to: 27, reason: "the field changed by 15 µT")]
    quality.warnings = ["The temperature rose by 4 °C"]
    return Profile(
      device: "/dev/ttyACM0 \"Feather\"", created: 1_767_225_600,
      correction: Correction(
        hardIron: Vector3(12.5, -30.25, 4),
        softIron: Matrix3(Vector3(1.02, 0.03, -0.02), Vector3(0.01, 0.99, 0.005), Vector3(-0.02, 0.015, 0.98))),
      fieldStrength: 48.5, inclination: 64.25, noise: 0.3,
      parameters: [Parameter(name: "hard_iron_x_uT", value: 12.5), Parameter(name: "hard_iron_y_uT", value: -30.25)],
      covariance: [[0.01, 0.002], [0.002, 0.04]], quality: quality)
  }
}
