import LodestoneCore

/// The contents of one message, in the unit the wire uses. Absent is nil.
public struct WireMessage: Equatable, Sendable {
  /// The board's own clock in seconds, where it sends one. It may start anywhere and may wrap or restart.
  public var time: Double?
  /// The time at which it arrived, in seconds of the stream, where it has waited since; nil for one that was just read.
  public var arrival: Double?
  /// The raw field in `fieldUnit`, or in a unit that must be inferred where that is nil.
  public var field: Vector3?
  /// The field along the axis of a probe that has one, in `fieldUnit`, which is always said; nil for a magnetometer.
  public var alongProbe: Double?
  /// The unit of `field` where the protocol or the message says it.
  public var fieldUnit: FieldUnit?
  /// `field` has no unit at all: its length is about 1 in the field the device was calibrated in.
  public var fieldIsNormalized = false
  /// `field` is in counts of a chip that is not known: no unit is to be looked for.
  public var fieldIsCounts = false
  /// Specific force in `accelerationUnit`, or in a unit to be inferred. Sign as in `Acceleration`.
  public var acceleration: Vector3?
  /// The unit of `acceleration` where it is said.
  public var accelerationUnit: AccelerationUnit?
  /// Rotation rate in `rotationRateUnit`, or in a unit to be inferred.
  public var rotationRate: Vector3?
  /// The unit of `rotationRate` where it is said.
  public var rotationRateUnit: RotationRateUnit?
  /// The temperature in degrees Celsius.
  public var temperature: Double?
  /// The values of the causes that are sought.
  public var causes = CauseValues()
  /// The heading and attitude that the device computed itself.
  public var own: OwnHeading?
  /// The parts of the attitude that the device says not to know now.
  public var withdrawn: AttitudeParts = []
  /// A position, or a part of one.
  public var position: WirePosition? { didSet { hasPosition = position != nil } }
  /// Whether it holds a position, or a part of one. Asked for each row, where a look at the position itself would copy
  /// it.
  public private(set) var hasPosition = false
  /// The line carried no checksum although its protocol has one.
  public var unchecked = false
  /// The device says that an axis is out of range.
  public var saturated = false
  /// The number of the cell among `MessageOrigins` that may tell which of several sensors it is of; 0 for none.
  var origin: UInt8 = 0

  /// A message without content.
  public init() {}

  /// Takes everything out. A hot path: what an absent value held before stays where it is.
  mutating func clear() {
    time = nil
    arrival = nil
    field = nil
    alongProbe = nil
    fieldUnit = nil
    fieldIsNormalized = false
    fieldIsCounts = false
    acceleration = nil
    accelerationUnit = nil
    rotationRate = nil
    rotationRateUnit = nil
    temperature = nil
    causes.clear()
    own = nil
    withdrawn = []
    if hasPosition { position = nil }
    unchecked = false
    saturated = false
    origin = 0
  }
}

/// Units of specific force on the wire.
public enum AccelerationUnit: Sendable {
  case g, milligravity, metresPerSecondSquared
}

/// Units of rotation rate on the wire.
public enum RotationRateUnit: Sendable {
  case degreesPerSecond, millidegreesPerSecond, radiansPerSecond
}
