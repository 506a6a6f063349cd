import LodestoneCore

/// Analog Devices ADXL345: an accelerometer, ±16 g at 3.9 mg a count. Source: Analog Devices data sheet ADXL345 rev. E,
/// "Register definitions".
struct ADXL345: IdentifiedChip {
  static let name = "adxl345"
  static let part = "Analog Devices ADXL345"
  static let addresses: [UInt8] = [0x53, 0x1D]
  static let senses: Senses = .acceleration
  static let registers = [
    Register(0x00, "DEVID"), Register(0x1E, "OFSX"), Register(0x1F, "OFSY"), Register(0x20, "OFSZ"),
    Register(0x2C, "BW_RATE"), Register(0x2D, "POWER_CTL"), Register(0x30, "INT_SOURCE"),
    Register(0x31, "DATA_FORMAT"), Register(0x32, "DATAX0"), Register(0x33, "DATAX1"), Register(0x34, "DATAY0"),
    Register(0x35, "DATAY1"), Register(0x36, "DATAZ0"), Register(0x37, "DATAZ1"),
  ]

  static let identity = Identity(0x00, [0xE5])
  private static let rateControl: UInt8 = 0x2C
  private static let power: UInt8 = 0x2D
  private static let interruptSource: UInt8 = 0x30
  private static let dataFormat: UInt8 = 0x31
  private static let offsets: UInt8 = 0x1E
  private static let fifoControl: UInt8 = 0x38
  /// Full resolution: the same at every range, so that the largest is taken always.
  private static let gPerCount = 0.0039
  private static let range = 16.0

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// BW_RATE.
    let code: UInt8
  }

  /// BW_RATE: 0.09765625 · 2ⁿ Hz.
  private static let rateTable = zip([6.25, 12.5, 25, 50, 100, 200, 400, 800], 6...).map {
    (rate: Double, code: UInt8) in
    Rate(value: rate, code: code)
  }

  let address: UInt8
  private var rate = rateTable[4]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// FULL_RES at ±16 g, the rate, then measurement. The part has no reset: offsets of another program, and a FIFO that
  /// hands out old results, are taken back.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.accelerationRange, settings.accelerationRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[4])
    try Self.identify(at: address, on: &bus)
    try bus.send([Self.offsets, 0, 0, 0], at: address)
    try bus.put(Self.fifoControl, 0x00, at: address)
    try bus.putChecked(Self.dataFormat, 0x0B, at: address, of: Self.name)
    try bus.put(Self.rateControl, rate.code, at: address)
    try bus.put(Self.power, 0x08, at: address)
  }

  /// INT_SOURCE (DATA_READY, Overrun), DATA_FORMAT and the data in one burst.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.interruptSource, count: 8, at: address)
    guard bytes[0] & 0x80 != 0 else { return nil }
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: bytes.counts16LE(2).scaled(by: Self.gPerCount))
    measurement.overrun = bytes[0] & 0x01 != 0
    return measurement
  }
}
