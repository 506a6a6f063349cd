/// The magnetometer of ST's LSM303AGR: a LIS2MDL without a thermometer, known by the accelerometer beside it. That one
/// is at 0x19 always; at 0x18 it is a LIS3DH in a package of its own. A LIS2MDL beside a LIS3DH or LIS2DH12 at 0x19
/// can't be told from it, but by its name. Source: ST data sheet DocID027765.
struct LSM303AGR: LIS2MDLFamily.Member {
  static let name = "lsm303agr"
  static let part = "ST LSM303AGR magnetometer or LIS2MDL"
  static let addresses: [UInt8] = [0x1E]
  static let companions: [any Chip.Type] = [LSM303AGRAccelerometer.self]
  static let companionAddress: UInt8? = 0x19
  static let registers = LIS2MDLFamily.registers.filter { $0.address < 0x6E }

  let address: UInt8
  var rate = LIS2MDLFamily.compassRate

  init(address: UInt8) { self.address = address }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    LIS2MDLFamily.measurement(try bus.get(LIS2MDLFamily.status, count: 7, at: address))
  }
}
