/// QST QMC5883L: three axes, ±2 or ±8 gauss, up to 200 samples a second. On most boards sold as HMC5883L.
/// Source: QST data sheet QMC5883L, rev. 1.0, "Register map". Its thermometer has no known zero and is left alone.
struct QMC5883L: QMC5883Family.Member {
  static let name = "qmc5883l"
  static let part = "QST QMC5883L"
  static let addresses: [UInt8] = [0x0D]
  static let registers = [
    Register(0x00, "DATA_X_LSB"), Register(0x01, "DATA_X_MSB"), Register(0x02, "DATA_Y_LSB"),
    Register(0x03, "DATA_Y_MSB"), Register(0x04, "DATA_Z_LSB"), Register(0x05, "DATA_Z_MSB"),
    Register(0x06, "STATUS"), Register(0x07, "TOUT_LSB"), Register(0x08, "TOUT_MSB"), Register(0x09, "CONTROL_1"),
    Register(0x0A, "CONTROL_2"), Register(0x0B, "SET_RESET_PERIOD"), Register(0x0D, "CHIP_ID"),
  ]

  static let identity = Identity(0x0D, [0xFF])
  private static let status: UInt8 = 0x06
  private static let control1: UInt8 = 0x09
  private static let control2: UInt8 = 0x0A
  private static let setResetPeriod: UInt8 = 0x0B

  /// "Sensitivity": 12000 and 3000 counts a gauss. RNG is in CONTROL_1.
  static let ranges = [
    QMC5883Family.Range(value: 200, bits: 0x00, microteslaPerCount: 100 / 12000),
    QMC5883Family.Range(value: 800, bits: 0x10, microteslaPerCount: 100 / 3000),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = QMC5883Family.compassRate

  init(address: UInt8) { self.address = address }

  /// FF is also what an empty bus reads, and at this address an AK8963 has test registers that must not be touched:
  /// 00 and 0C come first. 00, a byte of the field here, may be the AK8963's identity by chance; 0C then tells. It must
  /// be read once anyway for the identity to be right (one published driver says so).
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let first = try bus.get(0x00, at: address)[0]
    let reserved = try bus.get(0x0C, at: address)[0]
    guard reserved != 0xFF, first != 0x48 || reserved == 0x01 else {
      throw .wrongIdentity(
        chip: name, address: address, register: 0x0C, expected: [[0x01]], read: [reserved])
    }
    try identity.check(Self.self, at: address, on: &bus)
  }

  /// SOFT_RST, the recommended set/reset period, then continuous mode with an over-sampling of 512.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try choose(settings)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x80, at: address)
    bus.wait(milliseconds: 10)
    try bus.put(Self.setResetPeriod, 0x01, at: address)
    try bus.put(Self.control2, 0x00, at: address)
    try bus.putChecked(Self.control1, range.bits | rate.bits | 0x01, at: address, of: Self.name)
  }

  /// STATUS first (DRDY, OVL, DOR): reading any data byte clears DRDY. The output stays locked until all six are read.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let status = try bus.get(Self.status, at: address)[0]
    guard status & 0x01 != 0 else { return nil }
    let counts = try bus.get(0x00, count: 6, at: address).counts16LE(0)
    var measurement = counts.measurement(
      microteslaPerCount: range.microteslaPerCount, overflow: status & 0x02 != 0)
    measurement.overrun = status & 0x04 != 0
    return measurement
  }
}
