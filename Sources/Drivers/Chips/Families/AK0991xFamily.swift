import LodestoneCore

/// The registers that AKM's AK09916 and AK09918 share. Sources: AKM data sheets of both, "Registers".
enum AK0991xFamily {
  fileprivate static let range = 4912.0
  fileprivate static let status1: UInt8 = 0x10
  fileprivate static let control2: UInt8 = 0x31
  fileprivate static let control3: UInt8 = 0x32
  /// 0.15 µT a count. The Linux driver applies fuse values that these parts do not have; three others do not.
  fileprivate static let microteslaPerCount = 0.15

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// Continuous modes 1 to 4 in CNTL2.
    let control2: UInt8
    /// One measurement takes 7.2 ms.
    var timing: Timing { Timing(period: 1 / value, latency: 0.0036) }
  }

  fileprivate static let rates = [
    Rate(value: 10, control2: 0x02), Rate(value: 20, control2: 0x04), Rate(value: 50, control2: 0x06),
    Rate(value: 100, control2: 0x08),
  ]
  static let compassRate = rates[3]

  fileprivate static let registers = [
    Register(0x00, "WIA1"), Register(0x01, "WIA2"), Register(status1, "ST1"), Register(0x11, "HXL"),
    Register(0x12, "HXH"), Register(0x13, "HYL"), Register(0x14, "HYH"), Register(0x15, "HZL"),
    Register(0x16, "HZH"), Register(0x17, "TMPS"), Register(0x18, "ST2"), Register(control2, "CNTL2"),
    Register(control3, "CNTL3"),
  ]
}

extension AK0991xFamily {
  /// A chip with these registers. Its own are its name, its addresses and its identity.
  protocol Member: IdentifiedChip, SingleRangeChip {
    /// The output rate that is set.
    var rate: AK0991xFamily.Rate { get set }
  }
}

extension AK0991xFamily.Member {
  static var range: Double { AK0991xFamily.range }
  static var senses: Senses { .field }
  static var countSizes: [CountSize] {
    [CountSize(range: AK0991xFamily.range, microtesla: AK0991xFamily.microteslaPerCount)]
  }
  static var registers: [Register] { AK0991xFamily.registers }
  var rates: [Double] { AK0991xFamily.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  /// Soft reset, which ends in power-down, then a continuous mode.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: AK0991xFamily.range)
    rate = try Self.choose(.rate, settings.rate, from: AK0991xFamily.rates, default: AK0991xFamily.compassRate)
    try Self.identify(at: address, on: &bus)
    try bus.put(AK0991xFamily.control3, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try bus.putChecked(AK0991xFamily.control2, rate.control2, at: address, of: Self.name)
  }

  /// ST1 to ST2 in one burst: reading ST2 ends the read-out. HOFL leaves no number that means anything.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(AK0991xFamily.status1, count: 9, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    let field = MagneticField(microtesla: bytes.counts16LE(1).scaled(by: AK0991xFamily.microteslaPerCount))
    var measurement = bytes[8] & 0x08 != 0 ? Measurement.saturated() : .field(field)
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }
}
