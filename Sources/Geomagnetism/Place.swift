/// A place near the Earth's surface, on the WGS 84 ellipsoid.
public struct Place: Equatable, Sendable {
  /// Geodetic, in degrees, north positive: −90 ... 90.
  public let latitude: Double
  /// The longitude in degrees, east positive: −180 ... 360.
  public let longitude: Double
  /// The height above the ellipsoid in metres. Mean sea level lies within about 100 m of it.
  public let altitude: Double

  /// Latitudes in degrees.
  public static let latitudes: ClosedRange<Double> = -90...90
  /// Longitudes in degrees: both ways of counting.
  public static let longitudes: ClosedRange<Double> = -180...360
  /// Altitudes in metres: from below the deepest sea to where the World Magnetic Model ends (850 km, its report,
  /// section 1.1).
  public static let altitudes: ClosedRange<Double> = -12_000...850_000

  /// The number that is out of range or not finite.
  public enum Problem: Error, Equatable, Sendable {
    /// The latitude, outside `Place.latitudes`.
    case latitude(Double)
    /// The longitude, outside `Place.longitudes`.
    case longitude(Double)
    /// The altitude, outside `Place.altitudes`.
    case altitude(Double)
  }

  /// A place whose three numbers are in range.
  public init(latitude: Double, longitude: Double, altitude: Double = 0) throws(Problem) {
    guard Self.latitudes.contains(latitude) else { throw .latitude(latitude) }
    guard Self.longitudes.contains(longitude) else { throw .longitude(longitude) }
    guard Self.altitudes.contains(altitude) else { throw .altitude(altitude) }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }
}
