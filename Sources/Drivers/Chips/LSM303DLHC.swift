import Core

/// The magnetometer of ST's LSM303DLHC: the registers and the identity of an HMC5883L with gains of its own, so that
/// only the accelerometer beside it tells them apart. Source: ST data sheet DocID018771, "Magnetic field sensing
/// register description".
struct LSM303DLHC: Chip {
  static let name = "lsm303dlhc"
  static let part = "ST LSM303DLHC magnetometer"
  static let addresses: [UInt8] = [0x1E]
  static let senses: Senses = .field
  static let companions: [any Chip.Type] = [LSM303DLHCAccelerometer.self]
  static let flagsNewData = false
  static let registers = HoneywellMagnetometer.registers

  /// "Gain setting" (CRB_REG_M): z has its own.
  private static let ranges = [
    HoneywellMagnetometer.Range(130, gain: 0x20, countsPerGauss: 1100, z: 980),
    HoneywellMagnetometer.Range(190, gain: 0x40, countsPerGauss: 855, z: 760),
    HoneywellMagnetometer.Range(250, gain: 0x60, countsPerGauss: 670, z: 600),
    HoneywellMagnetometer.Range(400, gain: 0x80, countsPerGauss: 450, z: 400),
    HoneywellMagnetometer.Range(470, gain: 0xA0, countsPerGauss: 400, z: 355),
    HoneywellMagnetometer.Range(560, gain: 0xC0, countsPerGauss: 330, z: 295),
    HoneywellMagnetometer.Range(810, gain: 0xE0, countsPerGauss: 230, z: 205),
  ]

  /// "Data rate configurations" (CRA_REG_M): those of the HMC5883L, and 220 Hz.
  private static let rateTable = HoneywellMagnetometer.rates + [HoneywellMagnetometer.Rate(value: 220, code: 7)]

  let address: UInt8
  private var range = ranges[0]
  private var rate = HoneywellMagnetometer.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try HoneywellMagnetometer.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: HoneywellMagnetometer.compassRate)
    try HoneywellMagnetometer.start(Self.self, controlA: rate.code << 2, range, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try HoneywellMagnetometer.measure(range, at: address, on: &bus)
  }
}
