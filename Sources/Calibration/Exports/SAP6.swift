import LodestoneCore

/// The calibration file of cave-survey instruments with the `mag_cal` library (SAP6 and others): a matrix and a centre
/// for each chip, by which a row vector less the centre is multiplied, so that field and gravity come out with the
/// length 1 in x right, y along the laser, z up.
enum SAP6Export: ProfileExport {
  static let name = "sap6"
  static let title = "Calibration of SAP6 and other cave-survey instruments with mag_cal, as JSON"
  static let comment: String? = nil
  static let holdsLaser = true
  static let holdsForce = true

  static func notes(on profile: Profile) -> [String] {
    var notes = [
      "Frame: x right, y along the laser, z up, by the readings of both chips as they come, in uT and g",
      SurveyInstrument.laserNote(profile, forward: "y"),
    ]
    if profile.inclination == nil { notes.append("The inclination is unknown: dip_avg is null") }
    return notes
  }

  static func body(of profile: Profile) throws(ProfileProblem) -> [UInt8] {
    let instrument = SurveyInstrument(profile, forward: 1)
    let field = instrument.frame * (try Self.axes(profile.axes))
    // Gravity, not the specific force: up is against what it reads.
    let down = instrument.frame * -1
    let (centre, zero) = (field * profile.correction.hardIron, down * profile.forceCorrection.zero)
    let document = JSONValue.members(
      ("mag", chip(instrument.field, centre: centre, axes: field, strength: profile.fieldStrength)),
      ("grav", chip(instrument.down, centre: zero, axes: down, strength: 1)),
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

  /// A chip whose readings less the centre, along these axes of its own, are multiplied with what is left of a matrix.
  private static func chip(_ matrix: Matrix3, centre: Vector3, axes: Matrix3, strength: Double) -> JSONValue {
    let rows = axes * matrix.transposed
    func numbers(_ vector: Vector3) -> JSONValue { .numbers(vector + .zero) }  // never −0
    return .members(
      ("axes", .string(letters(axes))), ("transform", .array((0..<3).map { numbers(rows[$0]) })),
      ("centre", numbers(centre)), ("rbfs", .array([])), ("field_avg", .number(strength)),
      ("field_std", .number(0.01 * strength)))
  }
}
