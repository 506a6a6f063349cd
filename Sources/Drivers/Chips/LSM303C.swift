/// The magnetometer of ST's LSM303C: the registers and the identity of a LIS3MDL with one range, ±16 gauss, known by
/// the accelerometer beside it, which is at 0x1D always. Source: ST data sheet DocID024975.
struct LSM303C: LIS3MDLFamily.Member {
  static let name = "lsm303c"
  static let part = "ST LSM303C magnetometer"
  static let addresses: [UInt8] = [0x1E]
  static let companions: [any Chip.Type] = [LSM303CAccelerometer.self]
  static let companionAddress: UInt8? = 0x1D
  static let registers = LIS3MDLFamily.registers

  /// M_GN: 0.58 mG a count. FS in CTRL_REG2_M has no other value that the data sheet allows.
  static let ranges = [LIS3MDLFamily.Range(value: 1600, control2: 0x60, microteslaPerCount: 0.058)]
  /// DO in CTRL_REG1_M, which has no FAST_ODR.
  static let rateTable = Array(LIS3MDLFamily.rates.prefix { $0.value <= 80 })

  let address: UInt8
  var range = ranges[0]
  var rate = LIS3MDLFamily.compassRate

  init(address: UInt8) { self.address = address }

  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    try LIS3MDLFamily.temperature(at: address, on: &bus)
  }
}
