import LodestoneCore

/// ST LSM303D, and the accelerometer and magnetometer of the LSM9DS0, which are the same part: ±2 to ±12 gauss, 16
/// bits, up to 100 samples a second. Sources: ST data sheets DocID023312 and DocID024763, "Register description". Both
/// sensors have the same right-handed axes: two flight stacks turn them as one, and so does a library for the Raspberry
/// Pi. Its thermometer has no known zero and is left alone. The gyroscope of the LSM9DS0 is a chip of its own at
/// another address (`L3GD20`).
struct LSM303D: IdentifiedChip {
  static let name = "lsm303d"
  static let aliases = ["lsm9ds0"]
  static let part = "ST LSM303D or LSM9DS0"
  static let addresses: [UInt8] = [0x1D, 0x1E]
  static let senses: Senses = [.field, .acceleration]
  static var countSizes: [CountSize] { ranges.map { CountSize(range: $0.value, microtesla: $0.perCount) } }
  static let registers = [
    Register(fieldStatus, "STATUS_M"), Register(0x08, "OUT_X_L_M"), Register(0x09, "OUT_X_H_M"),
    Register(0x0A, "OUT_Y_L_M"), Register(0x0B, "OUT_Y_H_M"), Register(0x0C, "OUT_Z_L_M"), Register(0x0D, "OUT_Z_H_M"),
    Register(0x0F, "WHO_AM_I"), Register(control0, "CTRL0"), Register(control1, "CTRL1"), Register(control2, "CTRL2"),
    Register(0x22, "CTRL3"), Register(0x23, "CTRL4"), Register(control5, "CTRL5"), Register(control6, "CTRL6"),
    Register(control7, "CTRL7"), Register(forceStatus, "STATUS_A"), Register(fifoControl, "FIFO_CTRL"),
  ]

  static let identity = Identity(0x0F, [0x49])
  /// Bit 7 of the register number makes it count up in a burst.
  private static let autoIncrement: UInt8 = 0x80
  private static let fieldStatus: UInt8 = 0x07
  /// OFFSET_X_L_M, the first of six.
  private static let offsets: UInt8 = 0x16
  private static let control0: UInt8 = 0x1F
  private static let control1: UInt8 = 0x20
  private static let control2: UInt8 = 0x21
  private static let control5: UInt8 = 0x24
  private static let control6: UInt8 = 0x25
  private static let control7: UInt8 = 0x26
  private static let forceStatus: UInt8 = 0x27
  private static let fifoControl: UInt8 = 0x2E

  /// "Sensor characteristics" (M_GN): 0.080, 0.160, 0.320 and 0.479 mG a count. MFS in CTRL6.
  private static let ranges = [
    Scale(200, bits: 0x00, perCount: 0.008), Scale(400, bits: 0x20, perCount: 0.016),
    Scale(800, bits: 0x40, perCount: 0.032), Scale(1200, bits: 0x60, perCount: 0.0479),
  ]
  /// LA_So: 0.061, 0.122, 0.183, 0.244 and 0.732 mg a count. AFS in CTRL2.
  private static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 0.000061), Scale(4, bits: 0x08, perCount: 0.000122),
    Scale(6, bits: 0x10, perCount: 0.000183), Scale(8, bits: 0x18, perCount: 0.000244),
    Scale(16, bits: 0x20, perCount: 0.000732),
  ]

  private struct Rate: Choice {
    /// The magnetometer's rate in Hz.
    let value: Double
    /// M_ODR.
    let code: UInt8
    /// CTRL5: high resolution.
    var control5: UInt8 { 0x60 | code << 2 }
    /// CTRL1: the accelerometer at twice the rate, so that each field has a new acceleration; BDU, and the three axes
    /// on.
    var control1: UInt8 { (code + 2) << 4 | 0x0F }
  }

  private static let rateTable = zip([3.125, 6.25, 12.5, 25, 50, 100], 0...).map { Rate(value: $0, code: $1) }

  let address: UInt8
  private var range = ranges[0]
  private var acceleration = accelerationRanges[1]
  private var rate = rateTable[4]

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// A measurement fits into the 10 ms of the fastest rate.
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.005) }

  /// Full scales with the filter of 50 Hz before the accelerometer's converter, rates, then continuous measurement. The
  /// part has no reset: a FIFO, which hands out old results, and offsets are taken back where another program has left
  /// them.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.ranges[0])
    acceleration = try Self.choose(
      .accelerationRange, settings.accelerationRange, from: Self.accelerationRanges,
      default: Self.accelerationRanges[1])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[4])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control0, 0x00, at: address)
    try bus.put(Self.fifoControl, 0x00, at: address)
    try bus.send([Self.offsets | Self.autoIncrement] + [UInt8](repeating: 0, count: 6), at: address)
    try bus.putChecked(Self.control2, 0xC0 | acceleration.bits, at: address, of: Self.name)
    try bus.putChecked(Self.control1, rate.control1, at: address, of: Self.name)
    try bus.putChecked(Self.control5, rate.control5, at: address, of: Self.name)
    try bus.putChecked(Self.control6, range.bits, at: address, of: Self.name)
    try bus.put(Self.control7, 0x00, at: address)
  }

  /// STATUS_M and the field in one burst, STATUS_A and the acceleration in another. In power-down, which a part that
  /// has lost its power is in, neither is ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let field = try bus.get(Self.fieldStatus | Self.autoIncrement, count: 7, at: address)
    guard field[0] & 0x08 != 0 else { return nil }
    let force = try bus.get(Self.forceStatus | Self.autoIncrement, count: 7, at: address)
    var measurement = field.counts16LE(1).measurement(microteslaPerCount: range.perCount)
    measurement.overrun = field[0] & 0x80 != 0
    if force[0] & 0x08 != 0 {
      measurement.acceleration = Acceleration(g: force.counts16LE(1).scaled(by: acceleration.perCount))
    }
    return measurement
  }
}
