/// Memsic MMC5603NJ (and MMC5633): three axes, ±30 gauss, 20 bits, up to 1000 samples a second, with set and reset.
/// Source: Memsic data sheet MMC5603NJ rev. B, "Register map". The control registers cannot be read back.
struct MMC5603: MMC5Family.Member {
  static let name = "mmc5603"
  static let aliases = ["mmc5633"]
  static let part = "Memsic MMC5603"
  static let addresses: [UInt8] = [0x30]
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let registers = [
    Register(0x18, "STATUS1"), Register(0x39, "PRODUCT_ID"), Register(0x27, "ST_X"), Register(0x28, "ST_Y"),
    Register(0x29, "ST_Z"),
  ]

  static let identity = Identity(0x39, [0x10])
  static let control = MMC5Family.Control(control0: 0x1B, control1: 0x1C, control2: 0x1D)
  static let resetTime = 20.0
  private static let status: UInt8 = 0x18
  private static let outputRate: UInt8 = 0x1A
  private static let startFrequency: UInt8 = 0x80

  /// 16384 counts a gauss. Two figures are in circulation, 2.4 % apart: this one, by which the 2²⁰ codes are ±32 G, and
  /// 0.0625 mG a count, which Memsic prints beside it for the sister part and which is a rounding.
  private static let microteslaPerCount = 100.0 / 16384
  static let range = 3000.0

  /// The longest measurement that each rate leaves time for with AUTO_SR: 75, 150 and 255 Hz are the limits.
  /// CTRL2 is CMM_EN, with HPOWER for 1000 Hz.
  static let rateTable =
    [1, 2, 5, 10, 20, 50, 75].map {
      MMC5Family.Rate($0, control2: 0x10, bandwidth: 0, duration: 0.0066)
    } + [
      MMC5Family.Rate(100, control2: 0x10, bandwidth: 1, duration: 0.0035),
      MMC5Family.Rate(150, control2: 0x10, bandwidth: 1, duration: 0.0035),
      MMC5Family.Rate(200, control2: 0x10, bandwidth: 2, duration: 0.002),
      MMC5Family.Rate(255, control2: 0x10, bandwidth: 2, duration: 0.002),
      MMC5Family.Rate(1000, control2: 0x90, bandwidth: 3, duration: 0.0012),
    ]
  static let compassRate = rateTable[6]

  let address: UInt8
  var rate = compassRate

  init(address: UInt8) { self.address = address }

  /// "Continuous mode": rate, bandwidth, CMM_FREQ_EN, and CMM_EN last. ODR is the rate in Hz, and with HPOWER 255 is
  /// 1000 Hz.
  func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.outputRate, UInt8(min(rate.value, 255)), at: address)
    try bus.put(Self.control.control1, rate.bandwidth, at: address)
    try bus.put(Self.control.control0, Self.startFrequency | MMC5Family.automaticSetReset, at: address)
    try bus.put(Self.control.control2, rate.control2, at: address)
  }

  /// The chip flags no overflow: a field past the ±30 G it is specified for is called saturated.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard try bus.get(Self.status, at: address)[0] & 0x40 != 0 else { return nil }
    let bytes = try bus.get(0x00, count: 9, at: address)
    let counts = Counts(Self.count(bytes, 0), Self.count(bytes, 1), Self.count(bytes, 2))
    let limit = Int(Self.range / Self.microteslaPerCount)
    return counts.measurement(microteslaPerCount: Self.microteslaPerCount, within: -limit...limit)
  }

  /// 20 bits around 2¹⁹: two whole bytes an axis, and the low four bits in the upper half of 06, 07 or 08.
  private static func count(_ bytes: ChipBytes, _ axis: Int) -> Int {
    Int(bytes[2 * axis]) << 12 | Int(bytes[2 * axis + 1]) << 4 | Int(bytes[6 + axis]) >> 4 - 524_288
  }
}
