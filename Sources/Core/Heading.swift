/// North where the horizontal magnetic field points.
public enum MagneticNorth: Sendable {}
/// North where the meridian points.
public enum TrueNorth: Sendable {}

/// A direction in the horizontal plane: degrees clockwise from `North`, always in 0 ..< 360.
@frozen
public struct Heading<North>: Equatable, Sendable {
  /// The angle in degrees clockwise from north, 0 ..< 360.
  public let degrees: Double

  /// An angle in degrees, wrapped; NaN for one that is not finite.
  @inlinable
  public init(degrees: Double) { self.degrees = degrees.isFinite ? Angle.wrapped(degrees: degrees) : .nan }
}

/// The angle from true to magnetic north, east positive.
@frozen
public struct Declination: Equatable, Sendable {
  /// The angle in degrees, east positive, −180 ... 180.
  public let degrees: Double

  /// A declination in degrees, east positive.
  @inlinable
  public init(degrees: Double) { self.degrees = degrees }
}

/// True = magnetic + declination. Its sign is decided on this line and nowhere else.
@inlinable
public func + (magnetic: Heading<MagneticNorth>, declination: Declination) -> Heading<TrueNorth> {
  Heading(degrees: magnetic.degrees + declination.degrees)
}

/// Magnetic = true − declination: the inverse of the line above.
@inlinable
public func - (trueHeading: Heading<TrueNorth>, declination: Declination) -> Heading<MagneticNorth> {
  Heading(degrees: trueHeading.degrees - declination.degrees)
}
