import LodestoneCore

/// NXP FXOS8700CQ: magnetometer and accelerometer, ±1200 µT and ±2 to ±8 g, up to 400 samples a second with both.
/// Source: NXP data sheet FXOS8700CQ rev. 8, "Register descriptions". Both sensors have the same right-handed axes:
/// NXP's sensor fusion library turns them as one into its north, east, down, once gravity is told from force. Its
/// thermometer has no known zero and is left alone.
struct FXOS8700: IdentifiedChip, SingleRangeChip {
  static let name = "fxos8700"
  static let aliases = ["fxos8700cq", "fxos8701cq"]
  static let part = "NXP FXOS8700CQ"
  static let addresses: [UInt8] = [0x1F, 0x1E, 0x1D, 0x1C]
  static let senses: Senses = [.field, .acceleration]
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let registers = [
    Register(status, "DR_STATUS"), Register(fifoSetup, "F_SETUP"), Register(systemMode, "SYSMOD"),
    Register(interruptSource, "INT_SOURCE"), Register(0x0D, "WHO_AM_I"), Register(dataConfig, "XYZ_DATA_CFG"),
    Register(control1, "CTRL_REG1"), Register(control2, "CTRL_REG2"), Register(0x32, "M_DR_STATUS"),
    Register(0x33, "M_OUT_X_MSB"), Register(0x34, "M_OUT_X_LSB"), Register(0x35, "M_OUT_Y_MSB"),
    Register(0x36, "M_OUT_Y_LSB"), Register(0x37, "M_OUT_Z_MSB"), Register(0x38, "M_OUT_Z_LSB"), Register(0x51, "TEMP"),
    Register(fieldControl1, "M_CTRL_REG1"), Register(fieldControl2, "M_CTRL_REG2"),
    Register(fieldControl3, "M_CTRL_REG3"),
  ]

  /// The FXOS8700CQ, and the FXOS8701CQ, which a flight stack reads alike.
  static let identity = Identity(0x0D, [0xC7], [0xCA])
  private static let status: UInt8 = 0x00
  private static let interruptSource: UInt8 = 0x0C
  private static let fifoSetup: UInt8 = 0x09
  private static let systemMode: UInt8 = 0x0B
  private static let dataConfig: UInt8 = 0x0E
  private static let control1: UInt8 = 0x2A
  private static let control2: UInt8 = 0x2B
  /// OFF_X, the first of three, and M_OFF_X_MSB, the first of six.
  private static let offsets: UInt8 = 0x2F
  private static let fieldOffsets: UInt8 = 0x3F
  private static let fieldControl1: UInt8 = 0x5B
  private static let fieldControl2: UInt8 = 0x5C
  private static let fieldControl3: UInt8 = 0x5D
  static let range = 1200.0
  private static let microteslaPerCount = 0.1
  /// Counts short of the full scale: past it the sensor is not specified, and the chip flags nothing.
  private static let counts = -11999...11999

  /// 4096, 2048 and 1024 counts a g in 14 bits. FS of XYZ_DATA_CFG.
  private static let accelerationRanges = [
    Scale(2, bits: 0x00, perCount: 1.0 / 4096), Scale(4, bits: 0x01, perCount: 1.0 / 2048),
    Scale(8, bits: 0x02, perCount: 1.0 / 1024),
  ]

  private struct Rate: Choice {
    /// The rate in Hz: half of what DR says, as both sensors take turns.
    let value: Double
    /// DR of CTRL_REG1.
    let bits: UInt8
  }

  /// "ODR" in hybrid mode. 100 Hz leaves the magnetometer half the over-sampling of 50 Hz.
  private static let rateTable = zip([0.78125, 3.125, 6.25, 25, 50, 100, 200, 400], (0...7).reversed()).map {
    (rate: Double, code: UInt8) in Rate(value: rate, bits: code << 3)
  }

  let address: UInt8
  private var acceleration = accelerationRanges[1]
  private var rate = rateTable[4]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: min(0.5 / rate.value, 0.02)) }

  /// A TLV493D, which may be at 0x1F, has no register numbers and answers with its field whatever is asked: it would
  /// say the same first byte again.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try identity.check(Self.self, at: address, on: &bus)
    let pair = try bus.get(interruptSource, count: 2, at: address).all
    guard Array(pair.suffix(1)) == read, Array(pair.prefix(1)) != read else {
      throw .wrongIdentity(
        chip: name, address: address, register: interruptSource, expected: [[0x00] + read], read: pair)
    }
  }

  /// Registers change only in standby, which SYSMOD shows at the end of the running measurement. The reset is not used,
  /// as the part does not acknowledge it: offsets, a FIFO and the chip's own calibration that another program has left
  /// are taken back. Then both sensors (hybrid mode) with the most over-sampling, M_OUT right behind OUT in a burst,
  /// and the range.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    acceleration = try Self.choose(
      .accelerationRange, settings.accelerationRange, from: Self.accelerationRanges,
      default: Self.accelerationRanges[1])
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[4])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control1, 0x00, at: address)
    try bus.wait(
      for: "standby", in: Self.systemMode, mask: 0x03, value: 0, every: 10, limit: 2000, at: address, of: Self.name)
    try bus.put(Self.fifoSetup, 0x00, at: address)
    try bus.send([Self.offsets] + [UInt8](repeating: 0, count: 3), at: address)
    try bus.send([Self.fieldOffsets] + [UInt8](repeating: 0, count: 6), at: address)
    try bus.putChecked(Self.fieldControl1, 0x1F, at: address, of: Self.name)
    try bus.putChecked(Self.fieldControl2, 0x20, at: address, of: Self.name)
    try bus.put(Self.fieldControl3, 0x00, at: address)
    try bus.putChecked(Self.dataConfig, acceleration.bits, at: address, of: Self.name)
    try bus.put(Self.control2, 0x02, at: address)
    // LNOISE is for up to ±4 g.
    let lowNoise: UInt8 = acceleration.value > 4 ? 0x00 : 0x04
    try bus.putChecked(Self.control1, rate.bits | lowNoise | 0x01, at: address, of: Self.name)
  }

  /// DR_STATUS, the acceleration in the upper 14 bits, and the field in one burst. A part that has lost its power
  /// stands by, and has nothing ready.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 13, at: address)
    guard bytes[0] & 0x08 != 0 else { return nil }
    var measurement = bytes.counts16BE(7).measurement(
      microteslaPerCount: Self.microteslaPerCount, within: Self.counts)
    measurement.overrun = bytes[0] & 0x80 != 0
    let force = bytes.counts16BE(1)
    measurement.acceleration = Acceleration(
      g: Counts(force.x >> 2, force.y >> 2, force.z >> 2).scaled(by: acceleration.perCount))
    return measurement
  }
}
