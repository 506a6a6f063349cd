import LodestoneCore

/// ST L3GD20, L3GD20H and L3G4200D: gyroscopes, ±245 to ±2000 °/s, and that of the LSM9DS0, which has the registers and
/// the identity of an L3GD20. Sources: ST data sheets DocID022116 (L3GD20), DocID023469 (L3GD20H), DocID17116
/// (L3G4200D) and DocID024763 (LSM9DS0), "Register description". Their axes are right-handed and, in the LSM9DS0 and on
/// makers' boards with an LSM303, those of the accelerometer: a library for the Raspberry Pi turns all of them as one.
/// Their thermometer has no known zero and is left alone.
struct L3GD20: IdentifiedChip {
  static let name = "l3gd20"
  static let aliases = ["l3gd20h", "l3g4200d"]
  static let part = "ST L3GD20, L3GD20H, L3G4200D or LSM9DS0 gyroscope"
  static let addresses: [UInt8] = [0x6B, 0x6A, 0x69, 0x68]
  static let senses: Senses = .rotationRate
  static let registers = [
    Register(0x0F, "WHO_AM_I"), Register(control1, "CTRL_REG1"), Register(control2, "CTRL_REG2"),
    Register(control3, "CTRL_REG3"), Register(control4, "CTRL_REG4"), Register(control5, "CTRL_REG5"),
    Register(status, "STATUS_REG"), Register(0x28, "OUT_X_L"), Register(0x29, "OUT_X_H"), Register(0x2A, "OUT_Y_L"),
    Register(0x2B, "OUT_Y_H"), Register(0x2C, "OUT_Z_L"), Register(0x2D, "OUT_Z_H"),
    Register(fifoControl, "FIFO_CTRL_REG"),
  ]

  /// The L3G4200D, the L3GD20 with the LSM9DS0, and the L3GD20H.
  static let identity = Identity(0x0F, [0xD3], [slowIdentity], [lowRateIdentity])
  private static let slowIdentity: UInt8 = 0xD4
  private static let lowRateIdentity: UInt8 = 0xD7
  /// Bit 7 of the register number makes it count up in a burst.
  private static let autoIncrement: UInt8 = 0x80
  private static let control1: UInt8 = 0x20
  private static let control2: UInt8 = 0x21
  private static let control3: UInt8 = 0x22
  private static let control4: UInt8 = 0x23
  private static let control5: UInt8 = 0x24
  private static let status: UInt8 = 0x27
  private static let fifoControl: UInt8 = 0x2E
  /// LOW_ODR, of the L3GD20H alone.
  private static let lowRate: UInt8 = 0x39
  /// "Turn-on time".
  private static let turnOnMilliseconds = 250.0

  /// So: 8.75, 17.5 and 70 mdps a count. The first range is 250 °/s in the L3GD20 and L3G4200D. FS of CTRL_REG4.
  private static let ranges = [
    Scale(245, bits: 0x00, perCount: 0.00875), Scale(500, bits: 0x10, perCount: 0.0175),
    Scale(2000, bits: 0x20, perCount: 0.07),
  ]

  private struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// DR and BW of CTRL_REG1: a filter of 25 Hz at the slowest rate, of 50 Hz at the others.
    let bits: UInt8
  }

  /// Four rates, each twice the one before. They begin at 95 Hz in the L3GD20 and the LSM9DS0, at 100 Hz in the others.
  private static func rates(from slowest: Double) -> [Rate] {
    (0..<4).map { code in
      Rate(value: slowest * Double(1 << code), bits: UInt8(code) << 6 | (code == 0 ? 0x10 : 0x20))
    }
  }

  let address: UInt8
  private var range = ranges[1]
  private var rateTable = rates(from: 95)
  private var rate = rates(from: 95)[0]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// Power-down, the filters, interrupts and FIFO that another program may have left on taken back, BDU and the full
  /// scale, then the rate with the three axes on.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    let read = try Self.identity.check(Self.self, at: address, on: &bus)
    rateTable = Self.rates(from: read == [Self.slowIdentity] ? 95 : 100)
    range = try Self.choose(.rotationRange, settings.rotationRange, from: Self.ranges, default: Self.ranges[1])
    rate = try Self.choose(.rate, settings.rate, from: rateTable, default: rateTable[0])
    try bus.put(Self.control1, 0x00, at: address)
    for register in [Self.control2, Self.control3, Self.control5, Self.fifoControl] {
      try bus.put(register, 0x00, at: address)
    }
    if read == [Self.lowRateIdentity] { try bus.put(Self.lowRate, 0x00, at: address) }
    try bus.putChecked(Self.control4, 0x80 | range.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, rate.bits | 0x0F, at: address, of: Self.name)
    bus.wait(milliseconds: Self.turnOnMilliseconds)
  }

  /// STATUS_REG and the three axes in one burst. In power-down, which a part that has lost its power is in, nothing is
  /// ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status | Self.autoIncrement, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = Measurement()
    measurement.rotationRate = RotationRate(degreesPerSecond: bytes.counts16LE(1).scaled(by: range.perCount))
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }
}
