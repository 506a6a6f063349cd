import LodestoneCore

/// Melexis MLX90393: three axes, ±13 to ±50 mT. It has commands where others have registers: the first byte of a write
/// is one. Source: Melexis data sheet MLX90393 rev. 006.
///
/// It measures on command; reading a result starts the next one. Of the converter's 19 bits a result has 16. Below
/// RES 2 those are the lowest, and a field past ±4.9 or ±9.8 mT wraps round to one that nothing tells from a true one:
/// RES 2 is taken always, whose counts are still finer than the noise.
struct MLX90393: Chip {
  static let name = "mlx90393"
  static let part = "Melexis MLX90393"
  static let addresses: [UInt8] = [0x0C, 0x0D, 0x0E, 0x0F, 0x18, 0x19, 0x1A, 0x1B]
  static let senses: Senses = .field
  /// RES 0 and 1 at the smallest gain besides, which libraries start with.
  static var countSizes: [CountSize] {
    let finest = Vector3(0.150, 0.150, 0.242)
    return [CountSize(range: 4900, microtesla: finest), CountSize(range: 9800, microtesla: finest * 2)]
      + ranges.map { CountSize(range: $0.value, microtesla: $0.microteslaPerCount) }
  }
  /// A count can be more than the noise that a slow filter leaves.
  static let frozenAfter: Int? = nil
  static let registers = [
    Register(0x00, "CONF1"), Register(0x01, "CONF2"), Register(0x02, "CONF3"), Register(0x04, "OFFSET_X"),
    Register(0x05, "OFFSET_Y"), Register(0x06, "OFFSET_Z"), Register(0x24, "TREF"),
  ]

  private enum Command {
    static let nop: UInt8 = 0x00
    /// Single measurement of T, X, Y, Z.
    static let measure: UInt8 = 0x3F
    /// Read it.
    static let read: UInt8 = 0x4F
    static let readRegister: UInt8 = 0x50
    static let writeRegister: UInt8 = 0x60
    static let exit: UInt8 = 0x80
    static let reset: UInt8 = 0xF0
  }

  private enum Status {
    static let modes: UInt8 = 0xE0
    static let error: UInt8 = 0x10
    static let reset: UInt8 = 0x04
  }

  /// A gain, and what one count is.
  private struct Range: Choice {
    /// Full scale in µT, of x and y; that of z is larger.
    let value: Double
    /// GAIN_SEL: 7 is the smallest range.
    let gain: UInt8
    let microteslaPerCount: Vector3

    /// "Sensitivity" at HALLCONF 0C and RES 0; each of the two steps to RES 2 doubles the count.
    init(gain: UInt8, xy: Double, z: Double) {
      self.gain = gain
      microteslaPerCount = Vector3(xy, xy, z) * 4
      value = (Double(MLX90393.converterEnd) * 4 * xy).rounded()
    }
  }

  /// RES_X, RES_Y and RES_Z in CONF3.
  private static let resolution: UInt16 = 2 << 9 | 2 << 7 | 2 << 5

  /// "Output data format": at RES 2 the converter stops here, not at the ends of 16 bits.
  private static let converterEnd = 22_000

  private static let ranges = [
    Range(gain: 7, xy: 0.150, z: 0.242), Range(gain: 4, xy: 0.300, z: 0.484), Range(gain: 1, xy: 0.601, z: 0.968),
  ]

  private struct Rate: Choice {
    /// The rate in Hz, as a host reaches it.
    let value: Double
    let filter: UInt8
    let oversampling: UInt8
    /// "Conversion time" of three axes, in seconds.
    let conversion: Double
  }

  private static let rateTable = [
    Rate(value: 4, filter: 7, oversampling: 3, conversion: 0.20037),
    Rate(value: 8, filter: 6, oversampling: 3, conversion: 0.10207),
    Rate(value: 15, filter: 5, oversampling: 3, conversion: 0.05292),
    Rate(value: 30, filter: 4, oversampling: 3, conversion: 0.02834),
    Rate(value: 50, filter: 4, oversampling: 2, conversion: 0.01452),
    Rate(value: 100, filter: 4, oversampling: 1, conversion: 0.0076),
    Rate(value: 200, filter: 2, oversampling: 1, conversion: 0.003),
    Rate(value: 500, filter: 0, oversampling: 0, conversion: 0.00127),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = rateTable[4]
  private var reference = 46696.0
  private var isMeasuring = false
  /// Whether the chip has lost its settings: what it measures now is by others.
  private var wasReset = false

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// The temperature takes 0.3 ms more than that of three axes, and the oscillator is allowed a tenth.
  var timing: Timing {
    Timing(period: 1.1 * (rate.conversion + 0.0003), latency: rate.conversion / 2, isOnCommand: true)
  }

  /// Knows the chip, which has no identity, by its answers to NOP, to leaving its mode and to a reset, each a single
  /// byte, so that another chip would only see its register pointer moved.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let busy = Status.modes | Status.error
    let idle = try answer(to: [Command.nop], at: address, on: &bus)[0]
    guard idle & Status.error == 0 else { throw unlike(address, [idle]) }
    let left = try answer(to: [Command.exit], at: address, on: &bus)[0]
    guard left & busy == 0 else { throw unlike(address, [idle, left]) }
    let reset = try answer(to: [Command.reset], after: 5, at: address, on: &bus)[0]
    guard reset & (busy | Status.reset) == Status.reset else { throw unlike(address, [idle, left, reset]) }
  }

  private static func unlike(_ address: UInt8, _ read: [UInt8]) -> ChipError {
    .wrongIdentity(
      chip: name, address: address, register: Command.reset, expected: [[0x00, 0x00, Status.reset]], read: read)
  }

  /// A command, STOP, and its answer: a status byte, then what was asked for.
  private static func answer(
    to command: [UInt8], count: Int = 1, after milliseconds: Double = 0, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> ChipBytes {
    try bus.send(command, at: address)
    if milliseconds > 0 { bus.wait(milliseconds: milliseconds) }
    return try bus.receive(count, at: address)
  }

  private func register(_ number: UInt8, on bus: inout some I2CBus) throws(ChipError) -> ChipBytes {
    try Self.answer(to: [Command.readRegister, number << 2], count: 3, at: address, on: &bus)
  }

  /// Writes a register and reads back the bits under `mask`: they decide what the numbers mean.
  private func set(
    _ number: UInt8, to value: UInt16, mask: Int, on bus: inout some I2CBus
  ) throws(ChipError) {
    let (high, low) = (UInt8(value >> 8), UInt8(value & 0xFF))
    let status = try Self.answer(
      to: [Command.writeRegister, high, low, number << 2], at: address, on: &bus)[0]
    guard status & Status.error == 0 else {
      throw .notAccepted(chip: Self.name, register: number, written: low, read: status)
    }
    let kept = try register(number, on: &bus)
    guard kept.uint16BE(1) & mask == Int(value) & mask else {
      throw .notAccepted(chip: Self.name, register: number, written: low, read: kept[2])
    }
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[4])
    try Self.identify(at: address, on: &bus)
    let stored = try register(0x24, on: &bus)
    guard (0x8000...0xF000).contains(stored.uint16BE(1)) else {
      throw .implausible(chip: Self.name, what: "temperature reference", read: stored.all)
    }
    reference = Double(stored.uint16BE(1))
    try set(0, to: UInt16(range.gain) << 4 | 0x0C, mask: 0x7F, on: &bus)
    try set(1, to: 0, mask: 0x0400, on: &bus)
    let resolution = Self.resolution | UInt16(rate.filter) << 2 | UInt16(rate.oversampling)
    try set(2, to: resolution, mask: 0x07FF, on: &bus)
    (isMeasuring, wasReset) = (false, false)
  }

  /// The result of the last command, or nil while it is being made (RM then answers with ERROR); then the next one is
  /// started. Nil for good once a status has told of a reset, which it does once: a wait for the next measurement sets
  /// the part up again.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard !wasReset else { return nil }
    guard isMeasuring else {
      try start(on: &bus)
      return nil
    }
    let bytes = try Self.answer(to: [Command.read], count: 9, at: address, on: &bus)
    wasReset = bytes[0] & Status.reset != 0
    guard bytes[0] & (Status.error | Status.reset) == 0 else { return nil }
    try start(on: &bus)
    var measurement = self.measurement(bytes)
    measurement.temperature = 35 + (Double(bytes.uint16BE(1)) - reference) / 45.2
    return measurement
  }

  private mutating func start(on bus: inout some I2CBus) throws(ChipError) {
    let status = try Self.answer(to: [Command.measure], at: address, on: &bus)[0]
    wasReset = status & Status.reset != 0
    isMeasuring = status & (Status.error | Status.reset) == 0
  }

  /// RES 2: centred on 32768.
  private func measurement(_ bytes: ChipBytes) -> Measurement {
    let counts = Counts(bytes.uint16BE(3) - 32768, bytes.uint16BE(5) - 32768, bytes.uint16BE(7) - 32768)
    let scale = range.microteslaPerCount
    let field = MagneticField(
      microtesla: Double(counts.x) * scale.x, Double(counts.y) * scale.y, Double(counts.z) * scale.z)
    let isPast = counts.anyOutside(1 - Self.converterEnd...Self.converterEnd - 1)
    return isPast ? .saturated(lowerBound: field) : .field(field)
  }

  func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue] {
    var values: [RegisterValue] = []
    for register in Self.registers {
      values.append(RegisterValue(register, Array(try self.register(register.address, on: &bus).all.dropFirst())))
    }
    return values
  }
}
