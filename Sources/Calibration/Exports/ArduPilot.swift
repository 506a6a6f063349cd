import LodestoneCore

/// Parameters of ArduPilot's first compass, in milligauss, as ground stations load them.
/// Source: `AP_Compass_Backend::correct_field`: the field, already turned into the vehicle's body frame, has the
/// offsets added, is scaled, and is multiplied by the symmetric matrix of DIA and ODI (XY, XZ, YZ). What MOT makes of
/// each ampere of the battery is added behind that; with it the offsets are those without current.
enum ArduPilotExport: ProfileImport {
  static let name = "ardupilot"
  static let title = "ArduPilot parameter file, COMPASS_OFS/DIA/ODI/SCALE"
  static let comment: String? = "#"

  static func notes(on profile: Profile) -> [String] {
    let form = SymmetricForm(of: profile)
    let diagonal = ForwardRightDown(form).softIron.diagonal
    let isOutside = !(0..<3).allSatisfy { (0.2...5).contains(diagonal[$0]) }
    return [
      "Frame: the vehicle's body, x forward, y right, z down; forward is the device's top edge (+y)",
      "corrected = [DIA, ODI] * SCALE * (raw + OFS), in milligauss; the offsets are added",
    ] + form.notes + (isOutside ? ["COMPASS_DIA lies outside 0.2 to 5, which ArduPilot does not use"] : [])
  }

  /// A battery's current, which the autopilot measures itself.
  static func holds(_ cause: Cause) -> Bool {
    let name = cause.name.lowercased()
    return name.hasPrefix("current") || name.hasPrefix("amp")
  }

  static func body(of profile: Profile) -> [UInt8] {
    let current = profile.causes.first { holds($0) }
    let form = ForwardRightDown(SymmetricForm(of: current.map { profile.moved(by: $0, to: 0) } ?? profile))
    let offsets = form.hardIron / -FieldUnit.milligauss.microtesla
    let groups = [("OFS", offsets, 3), ("DIA", form.softIron.diagonal, 6), ("ODI", form.softIron.offDiagonal, 6)]
    let lines = groups.flatMap { group, vector, decimals in
      ["X", "Y", "Z"].enumerated().map { "COMPASS_\(group)_\($1),\(vector[$0].text(decimals: decimals))\n" }
    }
    let motor = current.map { current in
      let ampere = ForwardRightDown(SymmetricForm(of: profile.moved(by: current, to: 1))).hardIron - form.hardIron
      let offset = form.softIron * ampere / -FieldUnit.milligauss.microtesla
      return ["X", "Y", "Z"].enumerated().map { "COMPASS_MOT_\($1),\(offset[$0].text(decimals: 3))\n" }.joined()
        + "COMPASS_MOTCT,2\n"
    }
    return Array((lines.joined() + "COMPASS_SCALE,1\n" + (motor ?? "")).utf8)
  }

  static func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalibration {
    let file = try ParameterFile(bytes)
    let offsets = try file.vector { "COMPASS_OFS_\($0)" }
    let diagonal = try file.vector(default: 1) { "COMPASS_DIA_\($0)" }
    let offDiagonal = try file.vector(default: 0) { "COMPASS_ODI_\($0)" }
    let scale = try file.number("COMPASS_SCALE", default: 0)
    // A zero diagonal, or a scale of zero, stands for "not calibrated": the firmware leaves that step out.
    let matrix = diagonal == .zero ? .identity : Matrix3(diagonal: diagonal, offDiagonal: offDiagonal)
    return .correction(
      ForwardRightDown.correction(
        hardIron: offsets * -FieldUnit.milligauss.microtesla, softIron: matrix * (scale > 0 ? scale : 1)),
      fieldStrength: nil)
  }
}

extension Profile {
  /// The profile with the hard iron that it has at a value of a cause.
  fileprivate func moved(by cause: Cause, to value: Double) -> Profile {
    var profile = self
    profile.correction.hardIron += cause.slope * (value - cause.middle)
    return profile
  }
}
