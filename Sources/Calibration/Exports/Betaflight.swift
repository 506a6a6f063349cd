import LodestoneCore

/// Lines for Betaflight's command line: the compass's alignment, and its zero along the vehicle's axes. The field is
/// turned first and has the zero taken off then; there is no soft iron. Source: betaflight/betaflight,
/// src/main/sensors/compass.c, compassUpdate, and src/main/cli/settings.c.
enum BetaflightExport: ProfileExport {
  static let name = "betaflight"
  static let title = "Betaflight CLI lines, align_mag, mag_align_*, mag_calibration"
  static let comment: String? = "#"

  static func notes(on profile: Profile) -> [String] {
    guard let alignment = try? CompassAlignment(of: profile) else { return [] }
    let lost = (alignment.softIron * 100).text(decimals: 1)
    return [
      alignment.sweepNote("mag_calibration = 0,0,0"),
      "Frame: the vehicle's, x forward, y left, z up, in counts; forward is the device's top edge (+y)",
      "Betaflight has no soft iron. Lost: \(lost) % of the field",
    ] + CompassAlignment.presetNote(for: alignment.compass) + versionNote(alignment)
  }

  private static func versionNote(_ alignment: CompassAlignment) -> [String] {
    guard CompassAlignment.preset(for: alignment.compass) == nil, alignment.controller?.version == nil else {
      return []
    }
    return ["Angles are those of Betaflight 2026.6 and later; before, all three have the other sign"]
  }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    let alignment = try CompassAlignment(of: profile)
    let controller = alignment.controller ?? FlightController(firmware: FlightController.betaflight)
    var lines: [String]
    if let preset = CompassAlignment.preset(for: alignment.compass) {
      lines = ["set align_mag = \(preset)"]
    } else {
      let angles = controller.compassAngles(of: alignment.compass)
      lines = ["set align_mag = CUSTOM"] + CompassAlignment.lines(angles, prefix: "mag_align")
    }
    let zero = CompassAlignment.whole(alignment.vehicleZero).map { String($0) }.joined(separator: ",")
    lines += ["set mag_calibration = \(zero)", "save"]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}
