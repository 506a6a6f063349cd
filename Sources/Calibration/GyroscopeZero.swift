import LodestoneCore

/// The zero of a gyroscope, its reading at rest, as a calibration found it: `ω = reading − rate`.
public struct GyroscopeZero: Equatable, Sendable {
  /// In degrees per second, in the chip's axes.
  public var rate: Vector3
  /// The standard error of the rate about each axis, in degrees per second.
  public var deviation: Vector3
  /// The chip's mean temperature meanwhile, in degrees Celsius; nil for a device that tells none.
  public var temperature: Double?

  /// The largest, in degrees per second: data sheets of chips that nobody trimmed have 20 and 30 about an axis.
  package static let largest = 35.0
  /// The largest deviation of a zero that is worth keeping, in degrees per second.
  static let largestDeviation = 10.0

  /// A zero by its parts.
  public init(rate: Vector3, deviation: Vector3, temperature: Double? = nil) {
    (self.rate, self.deviation, self.temperature) = (rate, deviation, temperature)
  }
}
