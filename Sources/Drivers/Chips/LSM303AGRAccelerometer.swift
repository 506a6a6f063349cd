import Core

/// The accelerometer of ST's LSM303AGR, and the LIS3DH, which is built alike.
/// Source: ST data sheet DocID027765, "Register description".
struct LSM303AGRAccelerometer: Chip {
  static let name = "lsm303agr-accel"
  static let aliases = ["lis3dh"]
  static let part = "ST LSM303AGR accelerometer or LIS3DH"
  static let addresses: [UInt8] = [0x19, 0x18]
  static let senses: Senses = .acceleration
  static let registers = LSM303Acceleration.registers

  /// LA_So, high-resolution mode. One published driver takes FS / 2048 instead, far off at ±16 g.
  private static let ranges = [
    LSM303Acceleration.Range(value: 2, bits: 0x00, gPerCount: 0.00098),
    LSM303Acceleration.Range(value: 4, bits: 0x10, gPerCount: 0.00195),
    LSM303Acceleration.Range(value: 8, bits: 0x20, gPerCount: 0.0039),
    LSM303Acceleration.Range(value: 16, bits: 0x30, gPerCount: 0.01172),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = LSM303Acceleration.compassRate

  init(address: UInt8) { self.address = address }

  var rates: [Double] { LSM303Acceleration.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try LSM303Acceleration.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: LSM303Acceleration.rates, default: rate)
    try Self.identify(at: address, on: &bus)
    try LSM303Acceleration.start(range, rate, of: Self.name, at: address, on: &bus)
    // TEMP_CFG_REG_A: thermometer on.
    try bus.put(0x1F, 0xC0, at: address)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try LSM303Acceleration.measure(range, at: address, on: &bus)
  }

  /// OUT_TEMP_A: 256 counts a degree, 0 at 25 °C.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    25 + Double(try bus.get(0x0C | LSM303Acceleration.autoIncrement, count: 2, at: address).int16LE(0)) / 256
  }
}
