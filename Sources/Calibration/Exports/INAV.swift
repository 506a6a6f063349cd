import LodestoneCore

/// Lines for INAV's command line: the compass's alignment, and zero and gain along its own axes. The field has the zero
/// taken off and is divided by the gain, 1024 of which are the field's strength; then it is turned, by single angles
/// all the way, else by `align_mag` and the board's alignment. Source: iNavFlight/inav, src/main/sensors/compass.c,
/// compassUpdate.
enum INAVExport: ProfileExport {
  static let name = "inav"
  static let title = "INAV CLI lines, align_mag, align_mag_*, magzero_*, maggain_*"
  static let comment: String? = "#"

  static func notes(on profile: Profile) -> [String] {
    guard let alignment = try? CompassAlignment(of: profile) else { return [] }
    return [
      alignment.sweepNote("align_mag_roll, _pitch and _yaw = 0, magzero_x, _y and _z = 0, maggain_x, _y and _z = 1024"),
      "Frame: the compass's own axes, in counts",
    ] + CompassAlignment.presetNote(for: alignment.compass)
  }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    let alignment = try CompassAlignment(of: profile)
    let controller = FlightController(firmware: FlightController.inav)
    let preset = CompassAlignment.preset(for: alignment.compass)
    let angles = preset == nil ? controller.compassAngles(of: alignment.whole) : .zero
    var lines = ["set align_mag = \(preset ?? "CW0")"] + CompassAlignment.lines(angles, prefix: "align_mag")
    for (setting, vector) in [("magzero", alignment.compassZero), ("maggain", alignment.compassGain)] {
      lines += zip(["x", "y", "z"], CompassAlignment.whole(vector)).map { "set \(setting)_\($0) = \($1)" }
    }
    return Array((lines + ["save"]).map { $0 + "\n" }.joined().utf8)
  }
}
