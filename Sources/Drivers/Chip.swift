import Core

/// One chip at one address of an I²C bus: what it is, how it is recognised, set up and read. A value without a port
/// and without a clock: every call is handed the bus, and waits go through `bus.wait`.
///
/// A driver says what to transfer and passes bus errors on; it retries nothing. It writes to a chip only after the
/// chip has identified itself. Its measurements are in the part's own right-handed frame as the data sheet draws it.
public protocol Chip: Sendable {
  /// The name in an address (`usb:mcp2221/lis3mdl`), lower case.
  static var name: String { get }

  /// Other names it goes by: parts with the same registers.
  static var aliases: [String] { get }

  /// Maker and part number, for people.
  static var part: String { get }

  /// The 7-bit addresses it can have, the usual one first.
  static var addresses: [UInt8] { get }

  /// What it measures.
  static var senses: Senses { get }

  /// Chips of which one must be on the same bus for this one to be what it says: parts that share their identity with
  /// another and are told apart by their neighbour. Empty for most.
  static var companions: [any Chip.Type] { get }

  /// Whether its ready flag falls once a result is read. Where it does not, equal readings within one period are one.
  static var flagsNewData: Bool { get }

  /// After how many equal readings the chip is frozen; nil where one count is larger than the noise, so that equal
  /// readings are natural.
  static var frozenAfter: Int? { get }

  /// Whether it has an auxiliary bus that hides other chips until `reveal`.
  static var hidesOthers: Bool { get }

  /// The registers worth showing to someone who brings up a board.
  static var registers: [Register] { get }

  /// Throws `wrongIdentity` with what was read unless this chip is at the address. Reads only, except where the chip
  /// shows its identity to nobody who has not written to it; its file then says why nothing else can be harmed.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError)

  /// Connects an auxiliary bus that hides other chips. Called once the chip has identified itself.
  static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError)

  /// The chip at an address, not yet touched.
  init(address: UInt8)

  /// Where it is, 7 bits.
  var address: UInt8 { get }

  /// The field ranges it offers: full scale in µT, ascending. Empty without a magnetometer.
  var fieldRanges: [Double] { get }

  /// The field range in force, in µT; nil without a magnetometer.
  var fieldRange: Double? { get }

  /// The rates it offers, in Hz, ascending.
  var rates: [Double] { get }

  /// When its measurements come. Valid once it is configured.
  var timing: Timing { get }

  /// Identifies the chip, resets it, sets it up and starts it. Doing it again restores a chip that lost its power.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError)

  /// The next measurement; nil while none is ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement?

  /// The die temperature in degrees Celsius, where it takes a read of its own; nil where the chip has none, or none
  /// while it measures.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double?

  /// The test the data sheet describes; nil where it describes none. The chip must be configured again afterwards.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest?

  /// Restores the sensor after a strong field, and goes on measuring; false for a chip that cannot.
  mutating func degauss(on bus: inout some I2CBus) throws(ChipError) -> Bool

  /// What stands in the registers now.
  func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue]
}

/// What a chip measures.
public struct Senses: OptionSet, Sendable, Hashable {
  /// One bit a sensor.
  public let rawValue: UInt8
  /// From bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// A magnetometer.
  public static let field = Senses(rawValue: 1)
  /// An accelerometer.
  public static let acceleration = Senses(rawValue: 2)
  /// A gyroscope.
  public static let rotationRate = Senses(rawValue: 4)
}

/// What a chip measured at one moment. What it does not sense, or what is not valid, is nil, never zero.
public struct Measurement: Equatable, Sendable {
  /// The raw field.
  public var field: MagneticField?
  /// Specific force.
  public var acceleration: Acceleration?
  /// Rotation rate.
  public var rotationRate: RotationRate?
  /// Of the die, in degrees Celsius, where it comes along with the rest.
  public var temperature: Double?
  /// An axis of the field is past its range. `field` is then a lower bound, or nil where the chip gives none.
  public var saturated = false
  /// The chip says that an earlier result was overwritten unread.
  public var overrun = false

  /// Nothing measured.
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

/// When measurements come and how old they are then, in seconds.
public struct Timing: Equatable, Sendable {
  /// From one measurement to the next.
  public var period: Double
  /// From the middle of a measurement to its readiness.
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

/// A register as the data sheet names it.
public struct Register: Equatable, Sendable {
  /// The data sheet's name.
  public var name: String
  /// Its number.
  public var address: UInt8

  /// A register.
  public init(_ address: UInt8, _ name: String) {
    self.name = name
    self.address = address
  }
}

/// A register and what stands in it.
public struct RegisterValue: Equatable, Sendable {
  /// Which one.
  public var register: Register
  /// Its bytes in the order they came.
  public var bytes: [UInt8]

  /// A register with its content.
  public init(_ register: Register, _ bytes: [UInt8]) {
    self.register = register
    self.bytes = bytes
  }
}

/// The result of a chip's own test.
public struct SelfTest: Equatable, Sendable {
  /// One figure and the limits it must keep.
  public struct Check: Equatable, Sendable {
    /// What was measured, with its unit: `x (µT)`.
    public var name: String
    /// The figure.
    public var value: Double
    /// What the data sheet allows.
    public var limits: ClosedRange<Double>

    /// A figure and its limits.
    public init(_ name: String, _ value: Double, in limits: ClosedRange<Double>) {
      self.name = name
      self.value = value
      self.limits = limits
    }

    /// The figure lies within the limits.
    public var passed: Bool { limits.contains(value) }
  }

  /// Every figure of the test.
  public var checks: [Check]

  /// A test made of these figures.
  public init(_ checks: [Check]) { self.checks = checks }

  /// The three axes against one limit each.
  init(_ value: Vector3, unit: String, x: ClosedRange<Double>, y: ClosedRange<Double>, z: ClosedRange<Double>) {
    checks = [Check("x (\(unit))", value.x, in: x), Check("y (\(unit))", value.y, in: y)]
    checks.append(Check("z (\(unit))", value.z, in: z))
  }

  /// All figures lie within their limits.
  public var passed: Bool { !checks.isEmpty && checks.allSatisfy { $0.passed } }
}

extension Chip {
  /// One part, one name.
  public static var aliases: [String] { [] }
  /// Most identities are their own.
  public static var companions: [any Chip.Type] { [] }
  /// Most ready flags can be relied on.
  public static var flagsNewData: Bool { true }
  /// A hundred readings without a digit of noise.
  public static var frozenAfter: Int? { 100 }
  /// Most chips hide no other.
  public static var hidesOthers: Bool { false }
  /// Nothing to reveal.
  public static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {}
  /// No magnetometer.
  public var fieldRanges: [Double] { [] }
  /// No magnetometer.
  public var fieldRange: Double? { nil }
  /// No thermometer that takes a read of its own.
  public mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? { nil }
  /// No test.
  public mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? { nil }
  /// No set and reset.
  public mutating func degauss(on bus: inout some I2CBus) throws(ChipError) -> Bool { false }

  /// Reads the listed registers one by one.
  public func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue] {
    var values: [RegisterValue] = []
    for register in Self.registers {
      values.append(RegisterValue(register, try bus.get(register.address, at: address).all))
    }
    return values
  }
}
