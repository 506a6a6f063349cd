import LodestoneCore

/// Initialisers for x-io Technologies' Fusion, by the names of its examples: `FusionCalibrationMagnetic`
/// (`FusionModelMagnetic` in later releases) computes softIronMatrix · (uncalibrated − hardIronOffset), and
/// `FusionCalibrationInertial` (`FusionModelInertial`) misalignment · (sensitivity ∘ (uncalibrated − offset)).
enum FusionExport: ProfileExport {
  static let name = "fusion"
  static let title = "C initialisers for x-io Fusion's magnetic and inertial models"
  static let comment: String? = "//"
  static let holdsForce = true

  static func notes(on profile: Profile) -> [String] {
    [
      "Frame: uncalibrated readings in the chip's own axes, in uT; apply FusionAxesSwap or FusionRemap afterwards",
      "FusionCalibrationMagnetic (FusionModelMagnetic): softIronMatrix * (uncalibrated - hardIronOffset)",
      "FusionCalibrationInertial (FusionModelInertial), in g: accelerometerMisalignment * accelerometerSensitivity "
        + "* (uncalibrated - accelerometerOffset)",
    ]
  }

  static func body(of profile: Profile) -> [UInt8] {
    let correction = profile.correction
    return Array(
      """
      const FusionMatrix softIronMatrix = {\(C.matrix(correction.softIron))};
      const FusionVector hardIronOffset = {{\(C.list(correction.hardIron))}};
      const FusionMatrix accelerometerMisalignment = {\(C.matrix(profile.forceMatrix))};
      const FusionVector accelerometerSensitivity = {{1.0f, 1.0f, 1.0f}};
      const FusionVector accelerometerOffset = {{\(C.list(profile.forceCorrection.zero))}};

      """.utf8)
  }
}
