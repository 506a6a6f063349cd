import LodestoneCore

/// The quantities that a chip measures.
public struct Senses: OptionSet, Sendable, Hashable {
  /// One bit a sensor.
  public let rawValue: UInt8
  /// The quantities from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A magnetometer.
  public static let field = Senses(rawValue: 1)
  /// An accelerometer.
  public static let acceleration = Senses(rawValue: 2)
  /// A gyroscope.
  public static let rotationRate = Senses(rawValue: 4)
}

/// A chip's measurement at one moment. A quantity that it does not sense, or that is not valid, is nil, never zero.
public struct Measurement: Equatable, Sendable {
  /// The raw field.
  public var field: MagneticField?
  /// Specific force.
  public var acceleration: Acceleration?
  /// Rotation rate.
  public var rotationRate: RotationRate?
  /// Temperature of the die in degrees Celsius, where it comes along with the rest.
  public var temperature: Double?
  /// An axis of the field is past its range. `field` is then a lower bound, or nil where the chip gives none.
  public var saturated = false
  /// The chip says that an earlier result was overwritten unread.
  public var overrun = false

  /// A measurement of nothing.
  public init() {}

  /// A valid field.
  public static func field(_ field: MagneticField) -> Measurement {
    var measurement = Measurement()
    measurement.field = field
    return measurement
  }

  /// A field past the range, with what is known of it.
  public static func saturated(lowerBound: MagneticField? = nil) -> Measurement {
    var measurement = Measurement()
    measurement.field = lowerBound
    measurement.saturated = true
    return measurement
  }
}

/// The pace of measurements and their age when they come, in seconds.
public struct Timing: Equatable, Sendable {
  /// Seconds from one measurement to the next.
  public var period: Double
  /// Seconds from the middle of a measurement to its readiness.
  public var latency: Double
  /// The chip measures on command, and reading one measurement starts the next: it cannot be late, nor miss one.
  public var isOnCommand: Bool

  /// A period and a latency in seconds.
  public init(period: Double, latency: Double, isOnCommand: Bool = false) {
    self.period = period
    self.latency = latency
    self.isOnCommand = isOnCommand
  }
}
