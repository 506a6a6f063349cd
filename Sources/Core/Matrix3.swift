import Glibc

/// A 3×3 matrix, given by its rows.
@frozen
public struct Matrix3: Equatable, Hashable, Sendable {
  /// The first row.
  public var row0: Vector3
  /// The second row.
  public var row1: Vector3
  /// The third row.
  public var row2: Vector3

  /// The matrix with these rows.
  @inlinable
  public init(_ row0: Vector3, _ row1: Vector3, _ row2: Vector3) {
    self.row0 = row0
    self.row1 = row1
    self.row2 = row2
  }

  /// The matrix with this diagonal and zeros elsewhere.
  @inlinable
  public init(diagonal d: Vector3) {
    self.init(Vector3(d.x, 0, 0), Vector3(0, d.y, 0), Vector3(0, 0, d.z))
  }

  /// The rotation by |v| radians about v, right-handed (Rodrigues' formula).
  public init(rotation v: Vector3) {
    let angle = v.length
    let sine = angle > 1e-8 ? sin(angle) / angle : 1 - angle * angle / 6
    let versine = angle > 1e-4 ? (1 - cos(angle)) / (angle * angle) : 0.5 - angle * angle / 24
    let cross = Matrix3(Vector3(0, -v.z, v.y), Vector3(v.z, 0, -v.x), Vector3(-v.y, v.x, 0))
    self = .identity + cross * sine + (cross * cross) * versine
  }

  /// Ones on the diagonal.
  @inlinable public static var identity: Matrix3 { Matrix3(diagonal: Vector3(1, 1, 1)) }

  /// Row 0, 1 or 2; any other index reads the last.
  @inlinable
  public subscript(row: Int) -> Vector3 {
    get { row == 0 ? row0 : row == 1 ? row1 : row2 }
    set { if row == 0 { row0 = newValue } else if row == 1 { row1 = newValue } else { row2 = newValue } }
  }

  /// Rows and columns exchanged.
  @inlinable public var transposed: Matrix3 {
    Matrix3(
      Vector3(row0.x, row1.x, row2.x), Vector3(row0.y, row1.y, row2.y), Vector3(row0.z, row1.z, row2.z))
  }

  /// The determinant: negative for a map that mirrors.
  @inlinable public var determinant: Double { row0.dot(row1.cross(row2)) }

  /// The inverse by cofactors; nil when the determinant is zero or not finite.
  public var inverse: Matrix3? {
    let determinant = self.determinant
    guard determinant != 0, determinant.isFinite else { return nil }
    return Matrix3(row1.cross(row2), row2.cross(row0), row0.cross(row1)).transposed * (1 / determinant)
  }

  /// Whether no element is infinite or not a number.
  @inlinable public var isFinite: Bool { row0.isFinite && row1.isFinite && row2.isFinite }

  /// The matrix applied to a column vector.
  @inlinable
  public static func * (m: Matrix3, v: Vector3) -> Vector3 { Vector3(m.row0.dot(v), m.row1.dot(v), m.row2.dot(v)) }
  /// Scaled.
  @inlinable
  public static func * (m: Matrix3, k: Double) -> Matrix3 { Matrix3(m.row0 * k, m.row1 * k, m.row2 * k) }
  /// The matrix product: b first, then a.
  @inlinable
  public static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
    let columns = b.transposed
    return Matrix3(columns * a.row0, columns * a.row1, columns * a.row2)
  }
  /// Adds element by element.
  @inlinable
  public static func + (a: Matrix3, b: Matrix3) -> Matrix3 {
    Matrix3(a.row0 + b.row0, a.row1 + b.row1, a.row2 + b.row2)
  }
}
