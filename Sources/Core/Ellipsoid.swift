/// The ellipsoid of WGS 84, which coordinates and the models of the Earth's field refer to (NGA.STND.0036).
public enum Ellipsoid {
  /// The equatorial radius a in metres.
  public static let equatorialRadius = 6_378_137.0
  /// The flattening f = (a − b) / a, without unit.
  public static let flattening = 1 / 298.257223563
  /// The square of the first eccentricity, e² = f (2 − f), without unit.
  public static let squaredEccentricity = flattening * (2 - flattening)
}

/// A point on the ellipsoid.
public struct Coordinate: Equatable, Hashable, Sendable {
  /// The geodetic latitude in degrees, north positive: −90 ... 90.
  public let latitude: Double
  /// The longitude in degrees, east positive: −180 ..< 180.
  public let longitude: Double

  /// A point by its angles in degrees, the longitude counted either way: −180 ... 360; nil for what is out of range or
  /// not finite.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...360).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude < 180 ? longitude : longitude - 360
  }
}
