import Core

/// Honeywell HMC5883L: three axes, ±0.88 to ±8.1 gauss, 75 samples a second.
/// Source: Honeywell data sheet 900405. The HMC5983 has the same registers; the HMC5843 answers with the
/// same identity but has other gains and sends x, y, z in order: the identity cannot tell them apart.
struct HMC5883L: Chip {
  static let name = "hmc5883l"
  static let part = "Honeywell HMC5883L"
  static let addresses: [UInt8] = [0x1E]
  static let senses: Senses = .field
  static let flagsNewData = false
  static let registers = HoneywellMagnetometer.registers

  /// Table 9, gain settings: the same gain for the three axes. One published driver lists 220 for the last row; the
  /// data sheet and the Linux driver give 230.
  private static let ranges = [
    HoneywellMagnetometer.Range(88, gain: 0x00, countsPerGauss: 1370),
    HoneywellMagnetometer.Range(130, gain: 0x20, countsPerGauss: 1090),
    HoneywellMagnetometer.Range(190, gain: 0x40, countsPerGauss: 820),
    HoneywellMagnetometer.Range(250, gain: 0x60, countsPerGauss: 660),
    HoneywellMagnetometer.Range(400, gain: 0x80, countsPerGauss: 440),
    HoneywellMagnetometer.Range(470, gain: 0xA0, countsPerGauss: 390),
    HoneywellMagnetometer.Range(560, gain: 0xC0, countsPerGauss: 330),
    HoneywellMagnetometer.Range(810, gain: 0xE0, countsPerGauss: 230),
  ]

  /// MA in CRA: averages of eight.
  private static let averaging: UInt8 = 0x60

  let address: UInt8
  private var range = ranges[1]
  private var rate = HoneywellMagnetometer.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { HoneywellMagnetometer.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try HoneywellMagnetometer.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[1])
    rate = try Self.choose(
      .rate, settings.rate, from: HoneywellMagnetometer.rates, default: HoneywellMagnetometer.compassRate)
    try HoneywellMagnetometer.start(
      Self.self, controlA: Self.averaging | rate.code << 2, range, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try HoneywellMagnetometer.measure(range, at: address, on: &bus)
  }

  /// "Self test operation", page 19: the positive bias at ±4.7 G makes 1.16 G on x and y and 1.08 G on z; 243 to 575
  /// counts pass. The first result after the change of gain is dropped.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    let biased = HoneywellMagnetometer.Range(470, gain: 0xA0, countsPerGauss: 390)
    try HoneywellMagnetometer.start(Self.self, controlA: 0x71, biased, at: address, on: &bus)
    bus.wait(milliseconds: 2000 / 15)
    let counts = try HoneywellMagnetometer.counts(at: address, on: &bus)
    try bus.put(HoneywellMagnetometer.controlA, 0x70, at: address)
    let limits = 243.0...575.0
    return SelfTest(counts.scaled(by: 1), unit: "counts", x: limits, y: limits, z: limits)
  }
}
