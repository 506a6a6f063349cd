import LodestoneCore

/// The registers that AKM's AK8963 and its predecessor AK8975 share. Sources: AKM data sheets MS1356-E-02 (AK8963) and
/// MS1187-E-02 (AK8975), "Registers".
enum AK89xxFamily {
  static let status1: UInt8 = 0x02
  static let control: UInt8 = 0x0A
  static let selfTestControl: UInt8 = 0x0C
  fileprivate static let fuses = AKMFuses(control: control, mode: 0x0F, register: 0x10)
  /// BIT of the AK8963: 16 bits in place of 14.
  private static let sixteenBits: UInt8 = 0x10

  /// 0D and 0E are the factory's test registers: never read. The others stop before them.
  static let registers = [
    Register(0x00, "WIA"), Register(0x01, "INFO"), Register(status1, "ST1"), Register(0x03, "HXL"),
    Register(0x04, "HXH"), Register(0x05, "HYL"), Register(0x06, "HYH"), Register(0x07, "HZL"),
    Register(0x08, "HZH"), Register(0x09, "ST2"), Register(control, "CNTL1"), Register(selfTestControl, "ASTC"),
  ]

  /// Whether CNTL1 has the bit that makes 16 bits: bits 7 to 4 of the AK8975's are 0. One that stands, or a continuous
  /// mode, which the AK8975 has none of, tells without a write. Else the bit is written with power-down, and taken
  /// back.
  fileprivate static func hasSixteenBits(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Bool {
    let present = try bus.get(control, at: address)[0]
    if present & sixteenBits != 0 || [0x02, 0x04, 0x06].contains(present & 0x0F) { return true }
    try bus.put(control, sixteenBits, at: address)
    let kept = try bus.get(control, at: address)[0]
    try fuses.powerDown(at: address, on: &bus)
    return kept & sixteenBits != 0
  }

  /// "Sensitivity adjustment values" (ASAX, ASAY, ASAZ): H · ((ASA − 128) · 0.5 / 128 + 1) for each axis.
  static func factor(_ fuse: Double) -> Double { (fuse - 128) * 0.5 / 128 + 1 }
}

extension AK89xxFamily {
  /// A chip with these registers. Its own are its size of a count, its modes, and how it is started and read.
  protocol Member: SingleRangeChip {
    static var hasSixteenBits: Bool { get }
    static var microteslaPerCount: Double { get }
    /// CNTL1 for the self-test, and the counts that the axes must then have after the adjustment: x and y, z.
    static var selfTestMode: UInt8 { get }
    static var selfTestLimits: (plane: ClosedRange<Double>, z: ClosedRange<Double>) { get }
    /// The factor on each axis by the fuses.
    var sensitivity: Vector3 { get set }
  }
}

extension AK89xxFamily.Member {
  static var addresses: [UInt8] { [0x0C, 0x0D, 0x0E, 0x0F] }
  static var senses: Senses { .field }
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }

  /// WIA, and an INFO that is not the second identity byte of a younger part. The two that are left have the same, and
  /// are told apart by a bit of CNTL1; with WIA it is known by then that it may be written.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try bus.get(0x00, count: 2, at: address)
    guard read[0] == 0x48, !AK0991xFamily.secondBytes.contains(read[1]) else {
      throw .wrongIdentity(chip: name, address: address, register: 0x00, expected: [[0x48]], read: read.all)
    }
    guard try AK89xxFamily.hasSixteenBits(at: address, on: &bus) == hasSixteenBits else {
      throw .wrongIdentity(
        chip: name, address: address, register: AK89xxFamily.control, expected: [[hasSixteenBits ? 0x10 : 0x00]],
        read: [hasSixteenBits ? 0x00 : 0x10])
    }
  }

  func powerDown(on bus: inout some I2CBus) throws(ChipError) {
    try AK89xxFamily.fuses.powerDown(at: address, on: &bus)
  }

  mutating func readSensitivity(on bus: inout some I2CBus) throws(ChipError) {
    sensitivity = try AK89xxFamily.fuses.factors(of: Self.self, at: address, on: &bus) { AK89xxFamily.factor($0) }
  }

  func field(_ counts: Counts) -> MagneticField {
    let raw = counts.scaled(by: Self.microteslaPerCount)
    return MagneticField(microtesla: raw.x * sensitivity.x, raw.y * sensitivity.y, raw.z * sensitivity.z)
  }

  /// "Self-test mode": the numbers that the test field makes, after the adjustment.
  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    try powerDown(on: &bus)
    try readSensitivity(on: &bus)
    try bus.put(AK89xxFamily.selfTestControl, 0x40, at: address)
    try bus.put(AK89xxFamily.control, Self.selfTestMode, at: address)
    try bus.wait(
      for: "data ready", in: AK89xxFamily.status1, mask: 0x01, value: 0x01, every: 2, limit: 50, at: address,
      of: Self.name)
    let bytes = try bus.get(AK89xxFamily.status1, count: 8, at: address)
    try bus.put(AK89xxFamily.selfTestControl, 0x00, at: address)
    let (plane, z) = Self.selfTestLimits
    let counts = field(bytes.counts16LE(1)).microtesla / Self.microteslaPerCount
    return SelfTest(counts, unit: "counts", x: plane, y: plane, z: z)
  }
}
