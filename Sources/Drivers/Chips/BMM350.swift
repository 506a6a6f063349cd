import LodestoneCore

/// Bosch BMM350: three axes, ±2000 µT, up to 400 samples a second, compensated with factory values from its one-time
/// programmable memory. Source: Bosch data sheet BST-BMM350-DS001, and the constants and formulas of Bosch's own API.
struct BMM350: SingleRangeChip {
  static let name = "bmm350"
  static let part = "Bosch BMM350"
  static let addresses: [UInt8] = [0x14, 0x15]
  static let senses: Senses = .field
  static let registers = [
    Register(0x00, "CHIP_ID"), Register(0x02, "ERR_REG"), Register(0x04, "PMU_CMD_AGGR_SET"),
    Register(0x05, "PMU_CMD_AXIS_EN"), Register(0x06, "PMU_CMD"), Register(0x07, "PMU_CMD_STATUS_0"),
    Register(0x2E, "INT_CTRL"), Register(0x30, "INT_STATUS"), Register(0x55, "OTP_STATUS"),
  ]

  private static let averagingAndRate: UInt8 = 0x04
  private static let axes: UInt8 = 0x05
  private static let power: UInt8 = 0x06
  private static let powerStatus: UInt8 = 0x07
  private static let interruptControl: UInt8 = 0x2E
  private static let interruptStatus: UInt8 = 0x30
  private static let output: UInt8 = 0x31
  private static let userTest: UInt8 = 0x60
  private static let command: UInt8 = 0x7E
  static let range = 2000.0

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// PMU_CMD_AGGR_SET: rate, and the most averaging that is legal with it.
    let bits: UInt8
  }

  private static let rateTable = [
    Rate(value: 1.5625, bits: 0x3A), Rate(value: 3.125, bits: 0x39), Rate(value: 6.25, bits: 0x38),
    Rate(value: 12.5, bits: 0x37), Rate(value: 25, bits: 0x36), Rate(value: 50, bits: 0x35),
    Rate(value: 100, bits: 0x24), Rate(value: 200, bits: 0x13), Rate(value: 400, bits: 0x02),
  ]
  private static let compassRate = rateTable[6]

  let address: UInt8
  private var rate = compassRate
  private var trim: BMM350Trim?

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// Averages of eight fit into the 20 ms of the fastest rate that allows them.
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / max(rate.value, 50)) }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try get(0x00, at: address, on: &bus).all
    guard read == [0x33] else {
      throw .wrongIdentity(chip: name, address: address, register: 0x00, expected: [[0x33]], read: read)
    }
  }

  /// Reads registers, behind the two bytes that mean nothing with which every read begins.
  static func get(
    _ register: UInt8, count: Int = 1, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> ChipBytes {
    try ChipBytes(Array(try bus.get(register, count: count + 2, at: address).all.dropFirst(2)), count: count)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.compassRate)
    try reset(on: &bus)
    trim = try BMM350Trim(at: address, on: &bus)
    try degaussFromSuspend(on: &bus)
    try start(on: &bus)
  }

  private func reset(on bus: inout some I2CBus) throws(ChipError) {
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.command, 0xB6, at: address)
    bus.wait(milliseconds: 24)
    try Self.identify(at: address, on: &bus)
  }

  /// Bit reset and flux-guide reset, each confirmed in PMU_CMD_STATUS_0; possible only in suspend.
  private func degaussFromSuspend(on bus: inout some I2CBus) throws(ChipError) {
    for (command, milliseconds) in [(0x07, 14), (0x05, 18)] as [(UInt8, Double)] {
      try bus.put(Self.power, command, at: address)
      bus.wait(milliseconds: milliseconds)
      let status = try Self.get(Self.powerStatus, at: address, on: &bus)[0]
      guard status >> 5 == command else {
        throw .notAccepted(chip: Self.name, register: Self.power, written: command, read: status)
      }
    }
  }

  /// Axes, rate and averaging, the data-ready flag without its pin, normal mode.
  private func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.axes, 0x07, at: address)
    try bus.put(Self.averagingAndRate, rate.bits, at: address)
    try bus.put(Self.power, 0x02, at: address)
    bus.wait(milliseconds: 1)
    try bus.put(Self.interruptControl, 0x86, at: address)
    try bus.put(Self.power, 0x01, at: address)
    bus.wait(milliseconds: 38)
  }

  /// Four 24-bit numbers, temperature last. The chip flags no overflow: a field past ±2000 µT is called saturated.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let trim else { return nil }
    guard try Self.get(Self.interruptStatus, at: address, on: &bus)[0] & 0x04 != 0 else { return nil }
    let bytes = try Self.get(Self.output, count: 12, at: address, on: &bus)
    let (field, temperature) = trim.compensated(BMM350Trim.uncompensated(bytes))
    guard field.isFinite else { return .saturated() }
    let peak = max(abs(field.x), abs(field.y), abs(field.z))
    var measurement = Measurement.field(MagneticField(microtesla: field))
    measurement.saturated = peak > Self.range
    measurement.temperature = temperature
    return measurement
  }

  /// Bosch's user test: x and y are excited both ways by forced fast measurements, and must move by 300 µT at least.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try reset(on: &bus)
    try bus.put(Self.axes, 0x07, at: address)
    var excited: [Vector3] = []
    for excitation in [0x0D, 0x0B, 0x15, 0x13] as [UInt8] {
      try bus.put(Self.userTest, excitation, at: address)
      bus.wait(milliseconds: 1)
      try bus.put(Self.power, 0x04, at: address)
      bus.wait(milliseconds: 6)
      let bytes = try Self.get(Self.output, count: 12, at: address, on: &bus)
      excited.append(BMM350Trim.uncompensated(bytes).field)
    }
    try bus.put(Self.userTest, 0x00, at: address)
    let limits = 300.0...2 * Self.range
    return SelfTest([
      SelfTest.Check("x (µT)", excited[0].x - excited[1].x, in: limits),
      SelfTest.Check("y (µT)", excited[2].y - excited[3].y, in: limits),
    ])
  }

  func dump(on bus: inout some I2CBus) throws(ChipError) -> [RegisterValue] {
    var values: [RegisterValue] = []
    for register in Self.registers {
      values.append(RegisterValue(register, try Self.get(register.address, at: address, on: &bus).all))
    }
    return values
  }
}

/// The factory values of one BMM350 and the compensation made of them.
struct BMM350Trim {
  private let offset, sensitivity, offsetDrift, sensitivityDrift: Vector3
  private let temperatureOffset, temperatureSensitivity, referenceTemperature: Double
  private let crossXY, crossYX, crossZX, crossZY: Double

  /// The words that are used, 0D ... 18, two bytes each.
  private static let words: ClosedRange<UInt8> = 0x0D...0x18

  /// Reads the words one by one (OTP_CMD, OTP_STATUS, OTP_DATA) and turns the memory off. Throws `implausible` where
  /// all are alike, as of a part that was never programmed.
  init(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    var read: [UInt8] = []
    for word in Self.words {
      try bus.put(0x50, 0x20 | word, at: address)
      try Self.waitForWord(at: address, on: &bus)
      read += try BMM350.get(0x52, count: 2, at: address, on: &bus).all
    }
    try bus.put(0x50, 0x80, at: address)
    guard !read.allSatisfy({ $0 == 0 }), !read.allSatisfy({ $0 == 0xFF }) else {
      throw .implausible(chip: BMM350.name, what: "one-time programmable memory", read: read)
    }
    self.init(words: try ChipBytes(read, count: 2 * Self.words.count))
  }

  private static func waitForWord(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    for _ in 0..<10 {
      bus.wait(milliseconds: 0.3)
      let status = try BMM350.get(0x55, at: address, on: &bus)[0]
      guard status & 0xE0 == 0 else {
        throw .implausible(chip: BMM350.name, what: "status of the programmable memory", read: [status])
      }
      if status & 0x01 != 0 { return }
    }
    throw .timedOut(chip: BMM350.name, waitingFor: "programmable memory", milliseconds: 3)
  }

  /// The layout of the words in Bosch's API. Older editions of it and drivers made from them add a correction for
  /// soldering to two values; the current one does not.
  private init(words: ChipBytes) {
    func word(_ number: Int) -> Int { words.uint16BE(2 * (number - 0x0D)) }
    func low(_ number: Int) -> Double { Double(signExtended(word(number) & 0xFF, bits: 8)) }
    func high(_ number: Int) -> Double { Double(signExtended(word(number) >> 8, bits: 8)) }
    offset = Vector3(
      Double(signExtended(word(0x0E) & 0x0FFF, bits: 12)),
      Double(signExtended((word(0x0E) & 0xF000) >> 4 | word(0x0F) & 0xFF, bits: 12)),
      Double(signExtended(word(0x0F) & 0x0F00 | word(0x10) & 0xFF, bits: 12)))
    sensitivity = Vector3(high(0x10), low(0x11), high(0x11)) / 256
    offsetDrift = Vector3(low(0x12), low(0x13), low(0x14)) / 32
    sensitivityDrift = Vector3(high(0x12), high(0x13), high(0x14)) / 16384
    temperatureOffset = low(0x0D) / 5
    temperatureSensitivity = high(0x0D) / 512
    referenceTemperature = Double(signExtended(word(0x18), bits: 16)) / 512 + 23
    (crossXY, crossYX) = (low(0x15) / 800, high(0x15) / 800)
    (crossZX, crossZY) = (low(0x16) / 800, high(0x16) / 800)
  }

  /// Bosch's conversion factors: what one count is before compensation, in µT and in °C.
  private static let scale: (xy: Double, z: Double, temperature: Double) = {
    let gain = 1 / 1.5 * 0.714607238769531
    return (
      xy: 1e6 / 1_048_576 / (14.55 * 19.46 * gain), z: 1e6 / 1_048_576 / (9.0 * 31.0 * gain),
      temperature: 1 / (0.00204 * gain * 1_048_576)
    )
  }()

  /// A raw measurement in µT and °C.
  static func uncompensated(_ bytes: ChipBytes) -> (field: Vector3, temperature: Double) {
    let field = Vector3(
      Double(bytes.int24LE(0)) * scale.xy, Double(bytes.int24LE(3)) * scale.xy, Double(bytes.int24LE(6)) * scale.z)
    return (field, Double(bytes.int24LE(9)) * scale.temperature - 25.49)
  }

  /// Offset, sensitivity, their drift with temperature, then the axes' crosstalk.
  func compensated(_ raw: (field: Vector3, temperature: Double)) -> (field: Vector3, temperature: Double) {
    let temperature = (1 + temperatureSensitivity) * raw.temperature + temperatureOffset
    let rise = temperature - referenceTemperature
    func corrected(_ axis: Int) -> Double {
      (raw.field[axis] * (1 + sensitivity[axis]) + offset[axis] + offsetDrift[axis] * rise)
        / (1 + sensitivityDrift[axis] * rise)
    }
    let (x, y, z) = (corrected(0), corrected(1), corrected(2))
    let determinant = 1 - crossYX * crossXY
    let zFromX = x * (crossYX * crossZY - crossZX)
    let zFromY = y * (crossZY - crossXY * crossZX)
    let field = Vector3(
      (x - crossXY * y) / determinant, (y - crossYX * x) / determinant, z + (zFromX - zFromY) / determinant)
    return (field, temperature)
  }
}
