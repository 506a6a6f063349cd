import LodestoneCore

/// AKM AK8963: three axes, ±4912 µT, 16 bits, 8 or 100 samples a second; inside an MPU-9250 behind its bypass.
/// Source: AKM data sheet MS1356-E-02, "Registers". Axes are its own; `Board` has its relation to the MPU-9250's.
struct AK8963: AK89xxFamily.Member {
  static let name = "ak8963"
  static let part = "AKM AK8963"
  static let registers = AK89xxFamily.registers + [Register(control2, "CNTL2")]

  private static let control2: UInt8 = 0x0B
  static let hasSixteenBits = true
  static let range = 4912.0
  /// 16 bits: 0.15 µT a count.
  static let microteslaPerCount = 0.15
  static let selfTestMode: UInt8 = 0x18
  static let selfTestLimits = (plane: -200.0...200.0, z: -3200.0...(-800))

  private struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// CNTL1: 16 bits, continuous mode 1 or 2.
    let control1: UInt8
  }

  private static let rateTable = [Rate(value: 8, control1: 0x12), Rate(value: 100, control1: 0x16)]

  let address: UInt8
  var sensitivity = Vector3(1, 1, 1)
  private var rate = rateTable[1]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  /// The pace of measurements, each of which takes 7.2 ms ("Magnetic sensor specification").
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.0036) }

  /// Soft reset, the sensitivity adjustment from fuse-ROM access mode, then continuous measurement.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[1])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x01, at: address)
    bus.wait(milliseconds: 10)
    try readSensitivity(on: &bus)
    try bus.putChecked(AK89xxFamily.control, rate.control1, at: address, of: Self.name)
  }

  /// ST1 to ST2 in one burst: without ST2 the sample would stay. HOFL leaves no number that means anything.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(AK89xxFamily.status1, count: 8, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    var measurement = bytes[7] & 0x08 != 0 ? Measurement.saturated() : .field(field(bytes.counts16LE(1)))
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }
}
