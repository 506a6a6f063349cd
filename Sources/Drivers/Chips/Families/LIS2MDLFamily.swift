import LodestoneCore

/// The registers that the LIS2MDL and the magnetometer of the LSM303AGR share. Sources: ST data sheets DS12144 and
/// DocID027765. Their axes are left-handed (DS12144, 1.2; ST's own boards state north, east, up for x, y, z): x is
/// turned round.
enum LIS2MDLFamily {
  /// WHO_AM_I.
  fileprivate static let identity = Identity(0x4F, [0x40])
  fileprivate static let range = 4915.2
  static let status: UInt8 = 0x67
  private static let configA: UInt8 = 0x60
  private static let configB: UInt8 = 0x61
  private static let configC: UInt8 = 0x62
  /// "Magnetic sensitivity": 1.5 mG a count.
  fileprivate static let microteslaPerCount = 0.15

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CFG_REG_A with COMP_TEMP_EN, continuous mode.
    let configA: UInt8
    var timing: Timing { Timing(period: 1 / value, latency: 0.0047) }
  }

  fileprivate static let rates = [
    Rate(value: 10, configA: 0x80), Rate(value: 20, configA: 0x84), Rate(value: 50, configA: 0x88),
    Rate(value: 100, configA: 0x8C),
  ]
  static let compassRate = rates[3]

  static let registers = [
    Register(0x45, "OFFSET_X_REG_L"), Register(0x46, "OFFSET_X_REG_H"), Register(0x47, "OFFSET_Y_REG_L"),
    Register(0x48, "OFFSET_Y_REG_H"), Register(0x49, "OFFSET_Z_REG_L"), Register(0x4A, "OFFSET_Z_REG_H"),
    Register(0x4F, "WHO_AM_I"), Register(configA, "CFG_REG_A"), Register(configB, "CFG_REG_B"),
    Register(configC, "CFG_REG_C"), Register(0x63, "INT_CTRL_REG"), Register(0x64, "INT_SOURCE_REG"),
    Register(status, "STATUS_REG"), Register(0x68, "OUTX_L"), Register(0x69, "OUTX_H"), Register(0x6A, "OUTY_L"),
    Register(0x6B, "OUTY_H"), Register(0x6C, "OUTZ_L"), Register(0x6D, "OUTZ_H"), Register(0x6E, "TEMP_OUT_L"),
    Register(0x6F, "TEMP_OUT_H"),
  ]

  /// SOFT_RST and REBOOT with their waits, offset cancellation, BDU, continuous mode.
  fileprivate static func configure(
    _ chip: (some Chip).Type, _ settings: ChipSettings, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Rate {
    try chip.check(.fieldRange, settings.fieldRange, upTo: range)
    let rate = try chip.choose(.rate, settings.rate, from: rates, default: compassRate)
    try identity.check(chip, at: address, on: &bus)
    try bus.put(configA, 0x20, at: address)
    bus.wait(milliseconds: 5)
    try bus.put(configA, 0x40, at: address)
    bus.wait(milliseconds: 20)
    try bus.put(configB, 0x02, at: address)
    try bus.put(configC, 0x10, at: address)
    try bus.putChecked(configA, rate.configA, at: address, of: chip.name)
    return rate
  }

  /// STATUS_REG and the six bytes after it.
  static func measurement(_ bytes: ChipBytes) -> Measurement? {
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = bytes.counts16LE(1).turnedX.measurement(microteslaPerCount: microteslaPerCount)
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }

  /// ST's procedure at 100 Hz: the first result is dropped, the mean of fifty must move by 15 to 500 mG on each axis.
  fileprivate static func selfTest(
    _ chip: any Chip.Type, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> SelfTest {
    try identity.check(chip, at: address, on: &bus)
    try bus.put(configA, 0x8C, at: address)
    try bus.put(configB, 0x00, at: address)
    try bus.put(configC, 0x10, at: address)
    bus.wait(milliseconds: 20)
    let without = try mean(of: 50, chip, at: address, on: &bus)
    try bus.put(configC, 0x12, at: address)
    bus.wait(milliseconds: 60)
    let with = try mean(of: 50, chip, at: address, on: &bus)
    try bus.put(configC, 0x10, at: address)
    let limits = 15.0...500.0
    return SelfTest((with - without) * (microteslaPerCount * 10), unit: "mG", x: limits, y: limits, z: limits)
  }

  /// The mean of results in counts, along the chip's own axes.
  private static func mean(
    of count: Int, _ chip: any Chip.Type, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Vector3 {
    _ = try bus.get(status, count: 7, at: address)
    var sum = Vector3.zero
    for _ in 0..<count {
      try bus.wait(
        for: "data ready", in: status, mask: 0x08, value: 0x08, every: 2, limit: 100, at: address, of: chip.name)
      sum += try bus.get(status, count: 7, at: address).counts16LE(1).scaled(by: 1)
    }
    return sum / Double(count)
  }
}

extension LIS2MDLFamily {
  /// A chip with these registers. Its own are its neighbours and how much of them is read.
  protocol Member: IdentifiedChip, SingleRangeChip {
    /// The output rate that is set.
    var rate: LIS2MDLFamily.Rate { get set }
  }
}

extension LIS2MDLFamily.Member {
  static var range: Double { LIS2MDLFamily.range }
  static var identity: Identity { LIS2MDLFamily.identity }
  static var senses: Senses { .field }
  static var countSizes: [CountSize] {
    [CountSize(range: LIS2MDLFamily.range, microtesla: LIS2MDLFamily.microteslaPerCount)]
  }
  static var registers: [Register] { LIS2MDLFamily.registers }
  var rates: [Double] { LIS2MDLFamily.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    rate = try LIS2MDLFamily.configure(Self.self, settings, at: address, on: &bus)
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try LIS2MDLFamily.selfTest(Self.self, at: address, on: &bus)
  }
}
