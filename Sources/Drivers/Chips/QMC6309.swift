/// QST QMC6309: three axes, ±8 to ±32 gauss, up to 200 samples a second. The data registers of the QMC5883P, other
/// control registers, other gains. Sources: QST's own driver, and those of a maker of boards and of a flight stack,
/// which takes its axes as right-handed. Its thermometer has no known zero and is left alone. The QMC6309H is the same
/// at another address, and has not the two slow rates (QST data sheet QMC6309H rev. E, as used by a driver of
/// trackers).
struct QMC6309: Chip {
  static let name = "qmc6309"
  static let aliases = ["qmc6309h"]
  static let part = "QST QMC6309"
  static let addresses: [UInt8] = [0x7C, addressOfH]
  private static let addressOfH: UInt8 = 0x0C
  static let senses: Senses = .field
  static var countSizes: [CountSize] { ranges.map { CountSize(range: $0.value, microtesla: $0.perCount) } }
  static let registers: [Register] =
    QMC5883PFamily.registers.dropLast() + [
      Register(selfTestControl, "SELFTEST_CTRL"), Register(selfTestResult, "SELFTEST_X"), Register(0x14, "SELFTEST_Y"),
      Register(0x15, "SELFTEST_Z"),
    ]

  private static let identity = Identity(0x00, [0x90])
  /// NVM_LOAD_DONE and NVM_RDY of STATUS.
  private static let isLoaded: UInt8 = 0x18
  private static let control1: UInt8 = 0x0A
  private static let control2: UInt8 = 0x0B
  private static let selfTestControl: UInt8 = 0x0E
  private static let selfTestResult: UInt8 = 0x13
  /// CONTROL_1: normal mode, over-sampling by eight, mean of eight.
  private static let normalMode: UInt8 = 0x61
  private static let continuousMode: UInt8 = 0x03

  /// 4000, 2000 and 1000 counts a gauss. RNG of CONTROL_2.
  private static let ranges = [
    Scale(800, bits: 0x08, perCount: 100 / 4000), Scale(1600, bits: 0x04, perCount: 100 / 2000),
    Scale(3200, bits: 0x00, perCount: 100 / 1000),
  ]

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// ODR of CONTROL_2.
    let bits: UInt8
  }

  private static let rateTable = [
    Rate(value: 1, bits: 0x00), Rate(value: 10, bits: 0x10), Rate(value: 50, bits: 0x20), Rate(value: 100, bits: 0x30),
    Rate(value: 200, bits: 0x40),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = rateTable[3]

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { ownRates.map { $0.value } }
  private var ownRates: [Rate] { address == Self.addressOfH ? Array(Self.rateTable.dropFirst(2)) : Self.rateTable }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.0025) }

  /// An MLX90393 at 0x0C, which has no register numbers, answers each with its status: 90 in burst mode after an error.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
    guard address == addressOfH else { return }
    let status = try bus.get(QMC5883PFamily.status, at: address).all
    guard status.allSatisfy({ $0 & isLoaded == isLoaded }) else {
      throw .wrongIdentity(
        chip: name, address: address, register: QMC5883PFamily.status, expected: [[isLoaded]], read: status)
    }
  }

  /// SOFT_RST, until the trim is loaded; range and rate with set and reset on; normal mode.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: ownRates, default: Self.rateTable[3])
    try reset(on: &bus)
    try bus.putChecked(Self.control2, rate.bits | range.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, Self.normalMode, at: address, of: Self.name)
  }

  private func reset(on bus: inout some I2CBus) throws(ChipError) {
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x80, at: address)
    bus.wait(milliseconds: 1)
    try bus.put(Self.control2, 0x00, at: address)
    bus.wait(milliseconds: 20)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try QMC5883PFamily.measurement(microteslaPerCount: range.perCount, at: address, on: &bus)
  }

  /// The chip's own test, which it works out by itself in continuous mode: ST_RDY of STATUS, then a number an axis, 1
  /// to 50 by either sign.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try reset(on: &bus)
    try bus.put(Self.control1, Self.continuousMode, at: address)
    bus.wait(milliseconds: 20)
    try bus.put(Self.selfTestControl, 0x80, at: address)
    try bus.wait(
      for: "its self-test", in: QMC5883PFamily.status, mask: 0x04, value: 0x04, every: 10, limit: 300, at: address,
      of: Self.name)
    let result = try bus.get(Self.selfTestResult, count: 3, at: address)
    try bus.put(Self.selfTestControl, 0x00, at: address)
    let limits = 1.0...50.0
    return SelfTest(
      Counts(abs(result.int8(0)), abs(result.int8(1)), abs(result.int8(2))).scaled(by: 1), unit: "counts", x: limits,
      y: limits, z: limits)
  }
}
