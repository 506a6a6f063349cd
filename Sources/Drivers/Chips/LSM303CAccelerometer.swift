import LodestoneCore

/// The accelerometer of ST's LSM303C, and the LIS2HH12, which is built alike. Source: ST data sheet DocID024975,
/// "Register description".
struct LSM303CAccelerometer: IdentifiedChip {
  static let name = "lsm303c-accel"
  static let aliases = ["lis2hh12"]
  static let part = "ST LSM303C accelerometer or LIS2HH12"
  static let addresses: [UInt8] = [0x1D]
  static let senses: Senses = .acceleration
  static let registers = [
    Register(0x0F, "WHO_AM_I_A"), Register(control1, "CTRL_REG1_A"), Register(0x21, "CTRL_REG2_A"),
    Register(0x22, "CTRL_REG3_A"), Register(control4, "CTRL_REG4_A"), Register(control5, "CTRL_REG5_A"),
    Register(status, "STATUS_REG_A"), Register(0x28, "OUT_X_L_A"), Register(0x29, "OUT_X_H_A"),
    Register(0x2A, "OUT_Y_L_A"), Register(0x2B, "OUT_Y_H_A"), Register(0x2C, "OUT_Z_L_A"),
    Register(0x2D, "OUT_Z_H_A"),
  ]

  static let identity = Identity(0x0F, [0x41])
  private static let control1: UInt8 = 0x20
  private static let control4: UInt8 = 0x23
  private static let control5: UInt8 = 0x24
  private static let status: UInt8 = 0x27

  /// LA_So: 0.061, 0.122 and 0.244 mg a count.
  private static let ranges = [
    Scale(2, bits: 0x00, perCount: 0.000061), Scale(4, bits: 0x20, perCount: 0.000122),
    Scale(8, bits: 0x30, perCount: 0.000244),
  ]

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CTRL_REG1_A: rate, BDU, and the three axes on.
    let control1: UInt8
  }

  private static let rateTable = zip([10, 50, 100, 200, 400, 800], 1...).map { (rate: Double, code: UInt8) in
    Rate(value: rate, control1: code << 4 | 0x0F)
  }

  let address: UInt8
  private var range = ranges[0]
  private var rate = rateTable[2]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }

  /// SOFT_RESET, the full scale with IF_ADD_INC, then the rate.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(
      .accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[2])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control5, 0x40, at: address)
    bus.wait(milliseconds: 10)
    try bus.putChecked(Self.control4, 0x04 | range.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, rate.control1, at: address, of: Self.name)
  }

  /// STATUS_REG_A and the data in one burst.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: bytes.counts16LE(1).scaled(by: range.perCount))
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }
}
