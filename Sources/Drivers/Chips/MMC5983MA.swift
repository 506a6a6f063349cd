import Core

/// Memsic MMC5983MA: three axes, ±8 gauss, 18 bits, up to 1000 samples a second, with set and reset.
/// Source: Memsic data sheet MMC5983MA rev. A. The control registers cannot be read back.
///
/// The sign is the data sheet's, positive after SET, as in the Linux driver. Two flight stacks turn all three axes
/// round; a mirror of all axes is no rotation, so a board should be checked once against a known field.
struct MMC5983MA: Chip {
  static let name = "mmc5983ma"
  static let part = "Memsic MMC5983MA"
  static let addresses: [UInt8] = [0x30]
  static let senses: Senses = .field
  static let registers = [
    Register(0x00, "XOUT_0"), Register(0x01, "XOUT_1"), Register(0x02, "YOUT_0"), Register(0x03, "YOUT_1"),
    Register(0x04, "ZOUT_0"), Register(0x05, "ZOUT_1"), Register(0x06, "XYZOUT_2"), Register(0x07, "TOUT"),
    Register(0x08, "STATUS"), Register(0x2F, "PRODUCT_ID_1"),
  ]

  private static let identity = Identity(0x2F, [0x30])
  private static let status: UInt8 = 0x08
  private static let control0: UInt8 = 0x09
  private static let control1: UInt8 = 0x0A
  private static let control2: UInt8 = 0x0B
  private static let set: UInt8 = 0x08
  private static let reset: UInt8 = 0x10
  private static let automaticSetReset: UInt8 = 0x20
  /// 18 bits, 16384 counts a gauss.
  private static let microteslaPerCount = 100.0 / 16384
  private static let range = 800.0

  private struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// CM_FREQ with CMM_EN in CONTROL_2.
    let control2: UInt8
    /// BW in CONTROL_1.
    let bandwidth: UInt8
    /// Of one measurement, in seconds.
    let duration: Double
  }

  /// "Continuous mode": 200 Hz needs BW 01, 1000 Hz BW 11.
  private static let rateTable = [
    Rate(value: 1, control2: 0x09, bandwidth: 0, duration: 0.008),
    Rate(value: 10, control2: 0x0A, bandwidth: 0, duration: 0.008),
    Rate(value: 20, control2: 0x0B, bandwidth: 0, duration: 0.008),
    Rate(value: 50, control2: 0x0C, bandwidth: 0, duration: 0.008),
    Rate(value: 100, control2: 0x0D, bandwidth: 1, duration: 0.004),
    Rate(value: 200, control2: 0x0E, bandwidth: 1, duration: 0.004),
    Rate(value: 1000, control2: 0x0F, bandwidth: 3, duration: 0.0005),
  ]

  let address: UInt8
  private var rate = rateTable[4]

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { [Self.range] }
  var fieldRange: Double? { Self.range }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: rate.duration / 2) }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[4])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control1, 0x80, at: address)
    bus.wait(milliseconds: 15)
    try pulse(on: &bus)
    try start(on: &bus)
  }

  /// SET, then RESET: 500 ns each, 1 ms to settle.
  private func pulse(on bus: inout some I2CBus) throws(ChipError) {
    for direction in [Self.set, Self.reset] {
      try bus.put(Self.control0, direction, at: address)
      bus.wait(milliseconds: 1)
    }
  }

  private func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.control0, Self.automaticSetReset, at: address)
    try bus.put(Self.control1, rate.bandwidth, at: address)
    try bus.put(Self.control2, rate.control2, at: address)
  }

  /// STATUS is cleared by writing its bit. The chip flags no overflow: codes at either end are past the range.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.status, at: address)[0] & 0x01 != 0 else { return nil }
    let bytes = try bus.get(0x00, count: 7, at: address)
    try bus.put(Self.status, 0x01, at: address)
    let counts = Counts(Self.count(bytes, 0), Self.count(bytes, 1), Self.count(bytes, 2))
    let field = MagneticField(microtesla: counts.scaled(by: Self.microteslaPerCount))
    return counts.anyOutside(-131_071...131_070) ? .saturated(lowerBound: field) : .field(field)
  }

  /// 18 bits around 2¹⁷: two whole bytes an axis, and two bits each from the top of 06 down.
  private static func count(_ bytes: ChipBytes, _ axis: Int) -> Int {
    Int(bytes[2 * axis]) << 10 | Int(bytes[2 * axis + 1]) << 2 | Int(bytes[6] >> (6 - 2 * UInt8(axis))) & 3 - 131_072
  }

  mutating func degauss(on bus: inout some I2CBus) throws(ChipError) -> Bool {
    try bus.put(Self.control2, 0x00, at: address)
    try pulse(on: &bus)
    try start(on: &bus)
    return true
  }
}
