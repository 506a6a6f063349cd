import ArgumentParser
import Calibration
import LodestoneCore

extension ProfilesCommand {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a calibration and how good it is.")
    @OptionGroup var selection: ProfileSelection
    @Flag(help: "Print the profile as JSON.") var json = false

    func run() throws {
      let (profile, path) = try selection.resolved()
      if json {
        guard let bytes = try? profile.json() else { throw Failure(.badData, "can't print \(path)") }
        return try writeToStandardOutput(bytes)
      }
      try writeToStandardOutput(TextTable.text(of: Self.rows(profile, path)))
    }

    private static func rows(_ profile: Profile, _ path: String) -> [[String]] {
      let soft = profile.correction.softIron
      let inclination = profile.inclination.map { ", inclination \(TextTable.number($0, 1))°" } ?? ""
      return [
        ["Device", profile.device], ["Created", CalendarTime.text(unixTime: profile.created)], ["File", path],
        ["Verdict", verdict(profile.quality)], ["Holds for", kind(profile.quality)],
        ["Hard iron", TextTable.vector(profile.correction.hardIron, 2) + " µT"],
        ["Soft iron", TextTable.vector(soft.row0, 4)], ["", TextTable.vector(soft.row1, 4)],
        ["", TextTable.vector(soft.row2, 4)],
      ] + profile.causes.map { ["Cause", $0.words] } + laser(profile) + [
        ["Field", "\(TextTable.number(profile.fieldStrength, 2)) µT\(inclination)"],
        ["Axes", profile.axes + (profile.accelerometerIsReversed ? ", accelerometer reversed" : "")],
        ["Accelerometer", accelerometer(profile)], ["Gyroscope", gyroscope(profile)],
        ["Temperature", profile.temperature.map { "\(TextTable.number($0, 1)) °C" } ?? "not measured"],
        ["Noise", profile.noise.map { "\(TextTable.number($0, 2)) µT" } ?? "not measured"],
        ["Sweep", sweep(profile.quality)],
      ] + profile.quality.ignored.map { ["Ignored", stretch($0)] } + profile.quality.warnings.map { ["Warning", $0] }
    }

    private static func accelerometer(_ profile: Profile) -> String {
      if !profile.forceIsUsed { return "left out" }
      guard profile.forceCorrection != .none else { return "as it comes" }
      return "zero \(TextTable.vector(profile.forceCorrection.zero * 1000, 1)) mg, "
        + "gain \(TextTable.vector(profile.forceCorrection.gain, 4))"
    }

    private static func laser(_ profile: Profile) -> [[String]] {
      guard let laser = profile.laser else { return [] }
      let (degrees, margin) = (laser.degrees, laser.deviation * Quantile.normal)
      return [["Laser", "\(TextTable.number(degrees, 2))° ± \(TextTable.number(margin, 2)) from +\(laser.name)"]]
    }

    private static func gyroscope(_ profile: Profile) -> String {
      let zero = profile.gyroscopeZero.map { zero in
        let temperature = zero.temperature.map { " at \(TextTable.number($0, 1)) °C" } ?? ""
        return "zero \(TextTable.vector(zero.rate, 2)) °/s, ± \(TextTable.vector(zero.deviation * 2, 2))\(temperature)"
      }
      let gain = profile.gyroscopeGain.map { gain in
        let own = Vector3(gain.matrix.row0.x, gain.matrix.row1.y, gain.matrix.row2.z)
        return "; gain \(TextTable.vector(own, 4)), ± \(TextTable.number(gain.deviation * 2, 4))"
      }
      let lag = profile.fieldLag.map { lag in
        "; field \(TextTable.number(lag.seconds * 1000, 1)) ms late, ± \(TextTable.number(lag.deviation * 2000, 1))"
      }
      return (zero ?? "zero not measured") + (gain ?? "") + (lag ?? "")
    }

    private static func verdict(_ quality: CalibrationQuality) -> String {
      guard let error = quality.headingErrorDegrees else { return "\(quality.verdict.rawValue), heading error unknown" }
      let level = quality.headingErrorLevelDegrees.map { ", \(TextTable.number($0, 2))° level" } ?? ""
      return "\(quality.verdict.rawValue), predicted heading error \(TextTable.number(error, 2))° RMS\(level)"
    }

    private static func kind(_ quality: CalibrationQuality) -> String {
      let turn = quality.misalignment == .solved ? "" : "; the turn between magnetometer and accelerometer is unknown"
      return switch quality.kind {
      case .full: "any attitude" + turn
      case .level: "a level device only" + turn
      case .normOnly: "the strength of the field" + turn
      }
    }

    private static func sweep(_ quality: CalibrationQuality) -> String {
      let residual = quality.residual.map { ", residual \(TextTable.number($0, 2)) µT" } ?? ""
      return "\(quality.samples) samples, \(quality.rests) \(quality.rests == 1 ? "rest" : "rests"), "
        + "\(TextTable.number(quality.coveragePercent, 0)) % of directions\(residual)"
    }

    private static func stretch(_ ignored: IgnoredStretch) -> String {
      "\(TextTable.number(ignored.from, 1)) to \(TextTable.number(ignored.to, 1)) s: \(ignored.reason)"
    }
  }

  struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say how two calibrations differ, and what that means for headings.")
    @Argument(help: "A profile file, a device, or DEVICE@NUMBER.", completion: .profiles) var first: String
    @Argument(help: "The same.", completion: .profiles) var second: String
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
      let comparison = ProfileComparison(
        try ProfileSelection.resolve(first).profile, try ProfileSelection.resolve(second).profile)
      try writeToStandardOutput(json ? Self.object(comparison).printed : TextTable.text(of: Self.rows(comparison)))
    }

    private static func rows(_ comparison: ProfileComparison) -> [[String]] {
      let length = TextTable.number(comparison.hardIron.length, 2)
      let heading = comparison.heading.map {
        "\(TextTable.number($0.tilted, 2))° RMS for tilts up to 30°, \(TextTable.number($0.level, 2))° level, "
          + "\(TextTable.number($0.worst, 2))° at worst"
      }
      return [
        ["Hard iron", "\(TextTable.vector(comparison.hardIron, 2)) µT, total \(length) µT"],
        [
          "Soft iron",
          "rotated by \(TextTable.number(comparison.turn, 2))°, scale \(TextTable.number(comparison.scale, 2)) %",
        ],
      ] + directions(comparison) + [["Headings", heading ?? "unknown: neither profile has an inclination"]]
    }

    /// The rows of up and the laser, where they differ.
    private static func directions(_ comparison: ProfileComparison) -> [[String]] {
      var rows: [[String]] = []
      if comparison.up > 0.005 {
        let isReversed = comparison.up > 90 ? " (one of the profiles takes it for reversed)" : ""
        rows.append(["Accelerometer", "up rotated by at most \(TextTable.number(comparison.up, 2))°\(isReversed)"])
      }
      if let laser = comparison.laser { rows.append(["Laser", "rotated by \(TextTable.number(laser, 2))°"]) }
      return rows
    }

    private static func object(_ comparison: ProfileComparison) -> JSONValue {
      .members(
        ("hard_iron_difference_uT", .numbers(comparison.hardIron)), ("soft_iron_turn_deg", .number(comparison.turn)),
        ("soft_iron_scale_percent", .number(comparison.scale)),
        ("up_difference_worst_deg", .number(comparison.up)), ("laser_difference_deg", .orNull(comparison.laser)),
        ("heading_difference_deg", .orNull(comparison.heading?.tilted)),
        ("heading_difference_level_deg", .orNull(comparison.heading?.level)),
        ("heading_difference_worst_deg", .orNull(comparison.heading?.worst)))
    }
  }
}
