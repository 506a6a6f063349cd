import LodestoneCore

/// AKM AK8963: three axes, ±4912 µT, 16 bits, 8 or 100 samples a second; inside an MPU-9250 behind its bypass.
/// Source: AKM data sheet MS1356-E-02, "Registers". Axes are its own; `Board` has its relation to the MPU-9250's.
struct AK8963: SingleRangeChip {
  static let name = "ak8963"
  static let part = "AKM AK8963"
  static let addresses: [UInt8] = [0x0C, 0x0D, 0x0E, 0x0F]
  static let senses: Senses = .field
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  /// 0D and 0E are the factory's test registers: never read. The others stop before them.
  static let registers = [
    Register(0x00, "WIA"), Register(0x01, "INFO"), Register(0x02, "ST1"), Register(0x03, "HXL"),
    Register(0x04, "HXH"), Register(0x05, "HYL"), Register(0x06, "HYH"), Register(0x07, "HZL"),
    Register(0x08, "HZH"), Register(0x09, "ST2"), Register(0x0A, "CNTL1"), Register(0x0B, "CNTL2"),
    Register(0x0C, "ASTC"),
  ]

  private static let status1: UInt8 = 0x02
  private static let control1: UInt8 = 0x0A
  private static let control2: UInt8 = 0x0B
  private static let selfTestControl: UInt8 = 0x0C
  private static let adjustment: UInt8 = 0x10
  static let range = 4912.0
  /// 16 bits: 0.15 µT a count.
  private static let microteslaPerCount = 0.15

  private struct Rate: Choice {
    /// In Hz.
    let value: Double
    /// CNTL1: 16 bits, continuous mode 1 or 2.
    let control1: UInt8
  }

  private static let rateTable = [Rate(value: 8, control1: 0x12), Rate(value: 100, control1: 0x16)]

  let address: UInt8
  private var rate = rateTable[1]
  private var sensitivity = Vector3(1, 1, 1)

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// One measurement takes 7.2 ms ("Magnetic sensor specification").
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.0036) }

  /// WIA, and an INFO that is not the second identity byte of the AK09916 or AK09918.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try bus.get(0x00, count: 2, at: address)
    guard read[0] == 0x48, read[1] != 0x09, read[1] != 0x0C else {
      throw .wrongIdentity(chip: name, address: address, register: 0x00, expected: [[0x48]], read: read.all)
    }
  }

  /// Soft reset, the sensitivity adjustment from fuse-ROM access mode, then continuous measurement. Between two modes
  /// lies power-down for 100 µs. The mode is read back: an AK8975, which answers with the same identity, has no such mode
  /// and not the 16 bits that it asks for.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[1])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try readSensitivity(on: &bus)
    try bus.putChecked(Self.control1, rate.control1, at: address, of: Self.name)
  }

  /// "Sensitivity adjustment values" (ASAX, ASAY, ASAZ): H · ((ASA − 128) · 0.5 / 128 + 1) for each axis.
  private mutating func readSensitivity(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.control1, 0x0F, at: address)
    let bytes = try bus.get(Self.adjustment, count: 3, at: address)
    try powerDown(on: &bus)
    guard !bytes.all.contains(0x00), !bytes.all.contains(0xFF) else {
      throw .implausible(chip: Self.name, what: "sensitivity adjustment", read: bytes.all)
    }
    func factor(_ index: Int) -> Double { (Double(bytes[index]) - 128) * 0.5 / 128 + 1 }
    sensitivity = Vector3(factor(0), factor(1), factor(2))
  }

  private func powerDown(on bus: inout some I2CBus) throws(ChipError) {
    try bus.put(Self.control1, 0x00, at: address)
    bus.wait(milliseconds: 0.1)
  }

  /// ST1 to ST2 in one burst: without ST2 the sample would stay. HOFL leaves no number that means anything.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status1, count: 8, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    var measurement = bytes[7] & 0x08 != 0 ? Measurement.saturated() : .field(field(bytes.counts16LE(1)))
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }

  private func field(_ counts: Counts) -> MagneticField {
    let raw = counts.scaled(by: Self.microteslaPerCount)
    return MagneticField(microtesla: raw.x * sensitivity.x, raw.y * sensitivity.y, raw.z * sensitivity.z)
  }

  /// "Self-test mode", 16 bits: with the test field and after the adjustment x and y lie within ±200 counts, z between
  /// −3200 and −800.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    try powerDown(on: &bus)
    try readSensitivity(on: &bus)
    try bus.put(Self.selfTestControl, 0x40, at: address)
    try bus.put(Self.control1, 0x18, at: address)
    try bus.wait(
      for: "data ready", in: Self.status1, mask: 0x01, value: 0x01, every: 2, limit: 50, at: address, of: Self.name)
    let counts = field(try bus.get(Self.status1, count: 8, at: address).counts16LE(1)).microtesla
    try bus.put(Self.selfTestControl, 0x00, at: address)
    let plane = -200.0...200.0
    return SelfTest(counts / Self.microteslaPerCount, unit: "counts", x: plane, y: plane, z: -3200...(-800))
  }
}
