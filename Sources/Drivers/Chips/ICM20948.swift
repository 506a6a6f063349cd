import LodestoneCore

/// TDK InvenSense ICM-20948: accelerometer and gyroscope, with an AK09916 behind its bypass. Registers lie in banks.
/// Source: TDK data sheet DS-000189, "Register map".
struct ICM20948: MotionFamily.Member {
  static let name = "icm20948"
  static let part = "TDK ICM-20948"
  static let addresses: [UInt8] = [0x69, 0x68]
  static let hidesOthers = true
  /// The registers of bank 0, which is selected but for the moments of configuration.
  static let registers = [
    Register(0x00, "WHO_AM_I"), Register(0x03, "USER_CTRL"), Register(0x06, "PWR_MGMT_1"),
    Register(0x07, "PWR_MGMT_2"), Register(0x0F, "INT_PIN_CFG"), Register(0x11, "INT_ENABLE_1"),
    Register(0x19, "INT_STATUS"), Register(0x1A, "INT_STATUS_1"), Register(0x7F, "REG_BANK_SEL"),
  ]

  static let identity = Identity(0x00, [0xEA])
  private static let bank: UInt8 = 0x7F
  private static let userControl: UInt8 = 0x03
  private static let power1: UInt8 = 0x06
  private static let power2: UInt8 = 0x07
  private static let pinConfig: UInt8 = 0x0F
  private static let interruptEnable1: UInt8 = 0x11
  private static let interruptStatus1: UInt8 = 0x1A
  private static let output: UInt8 = 0x2D

  /// Registers of bank 2.
  private enum Bank2 {
    static let gyroscopeDivider: UInt8 = 0x00
    static let gyroscopeConfig: UInt8 = 0x01
    static let accelerometerDivider: UInt8 = 0x10
    static let accelerometerConfig: UInt8 = 0x14
  }

  /// Sensitivity scale factor: 16384 and 131 counts at the smallest range.
  static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 1.0 / 16384), Scale(4, bits: 0x02, perCount: 1.0 / 8192),
    Scale(8, bits: 0x04, perCount: 1.0 / 4096), Scale(16, bits: 0x06, perCount: 1.0 / 2048),
  ]
  static let rotationRanges = [
    Scale(250, bits: 0x00, perCount: 1 / 131), Scale(500, bits: 0x02, perCount: 1 / 65.5),
    Scale(1000, bits: 0x04, perCount: 1 / 32.8), Scale(2000, bits: 0x06, perCount: 1 / 16.4),
  ]
  static let compassAccelerationRange = accelerationRanges[1]
  static let compassRotationRange = rotationRanges[1]
  /// DLPF 3 with FCHOICE: about 50 Hz.
  private static let filter: UInt8 = 0x19

  struct Rate: Choice {
    /// The divider of the rate in Hz: 1125 / (1 + divider), for both sensors.
    let divider: UInt8
    var value: Double { 1125 / (1 + Double(divider)) }
  }

  static let rateTable = [110, 43, 21, 10, 4, 1, 0].map { Rate(divider: $0) }
  static let compassRate = rateTable[3]

  let address: UInt8
  var acceleration = compassAccelerationRange
  var rotation = compassRotationRange
  var rate = compassRate

  init(address: UInt8) { self.address = address }

  /// A filter of 50 Hz delays by about 5 ms.
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.005) }

  /// A set-up that broke off leaves another bank, which has no identity. REG_BANK_SEL, which all banks have, is written
  /// only where it reads as one of the others, and neither register 0 nor the one half of the map before it reads the
  /// same, as the memory of a clock at this address does, which begins anew there.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let first = try bus.get(identity.register, at: address)[0]
    if identity.values == [[first]] { return }
    let selected = try bus.get(bank, at: address)[0]
    if [0x10, 0x20, 0x30].contains(selected), selected != first, try bus.get(bank ^ 0x40, at: address)[0] != selected {
      try bus.put(bank, 0x00, at: address)
    }
    try identity.check(Self.self, at: address, on: &bus)
  }

  /// Awake, the chip's own I²C master off, BYPASS_EN.
  static func reveal(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(power1, 0x01, at: address)
    try bus.put(userControl, 0x00, at: address)
    try bus.put(pinConfig, 0x02, at: address)
    bus.wait(milliseconds: 10)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.power1, 0x80, at: address)
    bus.wait(milliseconds: 100)
    try Self.reveal(at: address, on: &bus)
    try bus.put(Self.power2, 0x00, at: address)
    try bus.put(Self.interruptEnable1, 0x01, at: address)
    try bus.put(Self.bank, 0x20, at: address)
    do {
      try setScales(on: &bus)
    } catch {
      try bus.put(Self.bank, 0x00, at: address)
      throw error
    }
    try bus.put(Self.bank, 0x00, at: address)
  }

  private func setScales(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Bank2.gyroscopeDivider, rate.divider, at: address)
    try bus.putChecked(Bank2.gyroscopeConfig, Self.filter | rotation.bits, at: address, of: Self.name)
    try bus.send([Bank2.accelerometerDivider, 0x00, rate.divider], at: address)
    try bus.putChecked(Bank2.accelerometerConfig, Self.filter | acceleration.bits, at: address, of: Self.name)
  }

  /// RAW_DATA_0_RDY, then accelerometer, gyroscope, temperature in one burst.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.interruptStatus1, at: address)[0] & 0x01 != 0 else { return nil }
    let bytes = try bus.get(Self.output, count: 14, at: address)
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: bytes.counts16BE(0).scaled(by: acceleration.perCount))
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16BE(6).scaled(by: rotation.perCount))
    measurement.temperature = (Double(bytes.int16BE(12)) - 21) / 333.87 + 21
    return measurement
  }
}
