import LodestoneCore

/// The command that writes register 23, magnetometer compensation, of a VectorNav sensor: X = C · (M − B), C row by
/// row without a unit, B in gauss. The checksum is the exclusive or of the characters between `$` and `*`.
/// Source: VN-100 User Manual UM001, section 6.2.1.
enum VectorNavExport: ProfileExport {
  static let name = "vectornav"
  static let title = "VectorNav command that writes register 23"
  static let comment: String? = nil

  static func notes(on profile: Profile) -> [String] {
    [
      "Frame: the sensor's, x forward, y right, z down, in gauss, for a sweep made with register 23 at its default; forward "
        + "is the device's top edge (+y)"
    ]
  }

  static func body(of profile: Profile) -> [UInt8] {
    let form = ForwardRightDown(profile.correction)
    let soft = form.softIron
    let bias = form.hardIron / FieldUnit.gauss.microtesla
    let numbers = [soft.row0, soft.row1, soft.row2, bias].flatMap { [$0.x, $0.y, $0.z] }
    let sentence = "VNWRG,23," + numbers.map { $0.text(decimals: 6) }.joined(separator: ",")
    let checksum = sentence.utf8.reduce(0, ^).hexadecimal.uppercased()
    return Array("$\(sentence)*\(checksum)\r\n".utf8)
  }
}
