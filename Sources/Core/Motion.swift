/// Specific force: what an accelerometer reads. At rest, face up, it is (0, 0, +1) g: it points up, away from gravity.
@frozen
public struct Acceleration: Equatable, Hashable, Sendable {
  /// The components in g.
  public var g: Vector3

  /// A specific force from its components in g.
  @inlinable
  public init(g: Vector3) { self.g = g }

  /// A specific force from its components in metres per second squared.
  @inlinable
  public init(metresPerSecondSquared a: Vector3) { g = a / Acceleration.standardGravity }

  /// Standard gravity in m/s² (3rd CGPM, 1901; exact).
  public static let standardGravity = 9.80665
}

/// Rotation rate, right-handed about each axis.
@frozen
public struct RotationRate: Equatable, Hashable, Sendable {
  /// The components in degrees per second.
  public var degreesPerSecond: Vector3

  /// A rotation rate from its components in degrees per second.
  @inlinable
  public init(degreesPerSecond: Vector3) { self.degreesPerSecond = degreesPerSecond }

  /// A rotation rate from its components in radians per second.
  @inlinable
  public init(radiansPerSecond r: Vector3) { degreesPerSecond = r * (180 / .pi) }
}
