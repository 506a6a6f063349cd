import Core

/// The accelerometer of ST's LSM303AGR, and the LIS3DH, which is built alike.
/// Source: ST data sheet DocID027765, "Register description".
struct LSM303AGRAccelerometer: Chip {
  static let name = "lsm303agr-accel"
  static let aliases = ["lis3dh"]
  static let part = "ST LSM303AGR accelerometer or LIS3DH"
  static let addresses: [UInt8] = [0x19, 0x18]
  static let senses: Senses = .acceleration
  static let registers = LSM303Acceleration.registers

  /// LA_So, high-resolution mode. One published driver takes FS / 2048 instead, far off at ±16 g.
  private static let ranges = [
    LSM303Acceleration.Range(value: 2, bits: 0x00, gPerCount: 0.00098),
    LSM303Acceleration.Range(value: 4, bits: 0x10, gPerCount: 0.00195),
    LSM303Acceleration.Range(value: 8, bits: 0x20, gPerCount: 0.0039),
    LSM303Acceleration.Range(value: 16, bits: 0x30, gPerCount: 0.01172),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = LSM303Acceleration.compassRate

  init(address: UInt8) { self.address = address }

  var rates: [Double] { LSM303Acceleration.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try LSM303Acceleration.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: LSM303Acceleration.rates, default: rate)
    try Self.identify(at: address, on: &bus)
    try LSM303Acceleration.start(range, rate, of: Self.name, at: address, on: &bus)
    // TEMP_CFG_REG_A: thermometer on.
    try bus.put(0x1F, 0xC0, at: address)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try LSM303Acceleration.measure(range, at: address, on: &bus)
  }

  /// OUT_TEMP_A: 256 counts a degree, 0 at 25 °C.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    25 + Double(try bus.get(0x0C | LSM303Acceleration.autoIncrement, count: 2, at: address).int16LE(0)) / 256
  }
}

/// The accelerometer of ST's LSM303DLHC. Source: ST data sheet DocID018771, "Register description".
struct LSM303DLHCAccelerometer: Chip {
  static let name = "lsm303dlhc-accel"
  static let part = "ST LSM303DLHC accelerometer"
  static let addresses: [UInt8] = [0x19]
  static let senses: Senses = .acceleration
  static let companions: [any Chip.Type] = [LSM303DLHC.self]
  static let registers = LSM303Acceleration.registers

  /// LA_So: 1, 2, 4 and 12 mg a count.
  private static let ranges = [
    LSM303Acceleration.Range(value: 2, bits: 0x00, gPerCount: 0.001),
    LSM303Acceleration.Range(value: 4, bits: 0x10, gPerCount: 0.002),
    LSM303Acceleration.Range(value: 8, bits: 0x20, gPerCount: 0.004),
    LSM303Acceleration.Range(value: 16, bits: 0x30, gPerCount: 0.012),
  ]

  let address: UInt8
  private var range = ranges[0]
  private var rate = LSM303Acceleration.compassRate

  init(address: UInt8) { self.address = address }

  var rates: [Double] { LSM303Acceleration.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  /// The data sheet names no identity for this part; it answers like its successors.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try LSM303Acceleration.identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: LSM303Acceleration.rates, default: rate)
    try Self.identify(at: address, on: &bus)
    try LSM303Acceleration.start(range, rate, of: Self.name, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try LSM303Acceleration.measure(range, at: address, on: &bus)
  }
}

/// The registers that the accelerometers of the LSM303 parts share.
enum LSM303Acceleration {
  /// WHO_AM_I_A.
  static let identity = Identity(0x0F, [0x33])
  /// Bit 7 of the register number makes it count up in a burst.
  static let autoIncrement: UInt8 = 0x80
  private static let control1: UInt8 = 0x20
  private static let control4: UInt8 = 0x23
  private static let status: UInt8 = 0x27

  struct Range: Choice {
    /// Full scale in g.
    let value: Double
    /// FS in CTRL_REG4_A.
    let bits: UInt8
    let gPerCount: Double
  }

  struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// CTRL_REG1_A: rate, and the three axes on.
    let control1: UInt8
    var timing: Timing { Timing(period: 1 / value, latency: 0.5 / value) }
  }

  static let rates = zip([1, 10, 25, 50, 100, 200, 400] as [Double], 1...).map { (rate: Double, code: UInt8) in
    Rate(value: rate, control1: code << 4 | 0x07)
  }
  static let compassRate = rates[4]

  static let registers = [
    Register(0x0F, "WHO_AM_I_A"), Register(control1, "CTRL_REG1_A"), Register(0x21, "CTRL_REG2_A"),
    Register(0x22, "CTRL_REG3_A"), Register(control4, "CTRL_REG4_A"), Register(0x24, "CTRL_REG5_A"),
    Register(status, "STATUS_REG_A"), Register(0x28, "OUT_X_L_A"), Register(0x29, "OUT_X_H_A"),
    Register(0x2A, "OUT_Y_L_A"), Register(0x2B, "OUT_Y_H_A"), Register(0x2C, "OUT_Z_L_A"),
    Register(0x2D, "OUT_Z_H_A"),
  ]

  /// BDU and high resolution with the full scale, then the rate.
  static func start(
    _ range: Range, _ rate: Rate, of chip: String, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) {
    try bus.putChecked(control4, 0x88 | range.bits, at: address, of: chip)
    try bus.putChecked(control1, rate.control1, at: address, of: chip)
  }

  /// STATUS_REG_A and the data in one burst; twelve bits, left-justified.
  static func measure(_ range: Range, at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(status | autoIncrement, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    let counts = bytes.counts16LE(1)
    var measurement = Measurement()
    measurement.acceleration = Acceleration(
      g: Counts(counts.x >> 4, counts.y >> 4, counts.z >> 4).scaled(by: range.gPerCount))
    measurement.overrun = bytes[0] & 0x80 != 0
    return measurement
  }
}
