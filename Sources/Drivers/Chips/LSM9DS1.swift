/// The magnetometer of ST's LSM9DS1: the registers and the identity of a LIS3MDL, with a sensitivity of its own; the
/// accelerometer and gyroscope beside it tell them apart. Source: ST data sheet DocID025715.
struct LSM9DS1: LIS3MDLFamily.Member {
  static let name = "lsm9ds1"
  static let part = "ST LSM9DS1 magnetometer"
  static let addresses: [UInt8] = [0x1E, 0x1C]
  static let companions: [any Chip.Type] = [LSM9DS1Motion.self]
  static let registers = LIS3MDLFamily.registers.filter { !(0x2E...0x2F).contains($0.address) }

  /// M_GN: 0.14, 0.29, 0.43 and 0.58 mG a count. The Linux driver takes the LIS3MDL's, up to 4 % more.
  static let ranges = [
    LIS3MDLFamily.Range(value: 400, control2: 0x00, microteslaPerCount: 0.014),
    LIS3MDLFamily.Range(value: 800, control2: 0x20, microteslaPerCount: 0.029),
    LIS3MDLFamily.Range(value: 1200, control2: 0x40, microteslaPerCount: 0.043),
    LIS3MDLFamily.Range(value: 1600, control2: 0x60, microteslaPerCount: 0.058),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = LIS3MDLFamily.compassRate

  init(address: UInt8) { self.address = address }
}
