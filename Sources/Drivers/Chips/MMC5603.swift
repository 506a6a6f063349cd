import Core

/// Memsic MMC5603NJ (and MMC5633): three axes, ±30 gauss, 20 bits, up to 1000 samples a second, with set and reset.
/// Source: Memsic data sheet MMC5603NJ rev. B, "Register map". The control registers cannot be read back.
struct MMC5603: Chip {
  static let name = "mmc5603"
  static let aliases = ["mmc5633"]
  static let part = "Memsic MMC5603"
  static let addresses: [UInt8] = [0x30]
  static let senses: Senses = .field
  static let registers = [
    Register(0x18, "STATUS1"), Register(0x39, "PRODUCT_ID"), Register(0x27, "ST_X"), Register(0x28, "ST_Y"),
    Register(0x29, "ST_Z"),
  ]

  private static let identity = Identity(0x39, [0x10])
  private static let status: UInt8 = 0x18
  private static let outputRate: UInt8 = 0x1A
  private static let control0: UInt8 = 0x1B
  private static let control1: UInt8 = 0x1C
  private static let control2: UInt8 = 0x1D
  private static let set: UInt8 = 0x08
  private static let reset: UInt8 = 0x10
  /// AUTO_SR: each measurement is taken after SET and after RESET, which removes the bridge's offset.
  private static let automaticSetReset: UInt8 = 0x20
  private static let startFrequency: UInt8 = 0x80

  /// 16384 counts a gauss. Two figures are in circulation, 2.4 % apart: this one, by which the 2²⁰ codes are ±32 G, and
  /// 0.0625 mG a count, which Memsic prints beside it for the sister part and which is a rounding.
  private static let microteslaPerCount = 100.0 / 16384
  private static let range = 3000.0

  private struct Rate: Choice {
    /// In Hz.
    let value: Double
    let register: UInt8
    /// BW in CTRL1.
    let bandwidth: UInt8
    /// CMM_EN in CTRL2, with HPOWER for 1000 Hz.
    let continuous: UInt8
    /// Of one measurement, in seconds (BW 00 to 11).
    let duration: Double

    init(_ value: Double, register: UInt8, bandwidth: UInt8, duration: Double, continuous: UInt8 = 0x10) {
      self.value = value
      self.register = register
      self.bandwidth = bandwidth
      self.duration = duration
      self.continuous = continuous
    }
  }

  /// The longest measurement that each rate leaves time for with AUTO_SR: 75, 150 and 255 Hz are the limits.
  private static let rateTable =
    [1, 2, 5, 10, 20, 50, 75].map { Rate(Double($0), register: $0, bandwidth: 0, duration: 0.0066) } + [
      Rate(100, register: 100, bandwidth: 1, duration: 0.0035),
      Rate(150, register: 150, bandwidth: 1, duration: 0.0035),
      Rate(200, register: 200, bandwidth: 2, duration: 0.002), Rate(255, register: 255, bandwidth: 2, duration: 0.002),
      Rate(1000, register: 255, bandwidth: 3, duration: 0.0012, continuous: 0x90),
    ]

  let address: UInt8
  private var rate = rateTable[6]

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
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[6])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control1, 0x80, at: address)
    bus.wait(milliseconds: 20)
    try pulse(on: &bus)
    try start(on: &bus)
  }

  /// SET, then RESET: 375 ns each, 1 ms to settle. Published start-ups end with RESET.
  private func pulse(on bus: inout some I2CBus) throws(ChipError) {
    for direction in [Self.set, Self.reset] {
      try bus.put(Self.control0, direction, at: address)
      bus.wait(milliseconds: 1)
    }
  }

  /// "Continuous mode": rate, bandwidth, CMM_FREQ_EN, and CMM_EN last.
  private func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.outputRate, rate.register, at: address)
    try bus.put(Self.control1, rate.bandwidth, at: address)
    try bus.put(Self.control0, Self.startFrequency | Self.automaticSetReset, at: address)
    try bus.put(Self.control2, rate.continuous, at: address)
  }

  /// The chip flags no overflow: a field past the ±30 G it is specified for is called saturated.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.status, at: address)[0] & 0x40 != 0 else { return nil }
    let bytes = try bus.get(0x00, count: 9, at: address)
    let counts = Counts(Self.count(bytes, 0), Self.count(bytes, 1), Self.count(bytes, 2))
    let field = MagneticField(microtesla: counts.scaled(by: Self.microteslaPerCount))
    let limit = Int(Self.range / Self.microteslaPerCount)
    return counts.anyOutside(-limit...limit) ? .saturated(lowerBound: field) : .field(field)
  }

  /// 20 bits around 2¹⁹: two whole bytes an axis, and the low four bits in the upper half of 06, 07 or 08.
  private static func count(_ bytes: ChipBytes, _ axis: Int) -> Int {
    Int(bytes[2 * axis]) << 12 | Int(bytes[2 * axis + 1]) << 4 | Int(bytes[6 + axis]) >> 4 - 524_288
  }

  mutating func degauss(on bus: inout some I2CBus) throws(ChipError) -> Bool {
    try bus.put(Self.control2, 0x00, at: address)
    try pulse(on: &bus)
    try start(on: &bus)
    return true
  }
}
