import LodestoneCore

/// InvenSense ITG-3200 and ITG-3205: gyroscopes, ±2000 °/s; on GY-85 and other older boards beside an ADXL345 and a
/// magnetometer. Source: InvenSense product specification PS-ITG-3200A-00-01.4, "Register description", as used by the
/// Linux driver and two makers of boards. The MPU-3050 answers with the same identity and has 16.4 counts a °/s: the
/// identity cannot tell them apart.
struct ITG3200: IdentifiedChip {
  static let name = "itg3200"
  static let aliases = ["itg3205"]
  static let part = "InvenSense ITG-3200 or ITG-3205"
  static let addresses: [UInt8] = [0x68, 0x69]
  static let senses: Senses = .rotationRate
  static let registers = [
    Register(0x00, "WHO_AM_I"), Register(divider, "SMPLRT_DIV"), Register(filter, "DLPF_FS"),
    Register(interruptConfig, "INT_CFG"), Register(0x1A, "INT_STATUS"), Register(power, "PWR_MGM"),
  ]

  /// WHO_AM_I: the address, whose bits 6 to 1 are fixed.
  static let identity = Identity(0x00, [0x68], [0x69])
  private static let divider: UInt8 = 0x15
  private static let filter: UInt8 = 0x16
  private static let interruptConfig: UInt8 = 0x17
  private static let power: UInt8 = 0x3E
  private static let rawReady: UInt8 = 0x01
  /// FS_SEL of DLPF_FS: other values are reserved.
  private static let fullScale: UInt8 = 0x18
  private static let range = 2000.0
  /// "Sensitivity scale factor": 14.375 counts a °/s.
  private static let degreesPerSecondPerCount = 1 / 14.375

  private struct Rate: Choice {
    /// The rate in Hz: 1000 / (1 + divider).
    let value: Double
    let divider: UInt8
    /// DLPF_CFG: 5, 10, 20, 42, 98 or 188 Hz, below half the rate.
    let filter: UInt8
  }

  private static let rateTable = [
    Rate(value: 10, divider: 99, filter: 6), Rate(value: 25, divider: 39, filter: 5),
    Rate(value: 50, divider: 19, filter: 4), Rate(value: 100, divider: 9, filter: 3),
    Rate(value: 200, divider: 4, filter: 2), Rate(value: 500, divider: 1, filter: 1),
    Rate(value: 1000, divider: 0, filter: 1),
  ]

  let address: UInt8
  private var rate = rateTable[3]

  init(address: UInt8) { self.address = address }

  var rates: [Double] { Self.rateTable.map { $0.value } }
  var timing: Timing { Timing(period: 1 / rate.value, latency: 0.5 / rate.value) }
  private var filterAndScale: UInt8 { Self.fullScale | rate.filter }

  /// H_RESET, the gyroscope's clock, rate and filter with the full scale, the ready flag until it is read, and the 50 ms
  /// that the gyroscope takes to start.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.rotationRange, settings.rotationRange, upTo: Self.range)
    rate = try Self.choose(.rate, settings.rate, from: Self.rateTable, default: Self.rateTable[3])
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.power, 0x80, at: address)
    bus.wait(milliseconds: 70)
    try bus.put(Self.power, 0x01, at: address)
    try bus.put(Self.divider, rate.divider, at: address)
    try bus.putChecked(Self.filter, filterAndScale, at: address, of: Self.name)
    try bus.put(Self.interruptConfig, 0x20 | Self.rawReady, at: address)
    bus.wait(milliseconds: 50)
  }

  /// DLPF_FS, INT_CFG, two bytes of no use, INT_STATUS, temperature and the three axes in one burst. A part that has
  /// lost its power measures on, with a full scale that is none.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.filter, count: 13, at: address)
    guard bytes[0] == filterAndScale, bytes[1] & bytes[4] & Self.rawReady != 0 else { return nil }
    var measurement = Measurement()
    measurement.temperature = 35 + (Double(bytes.int16BE(5)) + 13200) / 280
    measurement.rotationRate = RotationRate(
      degreesPerSecond: bytes.counts16BE(7).scaled(by: Self.degreesPerSecondPerCount))
    return measurement
  }
}
