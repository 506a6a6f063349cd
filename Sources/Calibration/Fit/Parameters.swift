import LodestoneCore
import Glibc

/// The numbers of the sensor model: fourteen of the magnetometer, which a profile keeps with their covariance, and nine
/// of the accelerometer.
///
/// A chip reads m = D·b + v + ε, b the field in the accelerometer's axes. The correction is its inverse,
///
///     q = U (m − v),    b = R(ρ) P q,    S = R(ρ) P U,
///
/// with U symmetric (gains, non-orthogonality, soft iron; close to the identity), P one of the 48 signed permutations,
/// found before the fit and not a parameter, and R the rotation by |ρ| about ρ that is left between the two chips.
/// |q| = F, the field's strength, fixes v and U; the angle θ between b and the vertical, the same in every attitude,
/// fixes ρ. θ − 90° is the inclination. The accelerometer reads f = z + T⁻¹ g, T symmetric and g the specific force in
/// g; at rest |g| = 1, which fixes its zeros z and, weakly, its gains and skews T.
struct Parameters: Equatable, Sendable {
  /// Their number.
  static let count = 23
  /// The magnetometer's, which a profile keeps.
  static let fieldCount = 14
  /// The number of those that the norm alone speaks of; they come first.
  static let normCount = 10
  static let angleIndex = 10
  static let rotationIndex = 11
  static let forceIndex = 14
  /// The accelerometer's.
  static let forceCount = 9

  static let names = [
    "hard_iron_x_uT", "hard_iron_y_uT", "hard_iron_z_uT", "log_field_uT", "stretch_xx", "stretch_yy", "stretch_zz",
    "stretch_xy", "stretch_xz", "stretch_yz", "angle_to_up_rad", "rotation_x_rad", "rotation_y_rad", "rotation_z_rad",
  ]

  /// v, in µT, in the magnetometer's axes.
  var hardIron = Vector3.zero
  /// ln(F / 1 µT).
  var logStrength = log(48.0)
  /// U's diagonal.
  var diagonal = Vector3(1, 1, 1)
  /// U's xy, xz and yz.
  var offDiagonal = Vector3.zero
  /// θ, from up to the field, in radians.
  var angle = Double.pi / 2
  /// ρ, in radians.
  var rotation = Vector3.zero

  /// z and T.
  var force = ForceCorrection.none

  /// F in µT.
  var strength: Double { exp(logStrength) }

  /// U.
  var stretch: Matrix3 {
    Matrix3(
      Vector3(diagonal.x, offDiagonal.x, offDiagonal.y), Vector3(offDiagonal.x, diagonal.y, offDiagonal.z),
      Vector3(offDiagonal.y, offDiagonal.z, diagonal.z))
  }

  /// S = R P U with v.
  func correction(axes: Matrix3) -> Correction {
    Correction(hardIron: hardIron, softIron: Matrix3(rotation: rotation) * axes * stretch)
  }

  /// The values in the order of `names`, then z and T: its diagonal, xy, xz and yz.
  var values: [Double] {
    [
      hardIron.x, hardIron.y, hardIron.z, logStrength, diagonal.x, diagonal.y, diagonal.z, offDiagonal.x,
      offDiagonal.y, offDiagonal.z, angle, rotation.x, rotation.y, rotation.z, force.zero.x, force.zero.y, force.zero.z,
      force.gain.x, force.gain.y, force.gain.z, force.skew.x, force.skew.y, force.skew.z,
    ]
  }

  init() {}

  /// Parameters from values in the order of `names`, with or without the accelerometer's; nil for another number of
  /// them.
  init?(values x: [Double]) {
    guard x.count == Self.count || x.count == Self.fieldCount else { return nil }
    hardIron = Vector3(x[0], x[1], x[2])
    logStrength = x[3]
    diagonal = Vector3(x[4], x[5], x[6])
    offDiagonal = Vector3(x[7], x[8], x[9])
    angle = x[10]
    rotation = Vector3(x[11], x[12], x[13])
    guard x.count == Self.count else { return }
    force = ForceCorrection(
      zero: Vector3(x[14], x[15], x[16]), gain: Vector3(x[17], x[18], x[19]), skew: Vector3(x[20], x[21], x[22]))
  }

  /// The parameters with a step added.
  func adding(_ step: [Double]) -> Parameters {
    var values = self.values
    for (index, value) in step.enumerated() where index < values.count { values[index] += value }
    return Parameters(values: values) ?? self
  }

  /// Whether hard iron, soft iron and strength may be those of a board.
  var isSensible: Bool { hardIron.isFinite && abs(logStrength) < 12 && stretch.determinant > 0.05 }
}
