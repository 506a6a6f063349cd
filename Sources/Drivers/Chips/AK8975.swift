import LodestoneCore

/// AKM AK8975 and AK8975C: three axes, ±1229 µT, 13 bits, measured on command a hundred times a second; inside an
/// MPU-9150 behind its bypass, and on older boards alone. Source: AKM data sheet MS1187-E-02, "Registers". Axes are its
/// own; `Board` has its relation to the MPU-9150's.
struct AK8975: AK89xxFamily.Member {
  static let name = "ak8975"
  static let aliases = ["ak8975c"]
  static let part = "AKM AK8975"
  static let registers = AK89xxFamily.registers
  /// A count can be more than the noise.
  static let frozenAfter: Int? = nil

  static let hasSixteenBits = false
  static let range = 1229.0
  /// 13 bits: 0.3 µT a count.
  static let microteslaPerCount = 0.3
  private static let counts = -4095...4094
  private static let singleMeasurement: UInt8 = 0x01
  private static let rate = 100.0
  static let selfTestMode: UInt8 = 0x08
  static let selfTestLimits = (plane: -100.0...100.0, z: -1000.0...(-300))

  let address: UInt8
  var sensitivity = Vector3(1, 1, 1)

  init(address: UInt8) { self.address = address }

  var rates: [Double] { [Self.rate] }
  /// A measurement takes 7.3 ms, at most 9, and is read 10 ms after its start.
  var timing: Timing { Timing(period: 1 / Self.rate, latency: 0.0063, isOnCommand: true) }

  /// The sensitivity adjustment from fuse-ROM access mode, and the first measurement. The part has no reset: the field
  /// for its own test, which a test that broke off has left on, is turned off.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    try Self.check(.rate, settings.rate, upTo: Self.rate)
    try Self.identify(at: address, on: &bus)
    try powerDown(on: &bus)
    try bus.put(AK89xxFamily.selfTestControl, 0x00, at: address)
    try readSensitivity(on: &bus)
    try bus.put(AK89xxFamily.control, Self.singleMeasurement, at: address)
  }

  /// A finished measurement; then the next one is started. HOFL leaves no number that means anything, DERR says that
  /// they were read at the wrong time.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(AK89xxFamily.status1, count: 8, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    try bus.put(AK89xxFamily.control, Self.singleMeasurement, at: address)
    guard bytes[7] & 0x04 == 0 else { return nil }
    let counts = bytes.counts16LE(1)
    guard bytes[7] & 0x08 == 0 else { return .saturated() }
    return counts.anyOutside(Self.counts) ? .saturated(lowerBound: field(counts)) : .field(field(counts))
  }
}
