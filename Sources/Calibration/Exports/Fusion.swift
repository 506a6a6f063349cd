import LodestoneCore

/// Two initialisers for x-io Technologies' Fusion: `FusionCalibrationMagnetic` (`FusionModelMagnetic` in later
/// releases) computes softIronMatrix · (uncalibrated − hardIronOffset).
enum FusionExport: ProfileExport {
  static let name = "fusion"
  static let title = "C initialisers for x-io Fusion's magnetic model"
  static let comment: String? = "//"

  static func notes(on profile: Profile) -> [String] {
    [
      "Frame: uncalibrated readings in the chip's own axes, in uT; apply FusionAxesSwap or FusionRemap afterwards",
      "FusionCalibrationMagnetic (FusionModelMagnetic): softIronMatrix * (uncalibrated - hardIronOffset)",
    ]
  }

  static func body(of profile: Profile) -> [UInt8] {
    let correction = profile.correction
    let rows = (0..<3).map { "{\(C.list(correction.softIron[$0]))}" }.joined(separator: ", ")
    return Array(
      """
      const FusionMatrix softIronMatrix = {{\(rows)}};
      const FusionVector hardIronOffset = {{\(C.list(correction.hardIron))}};

      """.utf8)
  }
}
