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

  /// The quantities that it measures.
  static var senses: Senses { get }

  /// Chips of which one must be on the same bus for this one to be what it says: parts that share their identity with
  /// another and are told apart by their neighbour. Empty for most.
  static var companions: [any Chip.Type] { get }

  /// The address at which that companion must be, 7 bits; nil where any of its addresses will do.
  static var companionAddress: UInt8? { get }

  /// Chips that it is sold beside. Where one of them is on the bus, it is looked for among what reads as nothing but
  /// zeros at a port expander's address, as it does before it is set up. Empty for most.
  static var neighbours: [any Chip.Type] { get }

  /// Whether its ready flag falls once a result is read. Where it does not, equal readings within one period are one.
  static var flagsNewData: Bool { get }

  /// The number of equal readings after which the chip is frozen. It takes a chip whose noise is larger than one count:
  /// then three axes do not keep their digits for long however still the field is. Nil where one count is larger than
  /// the noise, so that equal readings are natural, and so is zero in a weak field.
  static var frozenAfter: Int? { get }

  /// Whether it has an auxiliary bus that hides other chips until `reveal` or `configure`: it is configured before
  /// them.
  static var hidesOthers: Bool { get }

  /// Whether it may sleep, and then acknowledges nothing but wakes by being addressed.
  static var wakesWhenAddressed: Bool { get }

  /// The size of its counts in each range, for streams that carry them raw. Empty for parts that compute their numbers.
  static var countSizes: [CountSize] { get }

  /// The registers worth showing to someone who brings up a board.
  static var registers: [Register] { get }

  /// Throws `wrongIdentity` with what was read unless this chip is at the address. Reads only, except where the chip
  /// shows its identity to nobody who has not written to it; its file then says why nothing else can be harmed.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError)

  /// Connects an auxiliary bus that hides other chips. Called once the chip has identified itself.
  static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError)

  /// The chip at an address, not yet touched.
  init(address: UInt8)

  /// The chip's address, 7 bits.
  var address: UInt8 { get }

  /// The field ranges it offers: full scale in µT, ascending. Empty without a magnetometer.
  var fieldRanges: [Double] { get }

  /// The field range that is set, in µT; nil without a magnetometer.
  var fieldRange: Double? { get }

  /// The rates it offers, in Hz, ascending.
  var rates: [Double] { get }

  /// The pace of its measurements. Valid once it is configured.
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

  /// Reads the present contents of the registers.
  func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue]
}

extension Chip {
  /// The chip's name.
  public static var part: String { name }
  /// No registers: none is worth showing.
  public static var registers: [Register] { [] }
  /// No rates: the chip keeps to the one that it has.
  public var rates: [Double] { [] }
  /// No other names.
  public static var aliases: [String] { [] }
  /// Empty: most identities are their own.
  public static var companions: [any Chip.Type] { [] }
  /// Nil: any of the companion's addresses will do.
  public static var companionAddress: UInt8? { nil }
  /// Empty: most do not read as zeros.
  public static var neighbours: [any Chip.Type] { [] }
  /// True: most ready flags can be relied on.
  public static var flagsNewData: Bool { true }
  /// A hundred readings without a digit of noise: with noise of half a count on each axis one in seven repeats the
  /// last by chance, a hundred in a row never.
  public static var frozenAfter: Int? { 100 }
  /// Empty: its numbers are not counts of the field.
  public static var countSizes: [CountSize] { [] }
  /// False: most chips always acknowledge.
  public static var wakesWhenAddressed: Bool { false }
  /// False: most chips hide no other.
  public static var hidesOthers: Bool { false }
  /// Hides no chip, and does nothing.
  public static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {}
  /// Empty: no magnetometer.
  public var fieldRanges: [Double] { [] }
  /// Nil: no magnetometer.
  public var fieldRange: Double? { nil }
  /// No thermometer that takes a read of its own.
  public mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? { nil }
  /// Nil: no self-test.
  public mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? { nil }

  /// Reads the listed registers one by one.
  public func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue] {
    var values: [RegisterValue] = []
    for register in Self.registers {
      values.append(RegisterValue(register, try bus.get(register.address, at: address).all))
    }
    return values
  }
}
