import Core
import Glibc

/// A rotation as four numbers of squared sum 1, for paths between attitudes.
struct UnitQuaternion: Equatable, Sendable {
  var w: Double
  var v: Vector3

  /// The right-handed rotation by an angle in radians about a unit axis.
  init(angle: Double, about axis: Vector3) {
    w = cos(angle / 2)
    v = axis * sin(angle / 2)
  }

  private init(w: Double, v: Vector3) {
    self.w = w
    self.v = v
  }

  /// The attitude of a device (device frame to east, north, up): heading of the top edge, its pitch, and roll with the
  /// right edge down positive, in degrees.
  init(heading: Double, pitch: Double, roll: Double) {
    self =
      UnitQuaternion(angle: -Angle.radians(heading), about: Vector3(0, 0, 1))
      * UnitQuaternion(angle: Angle.radians(pitch), about: Vector3(1, 0, 0))
      * UnitQuaternion(angle: Angle.radians(roll), about: Vector3(0, 1, 0))
  }

  static func * (a: UnitQuaternion, b: UnitQuaternion) -> UnitQuaternion {
    UnitQuaternion(w: a.w * b.w - a.v.dot(b.v), v: b.v * a.w + a.v * b.w + a.v.cross(b.v))
  }

  var conjugate: UnitQuaternion { UnitQuaternion(w: w, v: -v) }

  /// Axis times angle in radians, the shorter way round.
  var rotationVector: Vector3 {
    let sine = v.length
    let angle = 2 * atan2(sine, abs(w))
    return v * ((w < 0 ? -angle : angle) / max(sine, 1e-300))
  }

  var matrix: Matrix3 {
    let (x, y, z) = (v.x, v.y, v.z)
    return Matrix3(
      Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
  }

  /// The attitude a fraction of the shorter way from this one to another.
  func turned(towards other: UnitQuaternion, by fraction: Double) -> UnitQuaternion {
    let turn = (conjugate * other).rotationVector
    guard let axis = turn.direction else { return self }
    return self * UnitQuaternion(angle: turn.length * fraction, about: axis)
  }
}
