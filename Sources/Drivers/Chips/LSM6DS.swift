import LodestoneCore

/// ST's LSM6DS family of accelerometers and gyroscopes, often beside a LIS3MDL: LSM6DS3, LSM6DS33, LSM6DS3TR-C,
/// LSM6DSL, LSM6DSM, LSM6DSO, LSM6DSOX, ISM330DHCX. Sources: ST data sheets DocID026899 (LSM6DS3), DocID030071
/// (LSM6DS3TR-C), DS12814 (LSM6DSOX). The LSM6DSO32 answers with the identity of the LSM6DSOX and has twice its
/// ranges: at rest it reads 0.5 g.
struct LSM6DS: MotionFamily.Member {
  static let name = "lsm6ds"
  static let aliases = [
    "lsm6dsox", "lsm6dso", "lsm6ds3", "lsm6ds33", "lsm6ds3tr-c", "lsm6dsl", "lsm6dsm", "ism330dhcx",
  ]
  static let part = "ST LSM6DS3, LSM6DSL, LSM6DSOX or ISM330DHCX"
  static let addresses: [UInt8] = [0x6A, 0x6B]
  static let registers = [
    Register(0x0F, "WHO_AM_I"), Register(0x10, "CTRL1_XL"), Register(0x11, "CTRL2_G"), Register(0x12, "CTRL3_C"),
    Register(0x13, "CTRL4_C"), Register(0x14, "CTRL5_C"), Register(0x15, "CTRL6_C"), Register(0x16, "CTRL7_G"),
    Register(0x17, "CTRL8_XL"), Register(0x18, "CTRL9_XL"), Register(0x19, "CTRL10_C"), Register(0x1E, "STATUS_REG"),
  ]

  /// LSM6DS3 and DS33; LSM6DS3TR-C, DSL and DSM; ISM330DHCX; LSM6DSO and DSOX.
  static let identity = Identity(0x0F, [0x69], [0x6A], [0x6B], [0x6C])
  private static let accelerometerControl: UInt8 = 0x10
  private static let gyroscopeControl: UInt8 = 0x11
  private static let control3: UInt8 = 0x12
  private static let control9: UInt8 = 0x18
  private static let status: UInt8 = 0x1E

  /// "Mechanical characteristics": LA_So and G_So.
  static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 0.000061), Scale(4, bits: 0x08, perCount: 0.000122),
    Scale(8, bits: 0x0C, perCount: 0.000244), Scale(16, bits: 0x04, perCount: 0.000488),
  ]
  static let rotationRanges = [
    Scale(125, bits: 0x02, perCount: 0.004375), Scale(250, bits: 0x00, perCount: 0.00875),
    Scale(500, bits: 0x04, perCount: 0.0175), Scale(1000, bits: 0x08, perCount: 0.035),
    Scale(2000, bits: 0x0C, perCount: 0.07),
  ]
  static let compassAccelerationRange = accelerationRanges[1]
  static let compassRotationRange = rotationRanges[2]

  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// ODR, the same code for both.
    let bits: UInt8
  }

  static let rateTable = [
    Rate(value: 12.5, bits: 0x10), Rate(value: 26, bits: 0x20), Rate(value: 52, bits: 0x30),
    Rate(value: 104, bits: 0x40), Rate(value: 208, bits: 0x50), Rate(value: 416, bits: 0x60),
    Rate(value: 833, bits: 0x70),
  ]
  static let compassRate = rateTable[3]

  let address: UInt8
  var acceleration = compassAccelerationRange
  var rotation = compassRotationRange
  var rate = compassRate
  private var countsPerDegreeCelsius = 256.0

  init(address: UInt8) { self.address = address }

  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// SW_RESET, BDU with IF_INC, and in the parts that speak I3C its switch-off: in the older ones that bit's register
  /// turns the axes on and is left alone.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    let part = try Self.identity.check(Self.self, at: address, on: &bus)[0]
    countsPerDegreeCelsius = part == 0x69 ? 16 : 256
    try bus.put(Self.control3, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try bus.put(Self.control3, 0x44, at: address)
    if part == 0x6B || part == 0x6C {
      let present = try bus.get(Self.control9, at: address)[0]
      try bus.put(Self.control9, present | 0x02, at: address)
    }
    try bus.putChecked(Self.accelerometerControl, rate.bits | acceleration.bits, at: address, of: Self.name)
    try bus.putChecked(Self.gyroscopeControl, rate.bits | rotation.bits, at: address, of: Self.name)
  }

  /// STATUS_REG (XLDA and GDA), temperature, gyroscope, accelerometer in one burst.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 16, at: address)
    guard bytes[0] & 0x03 == 0x03 else { return nil }
    var measurement = Measurement()
    measurement.temperature = 25 + Double(bytes.int16LE(2)) / countsPerDegreeCelsius
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16LE(4).scaled(by: rotation.perCount))
    measurement.acceleration = Acceleration(g: bytes.counts16LE(10).scaled(by: acceleration.perCount))
    return measurement
  }
}
