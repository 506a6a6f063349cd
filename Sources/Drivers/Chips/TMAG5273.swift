/// TI TMAG5273: three Hall sensors, ±40 or ±80 mT (A1), ±133 or ±266 mT (A2); for magnets.
/// Source: TI data sheet SLYS045, "Register maps".
struct TMAG5273: Chip {
  static let name = "tmag5273"
  static let part = "TI TMAG5273"
  static let addresses: [UInt8] = [0x35, 0x22, 0x78, 0x44]
  static let senses: Senses = .field
  static let flagsNewData = false
  static let wakesWhenAddressed = true
  static let registers = [
    Register(0x00, "DEVICE_CONFIG_1"), Register(0x01, "DEVICE_CONFIG_2"), Register(0x02, "SENSOR_CONFIG_1"),
    Register(0x03, "SENSOR_CONFIG_2"), Register(0x07, "T_CONFIG"), Register(0x0C, "I2C_ADDRESS"),
    Register(0x0D, "DEVICE_ID"), Register(0x0E, "MANUFACTURER_ID_LSB"), Register(0x0F, "MANUFACTURER_ID_MSB"),
    Register(0x18, "CONV_STATUS"), Register(0x1C, "DEVICE_STATUS"),
  ]

  private static let identity = Identity(0x0E, [0x49, 0x54])
  private static let deviceConfig1: UInt8 = 0x00
  private static let deviceConfig2: UInt8 = 0x01
  private static let sensorConfig1: UInt8 = 0x02
  private static let sensorConfig2: UInt8 = 0x03
  private static let temperatureConfig: UInt8 = 0x07
  /// MAG_GAIN_CONFIG and the two of MAG_OFFSET_CONFIG.
  private static let corrections: ClosedRange<UInt8> = 0x09...0x0B
  private static let deviceID: UInt8 = 0x0D
  private static let output: UInt8 = 0x10

  private struct Range: Choice {
    /// Full scale in µT.
    let value: Double
    /// X_Y_RANGE and Z_RANGE.
    let bits: UInt8
    let microteslaPerCount: Double
  }

  /// "Magnetic characteristics", counts a millitesla: 820 and 410 in version A1, 250 and 125 in A2. The Linux driver
  /// takes the full scale over 2¹⁵ instead, which is 1.5 % more for A2.
  private static func ranges(version: UInt8) -> [Range] {
    version == 2
      ? [
        Range(value: 133_000, bits: 0x00, microteslaPerCount: 1000 / 250),
        Range(value: 266_000, bits: 0x03, microteslaPerCount: 1000 / 125),
      ]
      : [
        Range(value: 40_000, bits: 0x00, microteslaPerCount: 1000.0 / 820),
        Range(value: 80_000, bits: 0x03, microteslaPerCount: 1000.0 / 410),
      ]
  }

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CONV_AVG in DEVICE_CONFIG_1.
    let averaging: UInt8
    /// Three axes and temperature, in seconds.
    let duration: Double
  }

  /// Conversion time: 825 µs and 800 µs for each further channel at 32×, in proportion below.
  private static let rateTable = [
    Rate(value: 300, averaging: 0x14, duration: 0.003225), Rate(value: 600, averaging: 0x10, duration: 0.001625),
    Rate(value: 1200, averaging: 0x0C, duration: 0.000825),
  ]

  let address: UInt8
  private var version: UInt8 = 1
  private var range = ranges(version: 1)[0]
  private var rate = rateTable[0]

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges(version: version).map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: rate.duration, latency: rate.duration / 2) }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
    let version = try bus.get(deviceID, at: address)
    guard version[0] & 0x03 == 1 || version[0] & 0x03 == 2 else {
      throw .implausible(chip: name, what: "version", read: version.all)
    }
  }

  /// Continuous low-noise conversion of x, y, z and temperature, in standard read mode. The part has no reset: a gain and
  /// offsets that another program has left are taken back.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.identify(at: address, on: &bus)
    version = try bus.get(Self.deviceID, at: address)[0] & 0x03
    let ranges = Self.ranges(version: version)
    range = try Self.choose(.fieldRange, settings.fieldRange, from: ranges, default: ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[0])
    try bus.put(Self.deviceConfig1, rate.averaging, at: address)
    for register in Self.corrections { try bus.put(register, 0x00, at: address) }
    try bus.put(Self.temperatureConfig, 0x01, at: address)
    try bus.put(Self.sensorConfig1, 0x70, at: address)
    try bus.putChecked(Self.sensorConfig2, range.bits, at: address, of: Self.name)
    try bus.put(Self.deviceConfig2, 0x12, at: address)
  }

  /// T, X, Y, Z and CONV_STATUS in one burst. Not valid while DIAG says that the supply is too low.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.output, count: 9, at: address)
    guard bytes[8] & 0x03 == 0x01 else { return nil }
    var measurement = bytes.counts16BE(2).measurement(microteslaPerCount: range.microteslaPerCount)
    measurement.temperature = 25 + (Double(bytes.int16BE(0)) - 17508) / 60.1
    return measurement
  }
}
