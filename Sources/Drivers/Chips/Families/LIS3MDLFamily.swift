import LodestoneCore

/// The register layout that ST's LIS3MDL and the magnetometers of its LSM9DS1 and LSM303C share.
/// Source: data sheets DocID024204 (LIS3MDL), DocID025715 (LSM9DS1) and DocID024975 (LSM303C).
enum LIS3MDLFamily {
  /// WHO_AM_I.
  fileprivate static let identity = Identity(0x0F, [0x3D])
  /// Bit 7 of the register number makes it count up in a burst (LIS3MDL 5.1.1).
  static let autoIncrement: UInt8 = 0x80
  private static let control1: UInt8 = 0x20
  private static let control2: UInt8 = 0x21
  private static let control3: UInt8 = 0x22
  private static let control4: UInt8 = 0x23
  private static let control5: UInt8 = 0x24
  private static let status: UInt8 = 0x27

  /// A row of the full-scale table.
  struct Range: Choice {
    /// Full scale in µT.
    let value: Double
    /// FS in CTRL_REG2.
    let control2: UInt8
    let microteslaPerCount: Double
  }

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CTRL_REG1 with the temperature sensor on: mode of x and y, rate, FAST_ODR.
    let control1: UInt8
    /// CTRL_REG4: the mode of z, the same as that of x and y.
    let control4: UInt8

    /// A conversion takes as long as FAST_ODR lets it be repeated: 1/155 s with ultra-high performance, less in the
    /// others, which are used at their fastest only.
    var timing: Timing { Timing(period: 1 / value, latency: 0.5 / max(value, 155)) }
  }

  /// OM and DO of CTRL_REG1: with ultra-high performance up to 155 Hz, then what FAST_ODR gives in each mode.
  static let rates =
    zip([0.625, 1.25, 2.5, 5, 10, 20, 40, 80], 0...).map { (rate: Double, code: UInt8) in
      Rate(value: rate, control1: 0xE0 | code << 2, control4: 0x0C)
    } + [
      Rate(value: 155, control1: 0xE2, control4: 0x0C), Rate(value: 300, control1: 0xC2, control4: 0x08),
      Rate(value: 560, control1: 0xA2, control4: 0x04), Rate(value: 1000, control1: 0x82, control4: 0x00),
    ]

  /// The fastest with one setting of the converter over the whole table.
  static let compassRate = rates[7]

  static let registers = [
    Register(0x0F, "WHO_AM_I"), Register(control1, "CTRL_REG1"), Register(control2, "CTRL_REG2"),
    Register(control3, "CTRL_REG3"), Register(control4, "CTRL_REG4"), Register(control5, "CTRL_REG5"),
    Register(status, "STATUS_REG"), Register(0x28, "OUT_X_L"), Register(0x29, "OUT_X_H"), Register(0x2A, "OUT_Y_L"),
    Register(0x2B, "OUT_Y_H"), Register(0x2C, "OUT_Z_L"), Register(0x2D, "OUT_Z_H"), Register(0x2E, "TEMP_OUT_L"),
    Register(0x2F, "TEMP_OUT_H"), Register(0x30, "INT_CFG"), Register(0x31, "INT_SRC"),
  ]

  /// Identifies, resets (SOFT_RST, 10 ms), sets range, rate and BDU, and starts continuous conversion.
  fileprivate static func start(
    _ chip: any Chip.Type, _ range: Range, _ rate: Rate, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) {
    try identity.check(chip, at: address, on: &bus)
    try bus.put(control2, 0x04, at: address)
    bus.wait(milliseconds: 10)
    try bus.putChecked(control2, range.control2, at: address, of: chip.name)
    try bus.putChecked(control1, rate.control1, at: address, of: chip.name)
    try bus.put(control4, rate.control4, at: address)
    try bus.put(control5, 0x40, at: address)
    try bus.put(control3, 0x00, at: address)
  }

  /// One result: the counts, and whether one before it was lost.
  struct Reading {
    let counts: Counts
    let overrun: Bool

    /// Counts that stop at the ends of 16 bits are a field past the range.
    func measurement(microteslaPerCount: Double) -> Measurement {
      var measurement = counts.measurement(microteslaPerCount: microteslaPerCount)
      measurement.overrun = overrun
      return measurement
    }
  }

  /// STATUS_REG and the six bytes after it in one burst; BDU keeps them of one measurement.
  static func read(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Reading? {
    let bytes = try bus.get(status | autoIncrement, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    return Reading(counts: bytes.counts16LE(1), overrun: bytes[0] & 0x80 != 0)
  }

  /// TEMP_OUT: 8 counts a degree, 0 at 25 °C. A burst over the field wraps before it, so it is read alone.
  static func temperature(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Double {
    25 + Double(try bus.get(0x2E | autoIncrement, count: 2, at: address).int16LE(0)) / 8
  }

  /// The procedure of ST's application note: the change that the test field makes at ±12 G, 80 Hz, mean of five, must
  /// be 1 to 3 G on x and y and 0.1 to 1 G on z.
  fileprivate static func selfTest(
    _ chip: any Chip.Type, microteslaPerCount: Double, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> SelfTest {
    try identity.check(chip, at: address, on: &bus)
    try bus.put(control2, 0x40, at: address)
    try bus.put(control5, 0x40, at: address)
    try bus.put(control1, 0x1C, at: address)
    try bus.put(control3, 0x00, at: address)
    bus.wait(milliseconds: 20)
    let without = try mean(of: 5, chip, at: address, on: &bus)
    try bus.put(control1, 0x1D, at: address)
    bus.wait(milliseconds: 60)
    let with = try mean(of: 5, chip, at: address, on: &bus)
    try bus.put(control1, 0x1C, at: address)
    try bus.put(control3, 0x03, at: address)
    let change = (with - without) * (microteslaPerCount / 100)
    let plane = 1.0...3.0
    return SelfTest(change, unit: "G", x: plane, y: plane, z: 0.1...1.0)
  }

  private static func mean(
    of count: Int, _ chip: any Chip.Type, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Vector3 {
    _ = try read(at: address, on: &bus)
    var sum = Vector3.zero
    for _ in 0..<count {
      try bus.wait(
        for: "data ready", in: status, mask: 0x08, value: 0x08, every: 2, limit: 200, at: address, of: chip.name)
      if let reading = try read(at: address, on: &bus) { sum += reading.counts.scaled(by: 1) }
    }
    return sum / Double(count)
  }
}

extension LIS3MDLFamily {
  /// A chip with these registers. Its own are its ranges, its neighbours and its axes.
  protocol Member: IdentifiedChip {
    /// Ascending; the first is the one for a compass, the third, where there is one, that of the self-test.
    static var ranges: [LIS3MDLFamily.Range] { get }
    /// Ascending.
    static var rateTable: [LIS3MDLFamily.Rate] { get }
    /// The range that is set.
    var range: LIS3MDLFamily.Range { get set }
    /// The output rate that is set.
    var rate: LIS3MDLFamily.Rate { get set }
  }
}

extension LIS3MDLFamily.Member {
  static var identity: Identity { LIS3MDLFamily.identity }
  static var senses: Senses { .field }
  static var rateTable: [LIS3MDLFamily.Rate] { LIS3MDLFamily.rates }
  static var countSizes: [CountSize] {
    ranges.map { CountSize(range: $0.value, microtesla: $0.microteslaPerCount) }
  }
  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: LIS3MDLFamily.compassRate)
    try LIS3MDLFamily.start(Self.self, range, rate, at: address, on: &bus)
  }

  /// A result along the chip's own axes.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let reading = try LIS3MDLFamily.read(at: address, on: &bus) else { return nil }
    return reading.measurement(microteslaPerCount: range.microteslaPerCount)
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    guard let range = Self.ranges.dropFirst(2).first else { return nil }
    return try LIS3MDLFamily.selfTest(Self.self, microteslaPerCount: range.microteslaPerCount, at: address, on: &bus)
  }
}
