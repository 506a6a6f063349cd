import LodestoneCore

/// TDK InvenSense ICM-42688-P and ICM-42605: accelerometer and gyroscope, on newer boards beside a magnetometer.
/// Sources: TDK data sheet DS-000347, "Register map", as used by the Linux driver and a flight stack. The ICM-42686 has
/// the same registers and twice the ranges, and another identity.
struct ICM42688: MotionFamily.Member {
  static let name = "icm42688"
  static let aliases = ["icm42688p", "icm42605"]
  static let part = "TDK ICM-42688-P or ICM-42605"
  static let addresses: [UInt8] = [0x68, 0x69]
  static let registers = [
    Register(interruptStatus, "INT_STATUS"), Register(0x4C, "INTF_CONFIG0"), Register(power, "PWR_MGMT0"),
    Register(gyroscopeConfig, "GYRO_CONFIG0"), Register(accelerometerConfig, "ACCEL_CONFIG0"),
    Register(0x52, "GYRO_ACCEL_CONFIG0"), Register(interruptSource, "INT_SOURCE0"), Register(0x75, "WHO_AM_I"),
    Register(0x76, "REG_BANK_SEL"),
  ]

  static let identity = Identity(0x75, [0x47], [0x42])
  private static let deviceConfig: UInt8 = 0x11
  private static let output: UInt8 = 0x1D
  private static let interruptStatus: UInt8 = 0x2D
  private static let power: UInt8 = 0x4E
  private static let gyroscopeConfig: UInt8 = 0x4F
  private static let accelerometerConfig: UInt8 = 0x50
  private static let interruptSource: UInt8 = 0x65
  /// UI_DRDY_INT1_EN in INT_SOURCE0 and DATA_RDY_INT in INT_STATUS.
  private static let dataReady: UInt8 = 0x08

  /// Sensitivity scale factor: 16384 and 262 counts at the smallest range.
  static let accelerationRanges = [
    Scale(2, bits: 0x60, perCount: 1.0 / 16384), Scale(4, bits: 0x40, perCount: 1.0 / 8192),
    Scale(8, bits: 0x20, perCount: 1.0 / 4096), Scale(16, bits: 0x00, perCount: 1.0 / 2048),
  ]
  static let rotationRanges = [
    Scale(125, bits: 0x80, perCount: 1 / 262), Scale(250, bits: 0x60, perCount: 1 / 131),
    Scale(500, bits: 0x40, perCount: 1 / 65.5), Scale(1000, bits: 0x20, perCount: 1 / 32.8),
    Scale(2000, bits: 0x00, perCount: 1 / 16.4),
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
    Rate(value: 12.5, bits: 0x0B), Rate(value: 25, bits: 0x0A), Rate(value: 50, bits: 0x09),
    Rate(value: 100, bits: 0x08), Rate(value: 200, bits: 0x07), Rate(value: 500, bits: 0x0F),
    Rate(value: 1000, bits: 0x06),
  ]
  static let compassRate = rateTable[3]

  let address: UInt8
  var acceleration = compassAccelerationRange
  var rotation = compassRotationRange
  var rate = compassRate

  init(address: UInt8) { self.address = address }

  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// SOFT_RESET_CONFIG, full scales with the rate, the ready flag, then both sensors in their low-noise mode and the
  /// 60 ms that the gyroscope takes to start.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.deviceConfig, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try bus.putChecked(Self.gyroscopeConfig, rotation.bits | rate.bits, at: address, of: Self.name)
    try bus.putChecked(Self.accelerometerConfig, acceleration.bits | rate.bits, at: address, of: Self.name)
    try bus.put(Self.interruptSource, Self.dataReady, at: address)
    try bus.put(Self.power, 0x0F, at: address)
    bus.wait(milliseconds: 60)
  }

  /// INT_STATUS, then temperature, accelerometer and gyroscope in one burst. Both sensors are off in a part that has lost
  /// its power, and nothing is ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.interruptStatus, at: address)[0] & Self.dataReady != 0 else { return nil }
    let bytes = try bus.get(Self.output, count: 14, at: address)
    var measurement = Measurement()
    measurement.temperature = 25 + Double(bytes.int16BE(0)) / 132.48
    measurement.acceleration = Acceleration(g: bytes.counts16BE(2).scaled(by: acceleration.perCount))
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16BE(8).scaled(by: rotation.perCount))
    return measurement
  }
}
