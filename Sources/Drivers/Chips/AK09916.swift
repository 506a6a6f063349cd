import Core

/// AKM AK09916: three axes, ±4912 µT, up to 100 samples a second; inside an ICM-20948 behind its bypass.
/// Source: AKM data sheet AK09916, "Registers". Axes are its own; `Board` has its relation to the ICM-20948's.
struct AK09916: Chip {
  static let name = "ak09916"
  static let part = "AKM AK09916"
  static let addresses: [UInt8] = [0x0C]
  static let senses: Senses = .field
  static let registers = AK099xx.registers

  private static let identity = Identity(0x00, [0x48, 0x09])

  let address: UInt8
  private var rate = AK099xx.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { [AK099xx.range] }
  var fieldRange: Double? { AK099xx.range }
  var rates: [Double] { AK099xx.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    rate = try AK099xx.configure(Self.self, settings, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try AK099xx.measure(at: address, on: &bus)
  }
}

/// The registers that AKM's AK09916 and AK09918 share.
enum AK099xx {
  static let range = 4912.0
  private static let status1: UInt8 = 0x10
  private static let control2: UInt8 = 0x31
  private static let control3: UInt8 = 0x32
  /// 0.15 µT a count. The Linux driver applies fuse values that these parts do not have; three others do not.
  private static let microteslaPerCount = 0.15

  struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// Continuous modes 1 to 4 in CNTL2.
    let control2: UInt8
    /// One measurement takes 7.2 ms.
    var timing: Timing { Timing(period: 1 / value, latency: 0.0036) }
  }

  static let rates = [
    Rate(value: 10, control2: 0x02), Rate(value: 20, control2: 0x04), Rate(value: 50, control2: 0x06),
    Rate(value: 100, control2: 0x08),
  ]
  static let compassRate = rates[3]

  static let registers = [
    Register(0x00, "WIA1"), Register(0x01, "WIA2"), Register(status1, "ST1"), Register(0x11, "HXL"),
    Register(0x12, "HXH"), Register(0x13, "HYL"), Register(0x14, "HYH"), Register(0x15, "HZL"),
    Register(0x16, "HZH"), Register(0x17, "TMPS"), Register(0x18, "ST2"), Register(control2, "CNTL2"),
    Register(control3, "CNTL3"),
  ]

  /// Soft reset, which ends in power-down, then a continuous mode.
  static func configure(
    _ chip: (some Chip).Type, _ settings: ChipSettings, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Rate {
    try chip.check(.fieldRange, settings.fieldRange, upTo: range)
    let rate = try chip.choose(.rate, settings.rate, from: rates, default: compassRate)
    try chip.identify(at: address, on: &bus)
    try bus.put(control3, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try bus.putChecked(control2, rate.control2, at: address, of: chip.name)
    return rate
  }

  /// ST1 to ST2 in one burst: reading ST2 ends the read-out. HOFL leaves no number that means anything.
  static func measure(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(status1, count: 9, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    let field = MagneticField(microtesla: bytes.counts16LE(1).scaled(by: microteslaPerCount))
    var measurement = bytes[8] & 0x08 != 0 ? Measurement.saturated() : .field(field)
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }
}
