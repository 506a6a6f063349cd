import LodestoneCore

/// Bosch BNO055: accelerometer, magnetometer and gyroscope with a processor of its own, used here in its raw mode AMG.
/// Source: Bosch data sheet BST-BNO055-DS000, "Register map". It stretches the clock: not every bridge can wait for it.
struct BNO055: IdentifiedChip, SingleRangeChip {
  static let name = "bno055"
  static let part = "Bosch BNO055"
  static let addresses: [UInt8] = [0x28, 0x29]
  static let senses: Senses = [.field, .acceleration, .rotationRate]
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let flagsNewData = false
  static let registers = [
    Register(0x00, "CHIP_ID"), Register(0x01, "ACC_ID"), Register(0x02, "MAG_ID"), Register(0x03, "GYR_ID"),
    Register(0x34, "TEMP"), Register(0x35, "CALIB_STAT"), Register(0x36, "ST_RESULT"), Register(0x39, "SYS_STATUS"),
    Register(0x3A, "SYS_ERR"), Register(0x3B, "UNIT_SEL"), Register(0x3D, "OPR_MODE"), Register(0x3E, "PWR_MODE"),
    Register(0x41, "AXIS_MAP_CONFIG"), Register(0x42, "AXIS_MAP_SIGN"),
  ]

  static let identity = Identity(0x00, [0xA0])
  private static let page: UInt8 = 0x07
  private static let output: UInt8 = 0x08
  private static let temperatureOutput: UInt8 = 0x34
  private static let selfTestResult: UInt8 = 0x36
  private static let units: UInt8 = 0x3B
  private static let mode: UInt8 = 0x3D
  private static let power: UInt8 = 0x3E
  private static let trigger: UInt8 = 0x3F
  /// The magnetometer's configuration, on page 1.
  private static let magnetometerConfig: UInt8 = 0x09
  static let range = 1300.0
  /// "Unit selection" (UNIT_SEL): 1/16 µT, 1/100 m/s².
  private static let microteslaPerCount = 1.0 / 16
  private static let metresPerSecondSquaredPerCount = 0.01
  /// The gyroscope's scale in raw modes, as its ±2000 °/s range says (the Linux driver alone); 1/16 holds in fusion.
  private static let degreesPerSecondPerCount = 2000.0 / 32768

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// MAG_CONFIG: rate, with high accuracy up to 20 Hz and enhanced regular beyond.
    let bits: UInt8
  }

  private static let rateTable = [
    Rate(value: 2, bits: 0x18), Rate(value: 6, bits: 0x19), Rate(value: 8, bits: 0x1A), Rate(value: 10, bits: 0x1B),
    Rate(value: 15, bits: 0x1C), Rate(value: 20, bits: 0x1D), Rate(value: 25, bits: 0x16),
    Rate(value: 30, bits: 0x17),
  ]

  let address: UInt8
  private var rate = rateTable[5]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// The magnetometer's high-accuracy preset takes 49 ms (BMM150).
  var timing: Timing { Timing(period: 1 / rate.value, latency: min(0.5 / rate.value, 0.025)) }

  /// A set-up that broke off leaves page 1, which has no identity. PAGE_ID, which both pages have, is written only where
  /// it reads as that of page 1 and register 0 does not read the same; no other chip here has these addresses.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let first = try bus.get(identity.register, at: address)[0]
    if identity.values == [[first]] { return }
    if first != 0x01, try bus.get(page, at: address)[0] == 0x01 { try bus.put(page, 0x00, at: address) }
    try identity.check(Self.self, at: address, on: &bus)
  }

  /// CONFIG, RST_SYS and its 650 ms, normal power, units, the magnetometer's rate on page 1, then AMG.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[5])
    try reset(on: &bus)
    try bus.put(Self.power, 0x00, at: address)
    try bus.put(Self.units, 0x00, at: address)
    try bus.put(Self.page, 0x01, at: address)
    try bus.put(Self.magnetometerConfig, rate.bits, at: address)
    try bus.put(Self.page, 0x00, at: address)
    try bus.put(Self.mode, 0x07, at: address)
    bus.wait(milliseconds: 20)
  }

  /// Resets the part, which is silent while it starts, for up to 850 ms.
  private func reset(on bus: inout some I2CBus) throws(ChipError) {
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.mode, 0x00, at: address)
    bus.wait(milliseconds: 20)
    try bus.put(Self.trigger, 0x20, at: address)
    bus.wait(milliseconds: 650)
    try waitForStart(on: &bus)
    bus.wait(milliseconds: 50)
    try bus.put(Self.trigger, 0x00, at: address)
  }

  /// Waits until the part shows its identity again; till then it acknowledges nothing, or says nothing.
  private func waitForStart(on bus: inout some I2CBus) throws(ChipError) {
    for _ in 0..<20 {
      do { return try Self.identify(at: address, on: &bus) } catch {
        if case .bus = error, !error.isNotAcknowledged { throw error }
        bus.wait(milliseconds: 10)
      }
    }
    try Self.identify(at: address, on: &bus)
  }

  /// Accelerometer, magnetometer and gyroscope in one burst; there is no ready flag. The firmware has aligned the axes.
  /// After a change of mode the accelerometer comes first, and the magnetometer is zero until it has measured.
  /// Past ±1300 µT (z ±2500) the magnetometer is saturated.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.output, count: 18, at: address)
    guard bytes.all[6..<12].contains(where: { $0 != 0 }) else { return nil }
    let field = bytes.counts16LE(6).scaled(by: Self.microteslaPerCount)
    let isPast = abs(field.x) >= Self.range || abs(field.y) >= Self.range || abs(field.z) >= 2500
    var measurement = Measurement.field(MagneticField(microtesla: field))
    measurement.saturated = isPast
    measurement.acceleration = Acceleration(
      metresPerSecondSquared: bytes.counts16LE(0).scaled(by: Self.metresPerSecondSquaredPerCount))
    measurement.rotationRate = RotationRate(
      degreesPerSecond: bytes.counts16LE(12).scaled(by: Self.degreesPerSecondPerCount))
    return measurement
  }

  /// TEMP: one degree a count.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    Double(try bus.get(Self.temperatureOutput, at: address).int8(0))
  }

  /// ST_RESULT of the test at power-on: accelerometer, magnetometer, gyroscope and processor.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try reset(on: &bus)
    let result = try bus.get(Self.selfTestResult, at: address)[0]
    return SelfTest(
      zip(["accelerometer", "magnetometer", "gyroscope", "processor"], [0, 1, 2, 3] as [UInt8]).map { part, bit in
        SelfTest.Check("\(part) passed", Double(result >> bit & 1), in: 1...1)
      })
  }
}
