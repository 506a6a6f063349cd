import LodestoneCore

/// iSentek IST8308: three axes, ±500 µT, up to 100 samples a second; on GPS units for flight controllers. Sources: the
/// drivers of three flight stacks and of a maker of boards. One of the stacks asks for ±200 µT, whose counts are half as
/// large, and reads twice the field.
struct IST8308: SingleRangeChip {
  static let name = "ist8308"
  static let part = "iSentek IST8308"
  static let addresses: [UInt8] = [0x0C]
  static let senses: Senses = .field
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  /// A count can be more than the noise.
  static let frozenAfter: Int? = nil
  static let registers = [
    Register(0x00, "WAI"), Register(selfTestControl, "STR"), Register(status, "STAT"), Register(0x11, "DATAXL"),
    Register(0x12, "DATAXH"), Register(0x13, "DATAYL"), Register(0x14, "DATAYH"), Register(0x15, "DATAZL"),
    Register(0x16, "DATAZH"), Register(control1, "CNTL1"), Register(control2, "CNTL2"), Register(control3, "CNTL3"),
    Register(control4, "CNTL4"), Register(overSampling, "OSRCNTL"),
  ]

  private static let identity = Identity(0x00, [0x08])
  private static let selfTestControl: UInt8 = 0x0C
  private static let status: UInt8 = 0x10
  private static let control1: UInt8 = 0x30
  private static let control2: UInt8 = 0x31
  private static let control3: UInt8 = 0x32
  private static let control4: UInt8 = 0x34
  private static let overSampling: UInt8 = 0x41
  static let range = 500.0
  /// 6.6 counts a µT with CNTL4 at 00.
  private static let microteslaPerCount = 1 / 6.6
  /// Counts short of the full scale: past it the sensor is not specified, and the chip flags nothing.
  private static let counts = -3299...3299

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// A continuous mode in CNTL2.
    let mode: UInt8
  }

  /// The rates that over-sampling by sixteen leaves time for.
  private static let rateTable = [
    Rate(value: 10, mode: 0x02), Rate(value: 20, mode: 0x04), Rate(value: 50, mode: 0x06), Rate(value: 100, mode: 0x08),
  ]

  let address: UInt8
  private var rate = rateTable[3]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.005) }

  /// An MLX90393 at this address, which has no register numbers, answers each with its status: 08 where its memory has
  /// put a bit right.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try identity.check(Self.self, at: address, on: &bus)
    let other = try bus.get(selfTestControl, at: address).all
    guard other != read else {
      throw .wrongIdentity(
        chip: name, address: address, register: selfTestControl, expected: [[0x00]], read: other)
    }
  }

  /// SRST, no noise filter, the full scale, over-sampling by sixteen, then continuous measurement.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[3])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control3, 0x01, at: address)
    bus.wait(milliseconds: 50)
    try bus.put(Self.control1, 0x00, at: address)
    try bus.putChecked(Self.control4, 0x00, at: address, of: Self.name)
    try bus.put(Self.overSampling, 0x24, at: address)
    try bus.putChecked(Self.control2, rate.mode, at: address, of: Self.name)
  }

  /// STAT (DRDY, DOR) and the three axes in one burst. Its own axes are x forward, y right, z up, as the IST8310's: x is
  /// turned round. In standby, which a part that has lost its power is in, nothing is ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 7, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    var measurement = bytes.counts16LE(1).turnedX.measurement(
      microteslaPerCount: Self.microteslaPerCount, within: Self.counts)
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }
}
