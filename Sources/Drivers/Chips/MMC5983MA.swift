/// Memsic MMC5983MA: three axes, ±8 gauss, 18 bits, up to 1000 samples a second, with set and reset.
/// Source: Memsic data sheet MMC5983MA rev. A. The control registers cannot be read back.
///
/// The sign of x and y is the data sheet's, positive after SET, as in the Linux driver. The axes are left-handed: two
/// flight stacks turn all three round, which but for a half turn about z turns z round. So it is here.
struct MMC5983MA: MMC5Family.Member {
  static let name = "mmc5983ma"
  static let part = "Memsic MMC5983MA"
  static let addresses: [UInt8] = [0x30]
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let registers = [
    Register(0x00, "XOUT_0"), Register(0x01, "XOUT_1"), Register(0x02, "YOUT_0"), Register(0x03, "YOUT_1"),
    Register(0x04, "ZOUT_0"), Register(0x05, "ZOUT_1"), Register(0x06, "XYZOUT_2"), Register(0x07, "TOUT"),
    Register(0x08, "STATUS"), Register(0x2F, "PRODUCT_ID_1"),
  ]

  static let identity = Identity(0x2F, [0x30])
  static let control = MMC5Family.Control(control0: 0x09, control1: 0x0A, control2: 0x0B)
  static let resetTime = 15.0
  private static let status: UInt8 = 0x08
  /// 18 bits, 16384 counts a gauss.
  private static let microteslaPerCount = 100.0 / 16384
  static let range = 800.0

  /// "Continuous mode": 200 Hz needs BW 01, 1000 Hz BW 11. CONTROL_2 is CM_FREQ with CMM_EN.
  static let rateTable = [
    MMC5Family.Rate(1, control2: 0x09, bandwidth: 0, duration: 0.008),
    MMC5Family.Rate(10, control2: 0x0A, bandwidth: 0, duration: 0.008),
    MMC5Family.Rate(20, control2: 0x0B, bandwidth: 0, duration: 0.008),
    MMC5Family.Rate(50, control2: 0x0C, bandwidth: 0, duration: 0.008),
    MMC5Family.Rate(100, control2: 0x0D, bandwidth: 1, duration: 0.004),
    MMC5Family.Rate(200, control2: 0x0E, bandwidth: 1, duration: 0.004),
    MMC5Family.Rate(1000, control2: 0x0F, bandwidth: 3, duration: 0.0005),
  ]
  static let compassRate = rateTable[4]

  let address: UInt8
  var rate = compassRate

  init(address: UInt8) { self.address = address }

  func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.control.control0, MMC5Family.automaticSetReset, at: address)
    try bus.put(Self.control.control1, rate.bandwidth, at: address)
    try bus.put(Self.control.control2, rate.control2, at: address)
  }

  /// STATUS is cleared by writing its bit. The chip flags no overflow: codes at either end are past the range.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.status, at: address)[0] & 0x01 != 0 else { return nil }
    let bytes = try bus.get(0x00, count: 7, at: address)
    try bus.put(Self.status, 0x01, at: address)
    let counts = Counts(Self.count(bytes, 0), Self.count(bytes, 1), Self.count(bytes, 2))
    return counts.turnedZ.measurement(microteslaPerCount: Self.microteslaPerCount, within: -131_070...131_070)
  }

  /// 18 bits around 2¹⁷: two whole bytes an axis, and two bits each from the top of 06 down.
  private static func count(_ bytes: ChipBytes, _ axis: Int) -> Int {
    Int(bytes[2 * axis]) << 10 | Int(bytes[2 * axis + 1]) << 2 | Int(bytes[6] >> (6 - 2 * UInt8(axis))) & 3 - 131_072
  }
}
