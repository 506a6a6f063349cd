/// The magnetometer of ST's LSM303DLHC: the registers and the identity of an HMC5883L with gains of its own. It is told
/// by the accelerometer beside it, and from an HMC5883L beside a LIS3DH, which looks like that accelerometer, by a
/// WHO_AM_I that the Linux driver and Pololu's library know and the data sheet does not. Source: ST data sheet
/// DocID018771, "Magnetic field sensing register description".
struct LSM303DLHC: HMC5883Family.Member {
  static let name = "lsm303dlhc"
  static let part = "ST LSM303DLHC magnetometer"
  static let addresses: [UInt8] = [0x1E]
  static let companions: [any Chip.Type] = [LSM303DLHCAccelerometer.self]
  private static let whoAmI = Identity(0x0F, [0x3C])

  /// "Gain setting" (CRB_REG_M): z has its own.
  static let ranges = [
    HMC5883Family.Range(130, gain: 0x20, countsPerGauss: 1100, z: 980),
    HMC5883Family.Range(190, gain: 0x40, countsPerGauss: 855, z: 760),
    HMC5883Family.Range(250, gain: 0x60, countsPerGauss: 670, z: 600),
    HMC5883Family.Range(400, gain: 0x80, countsPerGauss: 450, z: 400),
    HMC5883Family.Range(470, gain: 0xA0, countsPerGauss: 400, z: 355),
    HMC5883Family.Range(560, gain: 0xC0, countsPerGauss: 330, z: 295),
    HMC5883Family.Range(810, gain: 0xE0, countsPerGauss: 230, z: 205),
  ]
  static let compassRange = ranges[0]

  /// "Data rate configurations" (CRA_REG_M): those of the HMC5883L, and 220 Hz.
  static let rateTable = HMC5883Family.rates + [HMC5883Family.Rate(value: 220, code: 7)]
  /// The averaging of one measurement a result.
  static let averaging: UInt8 = 0x00

  let address: UInt8
  var range = compassRange
  var rate = HMC5883Family.compassRate

  init(address: UInt8) { self.address = address }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try HMC5883Family.identity.check(Self.self, at: address, on: &bus)
    try whoAmI.check(Self.self, at: address, on: &bus)
  }
}
