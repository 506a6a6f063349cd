import Core

/// The accelerometer of ST's LSM303DLHC. Source: ST data sheet DocID018771, "Register description".
struct LSM303DLHCAccelerometer: Chip {
  static let name = "lsm303dlhc-accel"
  static let part = "ST LSM303DLHC accelerometer"
  static let addresses: [UInt8] = [0x19]
  static let senses: Senses = .acceleration
  static let companions: [any Chip.Type] = [LSM303DLHC.self]
  static let registers = LSM303Acceleration.registers

  /// LA_So: 1, 2, 4 and 12 mg a count.
  private static let ranges = [
    LSM303Acceleration.Range(value: 2, bits: 0x00, gPerCount: 0.001),
    LSM303Acceleration.Range(value: 4, bits: 0x10, gPerCount: 0.002),
    LSM303Acceleration.Range(value: 8, bits: 0x20, gPerCount: 0.004),
    LSM303Acceleration.Range(value: 16, bits: 0x30, gPerCount: 0.012),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = LSM303Acceleration.compassRate

  init(address: UInt8) { self.address = address }

  var rates: [Double] { LSM303Acceleration.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  /// The data sheet names no identity for this part; it answers like its successors.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try LSM303Acceleration.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: LSM303Acceleration.rates, default: rate)
    try Self.identify(at: address, on: &bus)
    try LSM303Acceleration.start(range, rate, of: Self.name, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try LSM303Acceleration.measure(range, at: address, on: &bus)
  }
}
