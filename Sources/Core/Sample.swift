/// One moment of a device, in the chip's own right-handed axes. What the device does not measure is nil, never zero.
public struct Sample: Equatable, Sendable {
  /// The time at which it was taken, in seconds since the stream began: by the board's own clock where the protocol
  /// sends it, a recording's own time when the device is a file.
  public var time: Double
  /// The raw magnetic field, before any correction.
  public var field: MagneticField?
  /// Specific force.
  public var acceleration: Acceleration?
  /// Rotation rate.
  public var rotationRate: RotationRate?
  /// Temperature of the chip in degrees Celsius.
  public var temperature: Double?
  /// The heading that the device computed itself, passed on as its own.
  public var own: OwnHeading?
  /// The values of the causes that the stream was asked for.
  public var causes = CauseValues()
  /// The field along the axis of a probe that has one, in µT; nil for a magnetometer, whose field is a vector. A sample
  /// has one of the two.
  public var alongProbe: Double?
  /// Facts that its numbers do not show.
  public var flags: Flags

  /// A sample that holds what is given.
  @inlinable
  public init(
    time: Double, field: MagneticField? = nil, acceleration: Acceleration? = nil, rotationRate: RotationRate? = nil,
    temperature: Double? = nil, own: OwnHeading? = nil, flags: Flags = []
  ) {
    self.time = time
    self.field = field
    self.acceleration = acceleration
    self.rotationRate = rotationRate
    self.temperature = temperature
    self.own = own
    self.flags = flags
  }

  /// Temperatures that a working chip can have, in degrees Celsius: a number outside is counts, or nonsense.
  public static let temperatures = -100.0...300

  /// The line before a saturated sample in a recording.
  public static let saturatedComment: StaticString = "# saturated"

  /// Facts about a sample that its numbers do not show.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// One bit a flag.
    public let rawValue: UInt8
    /// From bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// An axis of the field is at the end of the sensor's range, or dead: the numbers are a lower bound.
    @inlinable public static var saturated: Flags { Flags(rawValue: 1) }
    /// The field has not changed in any digit for longer than noise allows.
    @inlinable public static var stuck: Flags { Flags(rawValue: 2) }
    /// The range was switched before this sample.
    @inlinable public static var rangeChanged: Flags { Flags(rawValue: 4) }
    /// Samples are missing before this one.
    @inlinable public static var gap: Flags { Flags(rawValue: 8) }
    /// The field is counts of unknown scale, made as long as the Earth's field usually is: its direction is right, its
    /// strength is not measured.
    @inlinable public static var unscaled: Flags { Flags(rawValue: 16) }
    /// An axis of the rotation rate is at the end of the gyroscope's range: the board turns faster than the numbers
    /// say.
    @inlinable public static var rateSaturated: Flags { Flags(rawValue: 32) }
    /// The clock of a recording has begun anew before this sample: how long the board was away is not known.
    @inlinable public static var restarted: Flags { Flags(rawValue: 64) }
    /// An axis of the accelerometer is dead: there is no force.
    @inlinable public static var forceLost: Flags { Flags(rawValue: 128) }
  }
}

/// An attitude that a device computed itself.
public struct OwnHeading: Equatable, Sendable {
  /// The heading against magnetic north.
  public var magnetic: Heading<MagneticNorth>?
  /// The heading against true north.
  public var trueNorth: Heading<TrueNorth>?
  /// The angle of the heading axis above the horizontal, in degrees.
  public var pitch: Double?
  /// The roll in degrees, right edge down positive.
  public var roll: Double?
  /// The rate of turn in degrees per second, clockwise positive.
  public var rateOfTurn: Double?
  /// The 95 % error of the heading in degrees, by the device's own word.
  public var accuracy: Double?

  /// Nothing known.
  @inlinable
  public init(
    magnetic: Heading<MagneticNorth>? = nil, trueNorth: Heading<TrueNorth>? = nil, pitch: Double? = nil,
    roll: Double? = nil, rateOfTurn: Double? = nil
  ) {
    self.magnetic = magnetic
    self.trueNorth = trueNorth
    self.pitch = pitch
    self.roll = roll
    self.rateOfTurn = rateOfTurn
  }
}
