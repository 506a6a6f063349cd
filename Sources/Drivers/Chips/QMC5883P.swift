/// QST QMC5883P: three axes, ±2 to ±30 gauss, up to 200 samples a second. Neither address nor registers are those of
/// the QMC5883L. Source: QST data sheet QMC5883P, "Register map". Two flight stacks use the QMC5883L's factors for
/// it and read a quarter too much.
struct QMC5883P: QMC5883Family.Member {
  static let name = "qmc5883p"
  static let part = "QST QMC5883P"
  static let addresses: [UInt8] = [0x2C]
  static let registers = [
    Register(0x00, "CHIP_ID"), Register(0x01, "DATA_X_LSB"), Register(0x02, "DATA_X_MSB"),
    Register(0x03, "DATA_Y_LSB"), Register(0x04, "DATA_Y_MSB"), Register(0x05, "DATA_Z_LSB"),
    Register(0x06, "DATA_Z_MSB"), Register(0x09, "STATUS"), Register(0x0A, "CONTROL_1"), Register(0x0B, "CONTROL_2"),
    Register(0x29, "AXIS_SIGN"),
  ]

  static let identity = Identity(0x00, [0x80])
  private static let output: UInt8 = 0x01
  private static let status: UInt8 = 0x09
  private static let control1: UInt8 = 0x0A
  private static let control2: UInt8 = 0x0B
  private static let axisSign: UInt8 = 0x29

  /// CONTROL_1: normal mode, over-sampling and down-sampling by eight.
  private static let normalMode: UInt8 = 0xC1

  /// "Sensitivity": 15000, 3750, 2500 and 1000 counts a gauss. RNG is in CONTROL_2.
  static let ranges = [
    QMC5883Family.Range(value: 200, bits: 0x0C, microteslaPerCount: 100 / 15000),
    QMC5883Family.Range(value: 800, bits: 0x08, microteslaPerCount: 100 / 3750),
    QMC5883Family.Range(value: 1200, bits: 0x04, microteslaPerCount: 100 / 2500),
    QMC5883Family.Range(value: 3000, bits: 0x00, microteslaPerCount: 100 / 1000),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = QMC5883Family.compassRate

  init(address: UInt8) { self.address = address }

  /// SOFT_RST, the axis signs that the data sheet's start-up writes, suspend, range, normal mode. The range is read
  /// back: a part is known that stayed at ±30 G.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x80, at: address)
    bus.wait(milliseconds: 50)
    try bus.put(Self.control2, 0x00, at: address)
    try bus.put(Self.axisSign, 0x06, at: address)
    try bus.put(Self.control1, 0x00, at: address)
    try bus.putChecked(Self.control2, range.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, Self.normalMode | rate.bits, at: address, of: Self.name)
  }

  /// The output is not held while it is read. The burst ends with STATUS: where that says that a new result came in
  /// the meantime, the bytes may be of two, and are read again.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let status = try bus.get(Self.status, at: address)[0]
    guard status & 0x01 != 0 else { return nil }
    var bytes = try bus.get(Self.output, count: 9, at: address)
    if bytes[8] & 0x01 != 0 { bytes = try bus.get(Self.output, count: 9, at: address) }
    return bytes.counts16LE(0).measurement(
      microteslaPerCount: range.microteslaPerCount, overflow: (status | bytes[8]) & 0x02 != 0)
  }
}
