/// NXP MAG3110: three axes, ±1000 µT, up to 80 samples a second. Source: NXP data sheet MAG3110 rev. 9.2, "Registers".
/// Its thermometer has no known zero and is left alone. Its axes are left-handed, as z points down where x and y are
/// drawn from above: z is turned round, as in NXP's sensor fusion library.
struct MAG3110: IdentifiedChip, SingleRangeChip {
  static let name = "mag3110"
  static let part = "NXP MAG3110"
  static let addresses: [UInt8] = [0x0E]
  static let senses: Senses = .field
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let registers = [
    Register(0x00, "DR_STATUS"), Register(0x01, "OUT_X_MSB"), Register(0x02, "OUT_X_LSB"), Register(0x03, "OUT_Y_MSB"),
    Register(0x04, "OUT_Y_LSB"), Register(0x05, "OUT_Z_MSB"), Register(0x06, "OUT_Z_LSB"), Register(0x07, "WHO_AM_I"),
    Register(0x08, "SYSMOD"), Register(0x0F, "DIE_TEMP"), Register(0x10, "CTRL_REG1"), Register(0x11, "CTRL_REG2"),
  ]

  static let identity = Identity(0x07, [0xC4])
  private static let status: UInt8 = 0x00
  private static let systemMode: UInt8 = 0x08
  /// OFF_X_MSB, the first of six.
  private static let offsets: UInt8 = 0x09
  private static let control1: UInt8 = 0x10
  private static let control2: UInt8 = 0x11
  static let range = 1000.0
  private static let microteslaPerCount = 0.1
  /// "Magnetic characteristics": the output saturates here.
  private static let saturation = 30000

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CTRL_REG1: DR and OS with AC.
    let control1: UInt8
  }

  /// Table 32: 80 Hz / 2^DR / 2^OS, each rate with the most over-sampling.
  private static let rateTable = [
    Rate(value: 0.625, control1: 0x99), Rate(value: 1.25, control1: 0x79), Rate(value: 2.5, control1: 0x59),
    Rate(value: 5, control1: 0x39), Rate(value: 10, control1: 0x19), Rate(value: 20, control1: 0x11),
    Rate(value: 40, control1: 0x09), Rate(value: 80, control1: 0x01),
  ]

  let address: UInt8
  private var rate = rateTable[5]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// Registers change only in standby, which SYSMOD shows at the end of the running measurement: within 12.5 s at the
  /// slowest rate that another program may have left. The automatic reset of the sensor is asked for before each start
  /// (AUTO_MRST_EN). The part has no reset of its registers: the offsets that another program has left are taken back.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[5])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control1, 0x00, at: address)
    try bus.wait(
      for: "standby", in: Self.systemMode, mask: 0x03, value: 0, every: 10, limit: 13_000, at: address, of: Self.name)
    try bus.send([Self.offsets] + [UInt8](repeating: 0, count: 6), at: address)
    try bus.put(Self.control2, 0x80, at: address)
    try bus.putChecked(Self.control1, rate.control1, at: address, of: Self.name)
  }

  /// DR_STATUS and the six bytes after it in one burst.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = bytes.counts16BE(1).turnedZ.measurement(
      microteslaPerCount: Self.microteslaPerCount, within: 1 - Self.saturation...Self.saturation - 1)
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }
}
