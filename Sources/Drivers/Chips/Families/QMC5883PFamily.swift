/// The registers that QST's QMC5883P and QMC6310 share: three axes, ±2 to ±30 gauss, up to 200 samples a second.
/// Neither addresses nor registers are those of the QMC5883L. Sources: QST data sheets of both, "Register map".
enum QMC5883PFamily {
  private static let output: UInt8 = 0x01
  static let status: UInt8 = 0x09
  fileprivate static let control1: UInt8 = 0x0A
  fileprivate static let control2: UInt8 = 0x0B
  fileprivate static let axisSign: UInt8 = 0x29

  /// CONTROL_1: normal mode, over-sampling and down-sampling by eight.
  fileprivate static let normalMode: UInt8 = 0xC1

  /// "Sensitivity": 15000, 3750, 2500 and 1000 counts a gauss. RNG is in CONTROL_2.
  static let ranges = [
    QMC5883Family.Range(value: 200, bits: 0x0C, microteslaPerCount: 100 / 15000),
    QMC5883Family.Range(value: 800, bits: 0x08, microteslaPerCount: 100 / 3750),
    QMC5883Family.Range(value: 1200, bits: 0x04, microteslaPerCount: 100 / 2500),
    QMC5883Family.Range(value: 3000, bits: 0x00, microteslaPerCount: 100 / 1000),
  ]

  static let registers = [
    Register(0x00, "CHIP_ID"), Register(0x01, "DATA_X_LSB"), Register(0x02, "DATA_X_MSB"),
    Register(0x03, "DATA_Y_LSB"), Register(0x04, "DATA_Y_MSB"), Register(0x05, "DATA_Z_LSB"),
    Register(0x06, "DATA_Z_MSB"), Register(status, "STATUS"), Register(control1, "CONTROL_1"),
    Register(control2, "CONTROL_2"), Register(axisSign, "AXIS_SIGN"),
  ]

  /// The output is not held while it is read. The burst ends with STATUS: where that says that a new result came in
  /// the meantime, the bytes may be of two, and are read again.
  static func measurement(
    microteslaPerCount: Double, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Measurement? {
    let first = try bus.get(status, at: address)[0]
    guard first & 0x01 != 0 else { return nil }
    var bytes = try bus.get(output, count: 9, at: address)
    if bytes[8] & 0x01 != 0 { bytes = try bus.get(output, count: 9, at: address) }
    return bytes.counts16LE(0).measurement(
      microteslaPerCount: microteslaPerCount, overflow: (first | bytes[8]) & 0x02 != 0)
  }

  /// A chip with these registers. Its own are its name and its addresses.
  protocol Member: QMC5883Family.Member {}
}

extension QMC5883PFamily.Member {
  static var identity: Identity { Identity(0x00, [0x80]) }
  static var ranges: [QMC5883Family.Range] { QMC5883PFamily.ranges }
  static var registers: [Register] { QMC5883PFamily.registers }

  /// SOFT_RST, the axis signs that the data sheet's start-up writes, suspend, range, normal mode. The range is read
  /// back: a part is known that stayed at ±30 G.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(QMC5883PFamily.control2, 0x80, at: address)
    bus.wait(milliseconds: 50)
    try bus.put(QMC5883PFamily.control2, 0x00, at: address)
    try bus.put(QMC5883PFamily.axisSign, 0x06, at: address)
    try bus.put(QMC5883PFamily.control1, 0x00, at: address)
    try bus.putChecked(QMC5883PFamily.control2, range.bits, at: address, of: Self.name)
    try bus.putChecked(QMC5883PFamily.control1, QMC5883PFamily.normalMode | rate.bits, at: address, of: Self.name)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try QMC5883PFamily.measurement(microteslaPerCount: range.microteslaPerCount, at: address, on: &bus)
  }
}
