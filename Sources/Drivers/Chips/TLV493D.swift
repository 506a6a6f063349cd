/// Infineon TLV493D-A1B6: three Hall sensors, ±130 mT, 98 µT a count; for magnets, not for the Earth's field.
/// Source: Infineon user manual TLV493D-A1B6 rev. 1.03. It has no register numbers: a read begins at register 0, and
/// the bytes of a write go to registers 0 to 3.
struct TLV493D: SingleRangeChip {
  static let name = "tlv493d"
  static let part = "Infineon TLV493D-A1B6"
  static let addresses: [UInt8] = [0x5E, 0x1F, 0x5A, 0x4E, 0x4A, 0x1B]
  static let senses: Senses = .field
  static let frozenAfter: Int? = nil
  static let registers = [
    Register(0, "BX"), Register(1, "BY"), Register(2, "BZ"), Register(3, "TEMP"), Register(4, "BX2"),
    Register(5, "BZ2"), Register(6, "TEMP2"), Register(7, "FACTSET1"), Register(8, "FACTSET2"),
    Register(9, "FACTSET3"),
  ]

  static let range = 130_000.0
  /// Sensitivity: 0.098 mT. The Linux driver publishes a tenth of it.
  private static let microteslaPerCount = 98.0
  /// Absolute zero in °C.
  private static let absoluteZero = -273.15

  /// Low-power mode with its two periods (MOD1 LOW, MOD2 LP).
  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    let mode2: UInt8
  }

  private static let rateTable = [Rate(value: 10, mode2: 0x00), Rate(value: 100, mode2: 0x40)]

  let address: UInt8
  private var rate = rateTable[1]
  private var lastFrame: UInt8?

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.00015) }

  /// Asks what can be asked of ten bytes, for the chip has no identity: they are not all alike, the reserved bit is 0,
  /// and the factory settings read the same twice. Nothing is written.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let first = try bus.receive(10, at: address)
    let second = try bus.receive(10, at: address)
    let factory = first.all[7...9]
    guard Set(first.all).count > 1, first[5] & 0x80 == 0, factory == second.all[7...9],
      factory.contains(where: { $0 != 0 && $0 != 0xFF })
    else { throw .wrongIdentity(chip: name, address: address, register: 0, expected: [], read: first.all) }
  }

  /// Writes the mode with the factory's bits and odd parity, then waits for a frame, which tells the part from another
  /// that happens to look like it.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[1])
    try Self.identify(at: address, on: &bus)
    let bytes = try bus.receive(10, at: address)
    try bus.send(Self.withParity([0, bytes[7] & 0x18 | 0x01, bytes[8], bytes[9] & 0x1F | rate.mode2]), at: address)
    for _ in 0..<30 {
      bus.wait(milliseconds: 10)
      let frame = try Self.frame(bus.receive(10, at: address))
      lastFrame = frame
      if frame != Self.frame(bytes) { return }
    }
    throw .timedOut(chip: Self.name, waitingFor: "a measurement", milliseconds: 300)
  }

  /// Sets bit 7 of MOD1 so that the 32 bits hold an odd number of ones.
  private static func withParity(_ bytes: [UInt8]) -> [UInt8] {
    let ones = bytes.reduce(0) { $0 + $1.nonzeroBitCount }
    return bytes.enumerated().map { $0.offset == 1 && ones % 2 == 0 ? $0.element | 0x80 : $0.element }
  }

  /// FRM counts the measurements.
  private static func frame(_ bytes: ChipBytes) -> UInt8 { bytes[3] >> 2 & 3 }

  /// A complete set (CH 0, PD 1) of a frame not read before. Twelve bits an axis. A temperature that there is none of
  /// is of registers that hold nothing yet, after a loss of power.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.receive(7, at: address)
    let frame = Self.frame(bytes)
    guard bytes[3] & 0x03 == 0, bytes[5] & 0x10 != 0, frame != lastFrame else { return nil }
    // An older library of the maker subtracts 315, the newer one and the Linux driver 340.
    let celsius = 25 + Double(signExtended(Int(bytes[3] >> 4) << 8 | Int(bytes[6]), bits: 12) - 340) * 1.1
    guard celsius > Self.absoluteZero else { return nil }
    lastFrame = frame
    func count(_ index: Int, _ low: UInt8) -> Int { signExtended(Int(bytes[index]) << 4 | Int(low & 0x0F), bits: 12) }
    let counts = Counts(count(0, bytes[4] >> 4), count(1, bytes[4]), count(2, bytes[5]))
    let limit = Int(Self.range / Self.microteslaPerCount)
    var measurement = counts.measurement(microteslaPerCount: Self.microteslaPerCount, within: -limit...limit)
    measurement.temperature = celsius
    return measurement
  }

  func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue] {
    zip(Self.registers, try bus.receive(10, at: address).all).map { RegisterValue($0, [$1]) }
  }
}
