import Glibc

/// A rotation as four numbers of squared sum 1: w and the vector part. It turns vectors of one frame into another;
/// which frames, the name that holds it says. `a * b` turns by b first, then by a.
@frozen
public struct Quaternion: Equatable, Hashable, Sendable {
  /// The cosine of half the angle.
  public var w: Double
  /// The unit axis times the sine of half the angle.
  public var v: Vector3

  /// A quaternion by its parts, taken as they are.
  @inlinable
  public init(w: Double, v: Vector3) {
    self.w = w
    self.v = v
  }

  /// The right-handed rotation by an angle in radians about a unit axis.
  public init(angle: Double, about axis: Vector3) {
    self.init(w: cos(angle / 2), v: axis * sin(angle / 2))
  }

  /// The rotation by |r| radians about r, right-handed: the exponential of r/2, exact for any length.
  public init(rotation r: Vector3) {
    let square = r.squaredLength
    guard square > 1e-2 else {  // The series of cos and sin to the seventh power, exact to 1e-15 here.
      let cosine = 1 - square * (1.0 / 8) * (1 - square * (1.0 / 48) * (1 - square * (1.0 / 120)))
      self.init(
        w: cosine, v: r * (0.5 - square * (1.0 / 48) * (1 - square * (1.0 / 80) * (1 - square * (1.0 / 168)))))
      return
    }
    let angle = square.squareRoot()
    self.init(w: cos(angle / 2), v: r * (sin(angle / 2) / angle))
  }

  /// The attitude of a device (device frame to east, north, up): heading of the top edge, its pitch, and roll with the
  /// right edge down positive, in degrees.
  public init(heading: Double, pitch: Double, roll: Double) {
    self =
      Quaternion(angle: -Angle.radians(heading), about: Vector3(0, 0, 1))
      * Quaternion(angle: Angle.radians(pitch), about: Vector3(1, 0, 0))
      * Quaternion(angle: Angle.radians(roll), about: Vector3(0, 1, 0))
  }

  /// The shortest rotation that turns one direction into another, both of length 1; half a turn about some axis across
  /// where they are opposite.
  public init(from a: Vector3, to b: Vector3) {
    let w = 1 + a.dot(b)
    guard w > 1e-12 else {
      let across = abs(a.x) < 0.6 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
      self.init(w: 0, v: a.cross(across).direction ?? Vector3(0, 0, 1))
      return
    }
    let length = (2 * w).squareRoot()
    self.init(w: length / 2, v: a.cross(b) / length)
  }

  /// No rotation.
  @inlinable public static var identity: Quaternion { Quaternion(w: 1, v: .zero) }

  /// The Hamilton product: b first, then a.
  @inlinable
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(w: a.w * b.w - a.v.dot(b.v), v: b.v * a.w + a.v * b.w + a.v.cross(b.v))
  }

  /// The vector turned.
  @inlinable
  public static func * (q: Quaternion, v: Vector3) -> Vector3 {
    let t = q.v.cross(v) * 2
    return v + t * q.w + q.v.cross(t)
  }

  /// The opposite rotation.
  @inlinable public var conjugate: Quaternion { Quaternion(w: w, v: -v) }

  /// The same rotation with the squared sum 1 again; no rotation where the numbers are zero or not finite.
  @inlinable public var normalized: Quaternion {
    let length = (w * w + v.squaredLength).squareRoot()
    guard length > 0, length.isFinite else { return .identity }
    let scale = 1 / length
    return Quaternion(w: w * scale, v: v * scale)
  }

  /// Whether no number is infinite or not a number.
  @inlinable public var isFinite: Bool { w.isFinite && v.isFinite }

  /// Axis times angle in radians, the shorter way round.
  public var rotationVector: Vector3 {
    let sine = v.length
    let angle = 2 * atan2(sine, abs(w))
    return v * ((w < 0 ? -angle : angle) / max(sine, 1e-300))
  }

  /// The same rotation as a matrix.
  @inlinable public var matrix: Matrix3 {
    let (x, y, z) = (v.x, v.y, v.z)
    return Matrix3(
      Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
      Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
      Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
  }

  /// The attitude a fraction of the shorter way from this one to another.
  public func turned(towards other: Quaternion, by fraction: Double) -> Quaternion {
    let turn = (conjugate * other).rotationVector
    guard let axis = turn.direction else { return self }
    return self * Quaternion(angle: turn.length * fraction, about: axis)
  }
}
