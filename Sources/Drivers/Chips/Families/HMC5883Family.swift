import LodestoneCore

/// The register layout of Honeywell's HMC5883L, which ST's LSM303DLHC took over with other gains.
/// Sources: Honeywell data sheet 900405; ST data sheet DocID018771.
enum HMC5883Family {
  /// Identification registers A, B, C: "H43".
  static let identity = Identity(0x0A, [0x48, 0x34, 0x33])
  static let controlA: UInt8 = 0x00
  private static let controlB: UInt8 = 0x01
  private static let mode: UInt8 = 0x02
  private static let continuous: UInt8 = 0x00
  private static let output: UInt8 = 0x03
  private static let status: UInt8 = 0x09
  /// The value of an axis when the converter or the bridge is overrun.
  private static let overflow = -4096

  /// A row of the gain table.
  struct Range: Choice {
    /// Full scale in µT.
    let value: Double
    /// Control register B.
    let gain: UInt8
    /// µT in one count of each axis.
    let microteslaPerCount: Vector3

    init(_ value: Double, gain: UInt8, countsPerGauss xy: Double, z: Double? = nil) {
      self.value = value
      self.gain = gain
      microteslaPerCount = Vector3(100 / xy, 100 / xy, 100 / (z ?? xy))
    }
  }

  /// A row of the output-rate table.
  struct Rate: Choice {
    /// The rate in Hz.
    let value: Double
    /// DO in control register A.
    let code: UInt8

    /// A measurement takes 6 ms (data sheet, timing of single measurement mode).
    var timing: Timing { Timing(period: 1 / value, latency: 0.003) }
  }

  /// "Data output rates" (DO). No exact 10 Hz.
  static let rates = zip([0.75, 1.5, 3, 7.5, 15, 30, 75], 0...).map { Rate(value: $0, code: $1) }
  static let compassRate = rates[6]

  fileprivate static let registers = [
    Register(controlA, "CRA"), Register(controlB, "CRB"), Register(mode, "MR"), Register(0x03, "DXRA"),
    Register(0x04, "DXRB"), Register(0x05, "DZRA"), Register(0x06, "DZRB"), Register(0x07, "DYRA"),
    Register(0x08, "DYRB"), Register(status, "SR"), Register(0x0A, "IRA"), Register(0x0B, "IRB"),
    Register(0x0C, "IRC"),
  ]

  /// Identifies, sets rate and gain, and starts continuous measurement. The first result after a change of gain still
  /// has the old one ("Self test operation", page 19): a single measurement takes it.
  static func start(
    _ chip: any Chip.Type, controlA value: UInt8, _ range: Range, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) {
    try chip.identify(at: address, on: &bus)
    try bus.putChecked(controlA, value, at: address, of: chip.name)
    try bus.putChecked(controlB, range.gain, at: address, of: chip.name)
    try bus.put(mode, 0x01, at: address)
    bus.wait(milliseconds: 10)
    _ = try counts(at: address, on: &bus)
    try bus.put(mode, continuous, at: address)
  }

  /// The field, or nil while RDY is low. RDY stays up between results, so equal ones in a row may be one. The settings
  /// come along in the burst: a part that has lost its power measures once by itself, at another gain, and says RDY.
  fileprivate static func measure(
    controlA value: UInt8, _ range: Range, at address: UInt8, on bus: inout some I2CBus
  ) throws(ChipError) -> Measurement? {
    guard try bus.get(status, at: address)[0] & 0x01 != 0 else { return nil }
    let bytes = try bus.get(controlA, count: 9, at: address)
    guard bytes[0] == value, bytes[1] == range.gain, bytes[2] & 0x03 == continuous else { return nil }
    let counts = counts(bytes, from: 3)
    guard !counts.anyIs(overflow) else { return .saturated() }
    let scale = range.microteslaPerCount
    return .field(
      MagneticField(
        microtesla: Double(counts.x) * scale.x, Double(counts.y) * scale.y, Double(counts.z) * scale.z))
  }

  /// Reads the counts, all six bytes at once, or the output stays locked. The order on the wire is x, z, y.
  static func counts(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) -> Counts {
    counts(try bus.get(output, count: 6, at: address), from: 0)
  }

  private static func counts(_ bytes: ChipBytes, from index: Int) -> Counts {
    Counts(bytes.int16BE(index), bytes.int16BE(index + 4), bytes.int16BE(index + 2))
  }
}

extension HMC5883Family {
  /// A chip with these registers. Its own are its gains, its rates and its averaging.
  protocol Member: IdentifiedChip {
    /// Ascending.
    static var ranges: [Range] { get }
    static var compassRange: Range { get }
    /// Ascending.
    static var rateTable: [Rate] { get }
    /// MA in control register A.
    static var averaging: UInt8 { get }
    /// The field range that is set.
    var range: Range { get set }
    /// The output rate that is set.
    var rate: Rate { get set }
  }
}

extension HMC5883Family.Member {
  static var identity: Identity { HMC5883Family.identity }
  static var senses: Senses { .field }
  static var countSizes: [CountSize] {
    ranges.map { CountSize(range: $0.value, microtesla: $0.microteslaPerCount) }
  }
  static var flagsNewData: Bool { false }
  static var registers: [Register] { HMC5883Family.registers }
  var fieldRanges: [Double] { Self.ranges.map { $0.value } }
  var fieldRange: Double? { range.value }
  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { rate.timing }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    range = try Self.choose(.fieldRange, settings.fieldRange, from: Self.ranges, default: Self.compassRange)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: HMC5883Family.compassRate)
    try HMC5883Family.start(Self.self, controlA: controlA, range, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try HMC5883Family.measure(controlA: controlA, range, at: address, on: &bus)
  }

  private var controlA: UInt8 { Self.averaging | rate.code << 2 }
}
