import LodestoneCore

/// Parameters of PX4's first magnetometer, in gauss, as QGroundControl loads them: vehicle, component, name, value and
/// type (9 is a float) between tabs.
/// Source: `calibration::Magnetometer::Correct`: rotation · (scale · (data − offset)), the scale symmetric with ODIAG
/// as XY, XZ, YZ; so offset and scale stand in the sensor's frame, before `CAL_MAG0_ROT`.
enum PX4Export: ProfileImport {
  static let name = "px4"
  static let title = "PX4 parameter file for QGroundControl, CAL_MAG0_*"
  static let comment: String? = "#"

  static func notes(on profile: Profile) -> [String] {
    let form = SymmetricForm(of: profile)
    let diagonal = ForwardRightDown(form).softIron.diagonal
    let isOutside = !(0..<3).allSatisfy { (0.1...3).contains(diagonal[$0]) }
    return [
      "Frame: the sensor's, x forward, y right, z down, before CAL_MAG0_ROT; forward is the device's top edge (+y)",
      "corrected = rotation * [SCALE, ODIAG] * (raw - OFF), in gauss; set CAL_MAG0_ID to the sensor's device id",
    ] + form.notes + (isOutside ? ["CAL_MAG0_*SCALE lies outside 0.1 to 3, which PX4 does not take"] : [])
  }

  static func body(of profile: Profile) -> [UInt8] {
    let form = ForwardRightDown(SymmetricForm(of: profile))
    let groups = [
      ("OFF", form.hardIron / FieldUnit.gauss.microtesla), ("SCALE", form.softIron.diagonal),
      ("ODIAG", form.softIron.offDiagonal),
    ]
    let lines = groups.flatMap { group, vector in
      ["X", "Y", "Z"].enumerated().map { "1\t1\tCAL_MAG0_\($1)\(group)\t\(vector[$0].text(decimals: 6))\t9\n" }
    }
    return Array(lines.joined().utf8)
  }

  static func read(_ bytes: [UInt8]) throws(ImportProblem) -> ImportedCalibration {
    let file = try ParameterFile(bytes)
    let offset = try file.vector { "CAL_MAG0_\($0)OFF" }
    let diagonal = try file.vector(default: 1) { "CAL_MAG0_\($0)SCALE" }
    let offDiagonal = try file.vector(default: 0) { "CAL_MAG0_\($0)ODIAG" }
    return .correction(
      ForwardRightDown.correction(
        hardIron: offset * FieldUnit.gauss.microtesla,
        softIron: Matrix3(diagonal: diagonal, offDiagonal: offDiagonal)),
      fieldStrength: nil)
  }
}
