import LodestoneCore

extension Fusion {
  /// The attitude at a moment.
  public struct Estimate: Sendable {
    /// Turns device axes into magnetic east, magnetic north, up; about the vertical arbitrary until there is a field.
    public var attitude: Quaternion
    /// The same without what the field has turned it about the vertical: it drifts with the gyroscope and never jumps.
    public var drifting: Quaternion { Quaternion(angle: -turnedByField, about: Vector3(0, 0, 1)) * attitude }
    /// The turn about the vertical by the field, in radians.
    var turnedByField: Double
    /// The rotation rate less the gyroscope's bias, in degrees per second, in the device's axes.
    public var rate: Vector3
    /// Variance of the attitude about the vertical, in square degrees; nil before the first field.
    public var yawVariance: Double?
    /// By how much iron that is known, and left in the field, turns north at most, in degrees.
    public var knownTurn = 0.0
    /// Variance of the attitude about a horizontal axis, in square degrees.
    public var tiltVariance: Double
    /// Neither turned nor pushed for a while.
    public var isAtRest: Bool
  }
}
