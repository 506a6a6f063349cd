import Glibc

/// Three numbers along the axes of a frame. Which frame and which unit, the type or name that holds it says.
@frozen
public struct Vector3: Equatable, Hashable, Sendable {
  /// Along the first axis.
  public var x: Double
  /// Along the second axis.
  public var y: Double
  /// Along the third axis.
  public var z: Double

  /// The vector (x, y, z).
  @inlinable
  public init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// (0, 0, 0).
  public static var zero: Vector3 { Vector3(0, 0, 0) }

  /// x·x + y·y + z·z.
  @inlinable public var squaredLength: Double { x * x + y * y + z * z }

  /// The Euclidean length.
  @inlinable public var length: Double { squaredLength.squareRoot() }

  /// The vector of length 1 in the same direction; nil for a vector that has none (zero, not finite).
  @inlinable public var direction: Vector3? {
    let length = self.length
    return length > 0 && length.isFinite ? self / length : nil
  }

  /// Whether no component is infinite or not a number.
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

  /// The component along axis 0, 1 or 2; any other index reads the last.
  @inlinable
  public subscript(axis: Int) -> Double {
    get { axis == 0 ? x : axis == 1 ? y : z }
    set { if axis == 0 { x = newValue } else if axis == 1 { y = newValue } else { z = newValue } }
  }

  /// The scalar product.
  @inlinable
  public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

  /// The vector product, right-handed.
  @inlinable
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The angle to another vector in radians, exact for small and for nearly opposite angles; 0 for a zero vector.
  @inlinable
  public func angle(to other: Vector3) -> Double { atan2(cross(other).length, dot(other)) }

  /// The square of the angle to another vector, in square radians: without root and arc tangent where it is small, as
  /// from one sample to the next.
  @inlinable
  public func squaredAngle(to other: Vector3) -> Double {
    let (square, cosine) = (cross(other).squaredLength, dot(other))
    guard cosine > 0, square < 0.02 * (cosine * cosine) else {
      let angle = atan2(square.squareRoot(), cosine)
      return angle * angle
    }
    // The series of arctan² t in s = t², to s⁶, with the long chain cut in two.
    let s = square / (cosine * cosine), s3 = s * s * s
    let high = 44.0 / 105 - s * (563.0 / 1575 - s * (3254.0 / 10_395))
    return s * (1 - s * (2.0 / 3 - s * (23.0 / 45)) - s3 * high)
  }

  /// Adds component by component.
  @inlinable
  public static func + (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x + b.x, a.y + b.y, a.z + b.z) }
  /// The difference.
  @inlinable
  public static func - (a: Vector3, b: Vector3) -> Vector3 { Vector3(a.x - b.x, a.y - b.y, a.z - b.z) }
  /// The opposite vector.
  @inlinable
  public static prefix func - (a: Vector3) -> Vector3 { Vector3(-a.x, -a.y, -a.z) }
  /// Scaled.
  @inlinable
  public static func * (a: Vector3, k: Double) -> Vector3 { Vector3(a.x * k, a.y * k, a.z * k) }
  /// Scaled.
  @inlinable
  public static func * (k: Double, a: Vector3) -> Vector3 { a * k }
  /// Scaled.
  @inlinable
  public static func / (a: Vector3, k: Double) -> Vector3 { Vector3(a.x / k, a.y / k, a.z / k) }
  /// Adds in place.
  @inlinable
  public static func += (a: inout Vector3, b: Vector3) { a = a + b }
  /// Subtracts in place.
  @inlinable
  public static func -= (a: inout Vector3, b: Vector3) { a = a - b }
}
