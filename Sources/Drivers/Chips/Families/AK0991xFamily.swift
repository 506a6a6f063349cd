import LodestoneCore

/// The registers that AKM's younger magnetometers share, AK09911 to AK09918. Sources: AKM data sheets of each,
/// "Registers". Their axes are right-handed, as those of the AK8963: AKM and the makers of phones turn all of them by
/// the same rotations.
enum AK0991xFamily {
  fileprivate static let range = 4912.0
  fileprivate static let status1: UInt8 = 0x10
  fileprivate static let control2: UInt8 = 0x31
  fileprivate static let control3: UInt8 = 0x32
  fileprivate static let selfTestMode: UInt8 = 0x10
  fileprivate static let fuses = AKMFuses(control: control2, mode: 0x1F, register: 0x60)

  /// WIA2 of the parts with these registers: AK09912, AK09911, AK09914, AK09913, AK09916C, AK09916D, AK09918, AK09917,
  /// AK09919, AK09915. Those that have no driver here must not be taken for an older part, whose registers lie
  /// elsewhere.
  static let secondBytes: [UInt8] = [0x04, 0x05, 0x07, 0x08, 0x09, 0x0B, 0x0C, 0x0D, 0x0E, 0x10]

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// A continuous mode in CNTL2.
    let control2: UInt8
    /// The pace of measurements, each of which takes up to 7.2 ms, and less than the period.
    var timing: Timing { Timing(period: 1 / value, latency: min(0.0036, 0.5 / value)) }
  }

  static let rates = [
    Rate(value: 10, control2: 0x02), Rate(value: 20, control2: 0x04), Rate(value: 50, control2: 0x06),
    Rate(value: 100, control2: 0x08),
  ]
  static let compassRate = rates[3]

  static let registers = [
    Register(0x00, "WIA1"), Register(0x01, "WIA2"), Register(status1, "ST1"), Register(0x11, "HXL"),
    Register(0x12, "HXH"), Register(0x13, "HYL"), Register(0x14, "HYH"), Register(0x15, "HZL"),
    Register(0x16, "HZH"), Register(0x17, "TMPS"), Register(0x18, "ST2"), Register(control2, "CNTL2"),
    Register(control3, "CNTL3"),
  ]
}

extension AK0991xFamily {
  /// A chip with these registers. Its own are its name, its addresses, its identity, and the limits of its own test.
  protocol Member: IdentifiedChip, SingleRangeChip {
    static var microteslaPerCount: Double { get }
    /// Ascending.
    static var rateTable: [AK0991xFamily.Rate] { get }
    /// The counts that the axes must have in self-test mode after the adjustment: x and y, z.
    static var selfTestLimits: (plane: ClosedRange<Double>, z: ClosedRange<Double>) { get }
    /// The output rate that is set.
    var rate: AK0991xFamily.Rate { get set }
    init(address: UInt8)
  }

  /// A member whose axes are adjusted by fuses.
  protocol FusedMember: AK0991xFamily.Member {
    /// The factor of an axis, for the number in its fuse.
    static func factor(_ fuse: Double) -> Double
    /// The factors of the axes.
    var sensitivity: Vector3 { get set }
  }
}

extension AK0991xFamily.Member {
  static var range: Double { AK0991xFamily.range }
  /// 0.15 µT a count. The Linux driver applies fuse values that the AK09916 and AK09918 do not have; three others do
  /// not.
  static var microteslaPerCount: Double { 0.15 }
  static var rateTable: [AK0991xFamily.Rate] { AK0991xFamily.rates }
  static var senses: Senses { .field }
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static var registers: [Register] { AK0991xFamily.registers }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try prepare(settings, on: &bus)
    try start(on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try result(adjustedBy: Vector3(1, 1, 1), on: &bus)
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    return try test(adjustedBy: Vector3(1, 1, 1), on: &bus)
  }

  /// Soft reset, which ends in power-down.
  fileprivate mutating func prepare(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: AK0991xFamily.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: AK0991xFamily.compassRate)
    try Self.identify(at: address, on: &bus)
    try bus.put(AK0991xFamily.control3, 0x01, at: address)
    bus.wait(milliseconds: 10)
  }

  /// A continuous mode.
  fileprivate func start(on bus: inout some I2CBus) throws(ChipError) {
    try bus.putChecked(AK0991xFamily.control2, rate.control2, at: address, of: Self.name)
  }

  /// ST1 to ST2 in one burst: reading ST2 ends the read-out. HOFL leaves no number that means anything, nor does INV of
  /// the AK09915.
  fileprivate func result(
    adjustedBy sensitivity: Vector3, on bus: inout some I2CBus
  ) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(AK0991xFamily.status1, count: 9, at: address)
    guard bytes[0] & 0x01 != 0, bytes[8] & 0x04 == 0 else { return nil }
    let field = Self.adjusted(bytes, by: sensitivity) * Self.microteslaPerCount
    var measurement = bytes[8] & 0x08 != 0 ? .saturated() : Measurement.field(MagneticField(microtesla: field))
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }

  /// "Self-test mode": the numbers that the test field makes, after the adjustment.
  fileprivate func test(
    adjustedBy sensitivity: Vector3, on bus: inout some I2CBus
  ) throws(ChipError) -> SelfTest {
    try AK0991xFamily.fuses.powerDown(at: address, on: &bus)
    try bus.put(AK0991xFamily.control2, AK0991xFamily.selfTestMode, at: address)
    try bus.wait(
      for: "data ready", in: AK0991xFamily.status1, mask: 0x01, value: 0x01, every: 2, limit: 50, at: address,
      of: Self.name)
    let counts = Self.adjusted(try bus.get(AK0991xFamily.status1, count: 9, at: address), by: sensitivity)
    let (plane, z) = Self.selfTestLimits
    return SelfTest(counts, unit: "counts", x: plane, y: plane, z: z)
  }

  private static func adjusted(_ bytes: ChipBytes, by sensitivity: Vector3) -> Vector3 {
    let counts = bytes.counts16LE(1).scaled(by: 1)
    return Vector3(counts.x * sensitivity.x, counts.y * sensitivity.y, counts.z * sensitivity.z)
  }
}

extension AK0991xFamily.FusedMember {
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try prepare(settings, on: &bus)
    try readSensitivity(on: &bus)
    try start(on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try result(adjustedBy: sensitivity, on: &bus)
  }

  mutating func selfTest(on bus: inout some I2CBus) throws(ChipError) -> SelfTest? {
    try Self.identify(at: address, on: &bus)
    try AK0991xFamily.fuses.powerDown(at: address, on: &bus)
    try readSensitivity(on: &bus)
    return try test(adjustedBy: sensitivity, on: &bus)
  }

  private mutating func readSensitivity(on bus: inout some I2CBus) throws(ChipError) {
    sensitivity = try AK0991xFamily.fuses.factors(of: Self.self, at: address, on: &bus) { Self.factor($0) }
  }
}
