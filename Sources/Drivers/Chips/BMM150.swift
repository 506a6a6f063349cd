import LodestoneCore

/// Bosch BMM150: three axes, ±1300 µT (z ±2500), compensated with factory values that are read from each part.
/// Source: Bosch data sheet BST-BMM150-DS001 rev. 1.0; the compensation as in Bosch's own API.
struct BMM150: SingleRangeChip {
  static let name = "bmm150"
  static let part = "Bosch BMM150"
  static let addresses: [UInt8] = [0x10, 0x13, 0x11, 0x12]
  static let senses: Senses = .field
  static let registers = [
    Register(0x40, "CHIP_ID"), Register(0x42, "DATA_X_LSB"), Register(0x43, "DATA_X_MSB"),
    Register(0x44, "DATA_Y_LSB"), Register(0x45, "DATA_Y_MSB"), Register(0x46, "DATA_Z_LSB"),
    Register(0x47, "DATA_Z_MSB"), Register(0x48, "RHALL_LSB"), Register(0x49, "RHALL_MSB"),
    Register(0x4A, "INT_STATUS"), Register(0x4B, "POWER_CONTROL"), Register(0x4C, "OP_MODE"),
    Register(0x4D, "INT_ENABLE"), Register(0x4E, "AXES_ENABLE"), Register(0x51, "REP_XY"), Register(0x52, "REP_Z"),
  ]

  private static let identity = Identity(0x40, [0x32])
  private static let output: UInt8 = 0x42
  private static let power: UInt8 = 0x4B
  private static let mode: UInt8 = 0x4C
  private static let repetitions: UInt8 = 0x51
  private static let forced: UInt8 = 0x02
  static let range = 1300.0

  /// Repetitions (REP_XY, REP_Z): 2·r + 1 of x and y, r + 1 of z. Bosch's API halves those of z; the data sheet and
  /// the Linux driver agree on the figures here.
  private struct Preset {
    let registerXY: UInt8
    let registerZ: UInt8

    /// 145 µs a repetition of x and y, 500 µs one of z, 980 µs besides, in seconds; the Linux driver's figures for the
    /// data sheet's rates.
    var duration: Double { (145 * (2 * Double(registerXY) + 1) + 500 * (Double(registerZ) + 1) + 980) / 1e6 }

    static let lowPower = Preset(registerXY: 0x01, registerZ: 0x02)
    static let regular = Preset(registerXY: 0x04, registerZ: 0x0E)
    static let enhanced = Preset(registerXY: 0x07, registerZ: 0x1A)
    static let highAccuracy = Preset(registerXY: 0x17, registerZ: 0x52)
  }

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    let preset: Preset
    /// OP_MODE: normal mode with its rate, or one forced measurement after the other.
    let mode: UInt8

    var timing: Timing {
      mode == BMM150.forced
        ? Timing(period: preset.duration, latency: preset.duration / 2, isOnCommand: true)
        : Timing(period: 1 / value, latency: preset.duration / 2)
    }
  }

  /// Normal mode up to 30 Hz, each rate with the most repetitions that fit; forced measurements beyond.
  private static let rateTable = [
    Rate(value: 2, preset: .highAccuracy, mode: 0x08), Rate(value: 6, preset: .highAccuracy, mode: 0x10),
    Rate(value: 8, preset: .highAccuracy, mode: 0x18), Rate(value: 10, preset: .highAccuracy, mode: 0x00),
    Rate(value: 15, preset: .highAccuracy, mode: 0x20), Rate(value: 20, preset: .highAccuracy, mode: 0x28),
    Rate(value: 25, preset: .enhanced, mode: 0x30), Rate(value: 30, preset: .enhanced, mode: 0x38),
    Rate(value: 60, preset: .enhanced, mode: forced), Rate(value: 100, preset: .regular, mode: forced),
    Rate(value: 300, preset: .lowPower, mode: forced),
  ]
  private static let compassRate = rateTable[5]

  let address: UInt8
  private var rate = compassRate
  private var trim: BMM150Trim?

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  /// Wakes the part, which in suspend shows nothing but POWER_CONTROL, so that it can identify itself. The power bit is
  /// written only where that register reads as one in suspend does; no other chip here has these
  /// addresses.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    if try bus.get(identity.register, at: address).all == identity.values[0] { return }
    if try bus.get(power, at: address)[0] & 0x79 == 0 {
      try bus.put(power, 0x01, at: address)
      bus.wait(milliseconds: 3)
    }
    try identity.check(Self.self, at: address, on: &bus)
  }

  /// Soft reset with the power bit kept (83, not 82), factory values, repetitions, mode.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.compassRate)
    try Self.identify(at: address, on: &bus)
    try reset(on: &bus)
    trim = try BMM150Trim(at: address, on: &bus)
    try bus.send([Self.repetitions, rate.preset.registerXY], at: address)
    try bus.send([Self.repetitions + 1, rate.preset.registerZ], at: address)
    try bus.put(Self.mode, rate.mode, at: address)
  }

  private func reset(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.power, 0x83, at: address)
    bus.wait(milliseconds: 3)
  }

  /// The eight data bytes hold the ready bit too. x and y have 13 bits, z 15, the Hall resistance 14.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let trim else { return nil }
    let bytes = try bus.get(Self.output, count: 8, at: address)
    guard bytes[6] & 0x01 != 0 else { return nil }
    if rate.mode == Self.forced { try bus.put(Self.mode, Self.forced, at: address) }
    let counts = Counts(bytes.int16LE(0) >> 3, bytes.int16LE(2) >> 3, bytes.int16LE(4) >> 1)
    guard counts.x != -4096, counts.y != -4096, counts.z != -16384 else { return .saturated() }
    let field = trim.field(counts, hallResistance: bytes.uint16LE(6) >> 2)
    return field.microtesla.isFinite ? .field(field) : .saturated()
  }

  /// "Normal self test": started from sleep, ends by clearing its bit, and sets bit 0 of each data
  /// register pair.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    try reset(on: &bus)
    try bus.put(Self.mode, 0x07, at: address)
    try bus.wait(
      for: "self test", in: Self.mode, mask: 0x01, value: 0, every: 2, limit: 50, at: address, of: Self.name)
    let bytes = try bus.get(Self.output, count: 6, at: address)
    return SelfTest(
      zip(["x", "y", "z"], [0, 2, 4]).map { axis, index in
        SelfTest.Check("\(axis) passed", Double(bytes[index] & 0x01), in: 1...1)
      })
  }
}

/// The factory values of one BMM150 and the compensation made of them.
struct BMM150Trim {
  private let x1, y1, x2, y2, xy1, xy2: Double
  private let z1, z2, z3, z4, xyz1: Double

  /// Reads 5D ... 71. Throws `implausible` where a value is zero that the compensation divides by.
  init(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let first = try bus.get(0x5D, count: 2, at: address)
    let second = try bus.get(0x62, count: 4, at: address)
    let third = try bus.get(0x68, count: 10, at: address)
    guard third.int16LE(0) != 0, third.uint16LE(2) != 0, third.uint16LE(4) & 0x7FFF != 0 else {
      throw .implausible(chip: BMM150.name, what: "trim values", read: first.all + second.all + third.all)
    }
    (x1, y1) = (Double(first.int8(0)), Double(first.int8(1)))
    (z4, x2, y2) = (Double(second.int16LE(0)), Double(second.int8(2)), Double(second.int8(3)))
    (z2, z1) = (Double(third.int16LE(0)), Double(third.uint16LE(2)))
    (xyz1, z3) = (Double(third.uint16LE(4) & 0x7FFF), Double(third.int16LE(6)))
    (xy2, xy1) = (Double(third.int8(8)), Double(third[9]))
  }

  /// The floating-point form of Bosch's API. Without a Hall resistance the factory's one stands in.
  func field(_ raw: Counts, hallResistance: Int) -> MagneticField {
    let hall = hallResistance == 0 ? xyz1 : Double(hallResistance)
    let r = xyz1 * 16384 / hall - 16384
    let gain = xy2 * r * r / 268_435_456 + r * xy1 / 16384 + 256
    let x = (Double(raw.x) * (gain * (x2 + 160)) / 8192 + x1 * 8) / 16
    let y = (Double(raw.y) * (gain * (y2 + 160)) / 8192 + y1 * 8) / 16
    let z = ((Double(raw.z) - z4) * 131_072 - z3 * (hall - xyz1)) / ((z2 + z1 * hall / 32768) * 4) / 16
    return MagneticField(microtesla: x, y, z)
  }
}
