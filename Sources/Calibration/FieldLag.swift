/// How the magnetometer's readings lie in time beside the gyroscope's, as a calibration found it: in the row of time t
/// stands the field of the attitude at t − `seconds`, the rate in it taken for the rate at t. A gyroscope that sends
/// the mean since the row before is the older one by half a row.
public struct FieldLag: Equatable, Sendable {
  /// Seconds by which the field is older than the rate beside it; negative where the rate is the older one.
  public var seconds: Double
  /// The standard error in seconds.
  public var deviation: Double

  /// A lag by its parts.
  public init(seconds: Double, deviation: Double) { (self.seconds, self.deviation) = (seconds, deviation) }
}
