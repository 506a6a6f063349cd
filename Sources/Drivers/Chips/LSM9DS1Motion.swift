import LodestoneCore

/// The accelerometer and gyroscope of ST's LSM9DS1. Source: ST data sheet DocID025715, "Register description".
///
/// Their axes as drawn under "Pin description" are left-handed, and those of the magnetometer beside them right-handed,
/// with x the other way: x is turned round. In recordings of such parts gravity turns with the gyroscope's rates, and
/// not against them; two flight stacks and the driver of the Sense HAT straighten the same pair.
struct LSM9DS1Motion: MotionFamily.Member {
  static let name = "lsm9ds1-imu"
  static let part = "ST LSM9DS1 accelerometer and gyroscope"
  static let addresses: [UInt8] = [0x6B, 0x6A]
  static let registers = [
    Register(0x0F, "WHO_AM_I"), Register(0x10, "CTRL_REG1_G"), Register(0x11, "CTRL_REG2_G"),
    Register(0x12, "CTRL_REG3_G"), Register(0x17, "STATUS_REG"), Register(0x1E, "CTRL_REG4"),
    Register(0x1F, "CTRL_REG5_XL"), Register(0x20, "CTRL_REG6_XL"), Register(0x21, "CTRL_REG7_XL"),
    Register(0x22, "CTRL_REG8"),
  ]

  static let identity = Identity(0x0F, [0x68])
  private static let gyroscopeControl: UInt8 = 0x10
  private static let temperatureOutput: UInt8 = 0x15
  private static let accelerometerControl: UInt8 = 0x20
  private static let control8: UInt8 = 0x22
  private static let accelerationOutput: UInt8 = 0x28

  /// LA_So and G_So.
  static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 0.000061), Scale(4, bits: 0x10, perCount: 0.000122),
    Scale(8, bits: 0x18, perCount: 0.000244), Scale(16, bits: 0x08, perCount: 0.000732),
  ]
  static let rotationRanges = [
    Scale(245, bits: 0x00, perCount: 0.00875), Scale(500, bits: 0x08, perCount: 0.0175),
    Scale(2000, bits: 0x18, perCount: 0.07),
  ]
  static let compassAccelerationRange = accelerationRanges[1]
  static let compassRotationRange = rotationRanges[1]

  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// ODR, the same code for both.
    let bits: UInt8
  }

  /// ODR of CTRL_REG1_G; with the gyroscope on, the accelerometer follows its rate.
  static let rateTable = [
    Rate(value: 14.9, bits: 0x20), Rate(value: 59.5, bits: 0x40), Rate(value: 119, bits: 0x60),
    Rate(value: 238, bits: 0x80), Rate(value: 476, bits: 0xA0), Rate(value: 952, bits: 0xC0),
  ]
  static let compassRate = rateTable[2]

  let address: UInt8
  var acceleration = compassAccelerationRange
  var rotation = compassRotationRange
  var rate = compassRate

  init(address: UInt8) { self.address = address }

  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// SW_RESET with IF_ADD_INC, then BDU, full scales and rate.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control8, 0x05, at: address)
    bus.wait(milliseconds: 10)
    try bus.put(Self.control8, 0x44, at: address)
    try bus.putChecked(Self.gyroscopeControl, rate.bits | rotation.bits, at: address, of: Self.name)
    try bus.putChecked(Self.accelerometerControl, rate.bits | acceleration.bits, at: address, of: Self.name)
  }

  /// Temperature, STATUS_REG and gyroscope in one burst, the accelerometer in another. Temperature is ST's 16 counts a
  /// degree around 25 °C; one published driver takes 8 around 21.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let first = try bus.get(Self.temperatureOutput, count: 9, at: address)
    guard first[2] & 0x03 == 0x03 else { return nil }
    let second = try bus.get(Self.accelerationOutput, count: 6, at: address)
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: second.counts16LE(0).turnedX.scaled(by: acceleration.perCount))
    measurement.rotationRate = RotationRate(
      degreesPerSecond: first.counts16LE(3).turnedX.scaled(by: rotation.perCount))
    measurement.temperature = 25 + Double(first.int16LE(0)) / 16
    return measurement
  }
}
