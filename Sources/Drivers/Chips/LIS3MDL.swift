/// ST LIS3MDL: three axes, ±4 to ±16 gauss, up to 80 samples a second at its best noise and 1000 at its worst.
/// Source: ST data sheet DocID024204. The LSM9DS1's magnetometer is built alike (`LSM9DS1`).
struct LIS3MDL: LIS3MDLFamily.Member {
  static let name = "lis3mdl"
  static let part = "ST LIS3MDL"
  static let addresses: [UInt8] = [0x1C, 0x1E]
  static let registers = LIS3MDLFamily.registers

  /// "Magnetic sensitivity" (GN) at each full scale.
  static let ranges = [
    LIS3MDLFamily.Range(value: 400, control2: 0x00, microteslaPerCount: 100 / 6842),
    LIS3MDLFamily.Range(value: 800, control2: 0x20, microteslaPerCount: 100 / 3421),
    LIS3MDLFamily.Range(value: 1200, control2: 0x40, microteslaPerCount: 100 / 2281),
    LIS3MDLFamily.Range(value: 1600, control2: 0x60, microteslaPerCount: 100 / 1711),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = LIS3MDLFamily.compassRate

  init(address: UInt8) { self.address = address }

  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    try LIS3MDLFamily.temperature(at: address, on: &bus)
  }
}
