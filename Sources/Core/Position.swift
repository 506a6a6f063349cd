/// A statement of a satellite receiver about one moment: where it is, and how it moves. What it does not say is nil,
/// never zero.
public struct Position: Equatable, Sendable {
  /// The time of the statement in seconds since the stream began; a recording's own time when the device is a file.
  public var time = 0.0
  /// The place; nil while the receiver has no fix.
  public var coordinate: Coordinate?
  /// The height above the ellipsoid of WGS 84 in metres; nil without a fix in three dimensions.
  public var altitude: Double?
  /// The height above mean sea level in metres, by the receiver's geoid; nil without a fix in three dimensions.
  public var seaLevelAltitude: Double?
  /// UTC of the fix, as seconds since 1970-01-01; nil where the receiver does not tell it, or tells a date that can't
  /// be.
  public var unixTime: Double?
  /// The direction of the movement over ground, in degrees clockwise from true north, 0 ..< 360.
  public var course: Double?
  /// The speed over ground in metres per second.
  public var speed: Double?
  /// The vertical speed in metres per second, upwards positive.
  public var climb: Double?
  /// The 95 % error of `climb`, in metres per second.
  public var climbAccuracy: Double?
  /// The radius that holds 95 % of fixes, in metres.
  public var horizontalAccuracy: Double?
  /// The half-width that holds 95 % of altitudes, in metres; nil without a fix in three dimensions.
  public var verticalAccuracy: Double?
  /// The source of the accuracies; nil where there are none.
  public var accuracyBasis: AccuracyBasis?

  /// The basis of the accuracies.
  public enum AccuracyBasis: String, CaseIterable, Sendable {
    /// The receiver's own statistics of its errors.
    case receiver
    /// The dilution of precision, and the usual error of a range.
    case dilution
  }

  /// A position with what is known of it.
  public init(_ coordinate: Coordinate? = nil, altitude: Double? = nil, unixTime: Double? = nil) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.unixTime = unixTime
  }
}
