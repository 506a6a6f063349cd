import Core

/// ST LIS3MDL: three axes, ±4 to ±16 gauss, up to 80 samples a second at its best noise and 1000 at its worst.
/// Source: ST data sheet DocID024204. The LSM9DS1's magnetometer is built alike (`LSM9DS1`).
struct LIS3MDL: Chip {
  static let name = "lis3mdl"
  static let part = "ST LIS3MDL"
  static let addresses: [UInt8] = [0x1C, 0x1E]
  static let senses: Senses = .field
  static let registers = STMagnetometer.registers

  /// "Magnetic sensitivity" (GN) at each full scale.
  private static let ranges = [
    STMagnetometer.Range(value: 400, control2: 0x00, microteslaPerCount: 100 / 6842),
    STMagnetometer.Range(value: 800, control2: 0x20, microteslaPerCount: 100 / 3421),
    STMagnetometer.Range(value: 1200, control2: 0x40, microteslaPerCount: 100 / 2281),
    STMagnetometer.Range(value: 1600, control2: 0x60, microteslaPerCount: 100 / 1711),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = STMagnetometer.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { STMagnetometer.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try STMagnetometer.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: STMagnetometer.rates, default: STMagnetometer.compassRate)
    try STMagnetometer.start(Self.self, range, rate, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let reading = try STMagnetometer.read(at: address, on: &bus) else { return nil }
    return reading.measurement(microteslaPerCount: range.microteslaPerCount)
  }

  /// TEMP_OUT: 8 counts a degree, 0 at 25 °C. A burst over the field wraps before it, so it is read alone.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    let bytes = try bus.get(0x2E | STMagnetometer.autoIncrement, count: 2, at: address)
    return 25 + Double(bytes.int16LE(0)) / 8
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try STMagnetometer.selfTest(Self.self, microteslaPerCount: Self.ranges[2].microteslaPerCount, at: address, on: &bus)
  }
}
