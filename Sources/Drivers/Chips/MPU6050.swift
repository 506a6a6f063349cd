import LodestoneCore

/// InvenSense MPU-6050, MPU-6500, MPU-9150, MPU-9250 and MPU-9255: accelerometer and gyroscope, with an auxiliary bus
/// that hides a magnetometer (an AK8975 inside the MPU-9150, an AK8963 inside the MPU-9250 and 9255) until its bypass
/// is opened. Sources: register maps RM-MPU-6000A-00 rev. 4.2, RM-MPU-9150A-00 rev. 4.2 and RM-MPU-9250A-00 rev. 1.6.
/// The MPU-6886, ICM-20600, ICM-20602 and ICM-20608 have the MPU-6500's registers without the auxiliary bus, and another
/// thermometer (the Linux driver for the ICMs, M5Stack's for the MPU-6886).
///
/// Boards sold with these names carry other parts as often, whose registers are the same and whose identity is not, and
/// a board sold with an MPU-9250 often an MPU-6500, which has no magnetometer.
struct MPU6050: MotionFamily.Member {
  static let name = "mpu6050"
  static let aliases = [
    "mpu6500", "mpu9150", "mpu9250", "mpu9255", "mpu6886", "icm20600", "icm20602", "icm20608",
  ]
  static let part = "InvenSense MPU-6050, MPU-6500, MPU-6886, MPU-9150, MPU-9250, MPU-9255 or ICM-20602"
  static let addresses: [UInt8] = [0x68, 0x69]
  static let hidesOthers = true
  static let registers = [
    Register(0x19, "SMPLRT_DIV"), Register(0x1A, "CONFIG"), Register(0x1B, "GYRO_CONFIG"),
    Register(0x1C, "ACCEL_CONFIG"), Register(0x1D, "ACCEL_CONFIG2"), Register(0x37, "INT_PIN_CFG"),
    Register(0x38, "INT_ENABLE"), Register(0x3A, "INT_STATUS"), Register(0x6A, "USER_CTRL"),
    Register(0x6B, "PWR_MGMT_1"), Register(0x6C, "PWR_MGMT_2"), Register(0x75, "WHO_AM_I"),
  ]

  /// MPU-6050 and MPU-9150; MPU-6500, MPU-9250, MPU-9255; MPU-6886, ICM-20600, ICM-20602, ICM-20608; then what parts
  /// without a data sheet that are sold as these answer.
  static let identity = Identity(
    0x75, [0x68], [0x70], [0x71], [0x73], [0x19], [0x11], [0x12], [0xAF], [0x72], [0x74], [0x75], [0x78], [0x98])
  private static let divider: UInt8 = 0x19
  private static let filter: UInt8 = 0x1A
  private static let gyroscopeConfig: UInt8 = 0x1B
  private static let accelerometerConfig: UInt8 = 0x1C
  private static let accelerometerFilter: UInt8 = 0x1D
  private static let pinConfig: UInt8 = 0x37
  private static let interruptEnable: UInt8 = 0x38
  /// RAW_RDY in INT_ENABLE and INT_STATUS.
  private static let rawReady: UInt8 = 0x01
  private static let userControl: UInt8 = 0x6A
  private static let power: UInt8 = 0x6B

  /// FS_SEL and AFS_SEL: 16384 and 131 counts at the smallest range.
  static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 1.0 / 16384), Scale(4, bits: 0x08, perCount: 1.0 / 8192),
    Scale(8, bits: 0x10, perCount: 1.0 / 4096), Scale(16, bits: 0x18, perCount: 1.0 / 2048),
  ]
  static let rotationRanges = [
    Scale(250, bits: 0x00, perCount: 1 / 131), Scale(500, bits: 0x08, perCount: 1 / 65.5),
    Scale(1000, bits: 0x10, perCount: 1 / 32.8), Scale(2000, bits: 0x18, perCount: 1 / 16.4),
  ]
  static let compassAccelerationRange = accelerationRanges[1]
  static let compassRotationRange = rotationRanges[1]

  struct Rate: Choice {
    /// The rate in Hz: 1000 / (1 + divider).
    let value: Double
    let divider: UInt8
    /// DLPF_CFG: a bandwidth below half the rate.
    let filter: UInt8
    /// Delay of that filter, in seconds.
    let delay: Double
  }

  static let rateTable = [
    Rate(value: 10, divider: 99, filter: 5, delay: 0.0138), Rate(value: 25, divider: 39, filter: 4, delay: 0.0085),
    Rate(value: 50, divider: 19, filter: 4, delay: 0.0085), Rate(value: 100, divider: 9, filter: 3, delay: 0.0049),
    Rate(value: 200, divider: 4, filter: 2, delay: 0.003), Rate(value: 500, divider: 1, filter: 1, delay: 0.002),
    Rate(value: 1000, divider: 0, filter: 1, delay: 0.002),
  ]
  static let compassRate = rateTable[3]

  let address: UInt8
  var acceleration = compassAccelerationRange
  var rotation = compassRotationRange
  var rate = compassRate
  private var part: UInt8 = 0

  init(address: UInt8) { self.address = address }

  var timing: Timing { Timing(period: 1 / rate.value, latency: rate.delay) }

  /// Awake, the chip's own I²C master off, BYPASS_EN.
  static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(power, 0x01, at: address)
    try bus.put(userControl, 0x00, at: address)
    try bus.put(pinConfig, 0x22, at: address)
    bus.wait(milliseconds: 10)
  }

  /// Reset with its 100 ms, the bypass again, full scales, filter and rate. ACCEL_CONFIG2 exists from the MPU-6500 on.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    part = try Self.identity.check(Self.self, at: address, on: &bus)[0]
    try bus.put(Self.power, 0x80, at: address)
    bus.wait(milliseconds: 100)
    try Self.reveal(at: address, on: &bus)
    try bus.putChecked(Self.gyroscopeConfig, rotation.bits, at: address, of: Self.name)
    try bus.putChecked(Self.accelerometerConfig, acceleration.bits, at: address, of: Self.name)
    try bus.put(Self.filter, rate.filter, at: address)
    if part != 0x68 { try bus.put(Self.accelerometerFilter, rate.filter, at: address) }
    try bus.put(Self.divider, rate.divider, at: address)
    try bus.put(Self.interruptEnable, Self.rawReady, at: address)
  }

  /// INT_ENABLE, a byte of no use, INT_STATUS, accelerometer, temperature, gyroscope in one burst. INT_ENABLE is 0 in a
  /// part that has lost its power: from the MPU-6500 on it wakes by itself then, with its smallest ranges.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.interruptEnable, count: 17, at: address)
    guard bytes[0] & bytes[2] & Self.rawReady != 0 else { return nil }
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: bytes.counts16BE(3).scaled(by: acceleration.perCount))
    measurement.temperature = temperature(Double(bytes.int16BE(9)))
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16BE(11).scaled(by: rotation.perCount))
    return measurement
  }

  /// TEMP_OUT in °C; nil for parts whose thermometer nobody has described.
  private func temperature(_ counts: Double) -> Double? {
    switch part {
    case 0x68: counts / 340 + 36.53
    case 0x70, 0x71, 0x73: counts / 333.87 + 21
    case 0x19, 0x11, 0x12, 0xAF: counts / 326.8 + 25
    default: nil
    }
  }
}
