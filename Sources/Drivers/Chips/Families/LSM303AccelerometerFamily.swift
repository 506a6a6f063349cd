import LodestoneCore

/// The registers that the LIS3DH and the accelerometers of the LSM303 parts share.
enum LSM303AccelerometerFamily {
  /// WHO_AM_I_A.
  fileprivate static let identity = Identity(0x0F, [0x33])
  /// Bit 7 of the register number makes it count up in a burst.
  static let autoIncrement: UInt8 = 0x80
  fileprivate static let control1: UInt8 = 0x20
  fileprivate static let control2: UInt8 = 0x21
  fileprivate static let control4: UInt8 = 0x23
  fileprivate static let control5: UInt8 = 0x24
  fileprivate static let fifoControl: UInt8 = 0x2E
  fileprivate static let status: UInt8 = 0x27

  /// A row of the full-scale table.
  struct Range: Choice {
    /// Full scale in g.
    let value: Double
    /// FS in CTRL_REG4_A.
    let bits: UInt8
    let gPerCount: Double
  }

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CTRL_REG1_A: rate, and the three axes on.
    let control1: UInt8
    var timing: Timing { Timing(period: 1 / value, latency: 0.5 / value) }
  }

  fileprivate static let rates = zip([1, 10, 25, 50, 100, 200, 400], 1...).map {
    (rate: Double, code: UInt8) in
    Rate(value: rate, control1: code << 4 | 0x07)
  }
  static let compassRate = rates[4]

  fileprivate static let registers = [
    Register(0x0F, "WHO_AM_I_A"), Register(control1, "CTRL_REG1_A"), Register(control2, "CTRL_REG2_A"),
    Register(0x22, "CTRL_REG3_A"), Register(control4, "CTRL_REG4_A"), Register(control5, "CTRL_REG5_A"),
    Register(status, "STATUS_REG_A"), Register(0x28, "OUT_X_L_A"), Register(0x29, "OUT_X_H_A"),
    Register(0x2A, "OUT_Y_L_A"), Register(0x2B, "OUT_Y_H_A"), Register(0x2C, "OUT_Z_L_A"),
    Register(0x2D, "OUT_Z_H_A"),
  ]
}

extension LSM303AccelerometerFamily {
  /// STATUS_REG_A and the data in one burst; twelve bits, left-justified. Nil while nothing is ready.
  static func read(
    at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> (counts: Counts, overrun: Bool)? {
    let bytes = try bus.get(status | autoIncrement, count: 7, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    let counts = bytes.counts16LE(1)
    return (Counts(counts.x >> 4, counts.y >> 4, counts.z >> 4), bytes[0] & 0x80 != 0)
  }

  /// A chip with these registers. Its own are its addresses, its ranges and what else it is set to.
  protocol Member: IdentifiedChip {
    /// Ascending; the first is the one for a compass.
    static var ranges: [LSM303AccelerometerFamily.Range] { get }
    /// The range that is set.
    var range: LSM303AccelerometerFamily.Range { get set }
    /// The output rate that is set.
    var rate: LSM303AccelerometerFamily.Rate { get set }
  }
}

extension LSM303AccelerometerFamily.Member {
  static var identity: Identity { LSM303AccelerometerFamily.identity }
  static var senses: Senses { .acceleration }
  static var registers: [Register] { LSM303AccelerometerFamily.registers }
  var rates: [Double] { LSM303AccelerometerFamily.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try start(settings, on: &bus)
  }

  /// BDU and high resolution with the full scale, then the rate. The part has no reset: a high-pass filter, which takes
  /// gravity away, and a FIFO, which hands out old results, are turned off where another program has left them on.
  mutating func start(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.accelerationRange, settings.accelerationRange, from: Self.ranges, default: Self.ranges[0])
    rate = try Self.choose(.rate, settings.rate, from: LSM303AccelerometerFamily.rates, default: rate)
    try Self.identify(at: address, on: &bus)
    let leftovers = [
      LSM303AccelerometerFamily.control2, LSM303AccelerometerFamily.control5, LSM303AccelerometerFamily.fifoControl,
    ]
    for register in leftovers { try bus.put(register, 0x00, at: address) }
    try bus.putChecked(LSM303AccelerometerFamily.control4, 0x88 | range.bits, at: address, of: Self.name)
    try bus.putChecked(LSM303AccelerometerFamily.control1, rate.control1, at: address, of: Self.name)
  }

  /// A result along the chip's own axes.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let (counts, overrun) = try LSM303AccelerometerFamily.read(at: address, on: &bus) else { return nil }
    return measurement(counts, overrun: overrun)
  }

  func measurement(_ counts: Counts, overrun: Bool) -> Measurement {
    var measurement = Measurement()
    measurement.acceleration = Acceleration(g: counts.scaled(by: range.gPerCount))
    measurement.overrun = overrun
    return measurement
  }
}
