import LodestoneCore

/// NXP FXAS21002C: a gyroscope, ±250 to ±2000 °/s; beside an FXOS8700 on Adafruit's and PJRC's boards. Sources: NXP data
/// sheet FXAS21002C rev. 2.1, "Register descriptions"; the Linux driver and those of a flight stack and a maker of
/// boards. Its axes are right-handed, and on those boards the FXOS8700's: NXP's sensor fusion library turns both as one.
struct FXAS21002C: IdentifiedChip {
  static let name = "fxas21002c"
  static let aliases = ["fxas21002"]
  static let part = "NXP FXAS21002C"
  static let addresses: [UInt8] = [0x21, 0x20]
  static let senses: Senses = .rotationRate
  static let neighbours: [any Chip.Type] = [FXOS8700.self]
  static let registers = [
    Register(status, "STATUS"), Register(0x01, "OUT_X_MSB"), Register(0x02, "OUT_X_LSB"), Register(0x03, "OUT_Y_MSB"),
    Register(0x04, "OUT_Y_LSB"), Register(0x05, "OUT_Z_MSB"), Register(0x06, "OUT_Z_LSB"),
    Register(fifoSetup, "F_SETUP"), Register(0x0C, "WHO_AM_I"), Register(control0, "CTRL_REG0"), Register(0x12, "TEMP"),
    Register(control1, "CTRL_REG1"), Register(control2, "CTRL_REG2"), Register(control3, "CTRL_REG3"),
  ]

  static let identity = Identity(0x0C, [0xD7])
  private static let status: UInt8 = 0x00
  private static let fifoSetup: UInt8 = 0x09
  private static let control0: UInt8 = 0x0D
  private static let control1: UInt8 = 0x13
  private static let control2: UInt8 = 0x14
  private static let control3: UInt8 = 0x15

  /// "Sensitivity": 7.8125, 15.625, 31.25 and 62.5 mdps a count. FS of CTRL_REG0.
  private static let ranges = [
    Scale(250, bits: 0x03, perCount: 0.0078125), Scale(500, bits: 0x02, perCount: 0.015625),
    Scale(1000, bits: 0x01, perCount: 0.03125), Scale(2000, bits: 0x00, perCount: 0.0625),
  ]

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// DR of CTRL_REG1.
    let bits: UInt8
  }

  private static let rateTable = zip([12.5, 25, 50, 100, 200, 400, 800], (0...6).reversed()).map {
    (rate: Double, code: UInt8) in Rate(value: rate, bits: code << 2)
  }

  let address: UInt8
  private var range = ranges[1]
  private var rate = rateTable[3]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// Registers change only in standby, which begins after the running measurement: 80 ms at most. The reset is not used,
  /// as the part does not acknowledge it: a FIFO, a high-pass filter and a doubled range that another program has left
  /// are taken back. From standby the first measurement takes 60 ms and a period.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.rotationRange, settings.rotationRange, from: Self.ranges, default: Self.ranges[1])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[3])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control1, 0x00, at: address)
    bus.wait(milliseconds: 100)
    for register in [Self.fifoSetup, Self.control2, Self.control3] { try bus.put(register, 0x00, at: address) }
    try bus.putChecked(Self.control0, range.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, rate.bits | 0x02, at: address, of: Self.name)
    bus.wait(milliseconds: 60 + 1000 / rate.value)
  }

  /// STATUS and the three axes in one burst. A part that has lost its power stands by, and has nothing ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = Measurement()
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16BE(1).scaled(by: range.perCount))
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }
}
