import LodestoneCore

/// The calibration file of cave-survey instruments with the `mag_cal` library (SAP6 and others): a matrix and a centre for
/// each chip, by which a row vector less the centre is multiplied, so that fields come out with the length 1.
enum SAP6Export: ProfileExport {
  static let name = "sap6"
  static let title = "Calibration of SAP6 and other cave-survey instruments with mag_cal, as JSON"
  static let comment: String? = nil

  static func notes(on profile: Profile) -> [String] {
    var notes = [
      "Frame: the accelerometer's own axes, readings in uT and g; set the instrument's axes if its firmware swaps them"
    ]
    if profile.accelerometerIsReversed {
      notes.append("The accelerometer reads -1 g face up: its signs are turned here")
    }
    if profile.inclination == nil { notes.append("The inclination is unknown: dip_avg is null") }
    return notes
  }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    let axes = try Self.axes(profile.axes)
    let correction = profile.correction
    let field = correction.softIron * axes.transposed * (1 / profile.fieldStrength)
    let force = profile.forceCorrection
    let sign: Double = profile.accelerometerIsReversed ? -1 : 1
    let document = JSONValue.members(
      ("mag", chip(field, centre: axes * correction.hardIron, axes: letters(axes), strength: profile.fieldStrength)),
      ("grav", chip(force.matrix * sign, centre: force.zero, axes: "+X+Y+Z", strength: 1)),
      ("dip_avg", .orNull(profile.inclination)))
    return Array((document.printed + "\n").utf8)
  }

  /// P, from the magnetometer's axes to the accelerometer's.
  private static func axes(_ name: String) throws(ProfileProblem) -> Matrix3 {
    guard let mounting = try? Mounting(name) else { throw .outOfRange(key: "axes", expected: "three signed axes") }
    return mounting.matrix
  }

  private static func letters(_ axes: Matrix3) -> String {
    (0..<3).map { row in
      let axis = (0..<3).first { axes[row][$0] != 0 } ?? 0
      return (axes[row][axis] < 0 ? "-" : "+") + ["X", "Y", "Z"][axis]
    }.joined()
  }

  private static func chip(_ matrix: Matrix3, centre: Vector3, axes: String, strength: Double) -> JSONValue {
    let rows = matrix.transposed
    return .members(
      ("axes", .string(axes)), ("transform", .array((0..<3).map { .numbers(rows[$0]) })), ("centre", .numbers(centre)),
      ("rbfs", .array([])), ("field_avg", .number(strength)), ("field_std", .number(0.01 * strength)))
  }
}
