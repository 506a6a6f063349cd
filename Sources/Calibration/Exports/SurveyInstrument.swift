import LodestoneCore

/// A calibration as cave-survey instruments take it, whose headings are those of their laser: both chips in one frame
/// with the laser along an axis of it, and what they make of a reading of the length 1.
struct SurveyInstrument {
  /// The direction of the field = `field` · (m − o), m in µT in the magnetometer's own axes.
  let field: Matrix3
  /// The direction of down = `down` · (f − z), f in g in the accelerometer's own axes.
  let down: Matrix3
  /// The rotation from the accelerometer's own axes to the frame.
  let frame: Matrix3

  /// - Parameter forward: the frame's axis that the laser is along: 0, 1 and 2 are x, y and z.
  init(_ profile: Profile, forward: Int) {
    frame = Self.halfTurn(from: profile.laser?.nearest ?? forward, to: forward)
    let turned = frame * (profile.laser?.turn ?? .identity)
    field = turned * profile.correction.softIron * (1 / profile.fieldStrength)
    down = turned * profile.forceMatrix * -1
  }

  /// Half a turn that swaps two axes and reverses the third; none for an axis and itself.
  private static func halfTurn(from axis: Int, to other: Int) -> Matrix3 {
    guard axis != other else { return .identity }
    var turn = Matrix3(diagonal: .zero)
    (turn[axis][other], turn[other][axis], turn[3 - axis - other][3 - axis - other]) = (1, 1, -1)
    return turn
  }

  /// On the laser, for a reader of the file.
  static func laserNote(_ profile: Profile, forward: String) -> String {
    guard let laser = profile.laser else {
      return "The laser is taken to be along the accelerometer's \(forward): where it points was not found"
    }
    let degrees = laser.degrees.text(decimals: 1)
    return "The laser is \(degrees) deg from the accelerometer's +\(laser.name), which becomes +\(forward)"
  }
}
