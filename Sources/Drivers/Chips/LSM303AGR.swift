import Core

/// The magnetometer of ST's LSM303AGR: a LIS2MDL without a thermometer, known by the accelerometer beside it.
/// Source: ST data sheet DocID027765.
struct LSM303AGR: Chip {
  static let name = "lsm303agr"
  static let part = "ST LSM303AGR magnetometer"
  static let addresses: [UInt8] = [0x1E]
  static let senses: Senses = .field
  static let companions: [any Chip.Type] = [LSM303AGRAccelerometer.self]
  static let registers = LIS2MDLLayout.registers.filter { $0.address < 0x6E }

  let address: UInt8
  private var rate = LIS2MDLLayout.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { [LIS2MDLLayout.range] }
  var fieldRange: Double? { LIS2MDLLayout.range }
  var rates: [Double] { LIS2MDLLayout.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try LIS2MDLLayout.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    rate = try LIS2MDLLayout.configure(Self.self, settings, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    LIS2MDLLayout.measurement(try bus.get(LIS2MDLLayout.status, count: 7, at: address))
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try LIS2MDLLayout.selfTest(Self.self, at: address, on: &bus)
  }
}
