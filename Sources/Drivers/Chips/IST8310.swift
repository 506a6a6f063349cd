import LodestoneCore

/// iSentek IST8310: three axes, ±1600 µT (z ±2500), measured on command about 150 times a second.
/// Source: iSentek data sheet IST8310 v1.1, "Register map", as used by two flight stacks.
struct IST8310: IdentifiedChip, SingleRangeChip {
  static let name = "ist8310"
  static let part = "iSentek IST8310"
  static let addresses: [UInt8] = [0x0E, 0x0C, 0x0D, 0x0F]
  static let senses: Senses = .field
  static var countSizes: [CountSize] { [CountSize(range: range, microtesla: microteslaPerCount)] }
  static let registers = [
    Register(0x00, "WAI"), Register(0x02, "STAT1"), Register(0x03, "DATAXL"), Register(0x04, "DATAXH"),
    Register(0x05, "DATAYL"), Register(0x06, "DATAYH"), Register(0x07, "DATAZL"), Register(0x08, "DATAZH"),
    Register(0x09, "STAT2"), Register(0x0A, "CNTL1"), Register(0x0B, "CNTL2"), Register(0x0D, "CNTL3"),
    Register(0x41, "AVGCNTL"), Register(0x42, "PDCNTL"),
  ]

  static let identity = Identity(0x00, [0x10])
  private static let status: UInt8 = 0x02
  private static let control1: UInt8 = 0x0A
  private static let control2: UInt8 = 0x0B
  private static let control3: UInt8 = 0x0D
  private static let averaging: UInt8 = 0x41
  private static let pulse: UInt8 = 0x42
  static let range = 1600.0
  /// 1320 counts a gauss with the 16-bit resolution that CNTL3 sets here.
  private static let microteslaPerCount = 100.0 / 1320
  private static let rate = 150.0
  /// CNTL3: 16 bits on each axis.
  private static let sixteenBits: UInt8 = 0x70

  let address: UInt8

  init(address: UInt8) { self.address = address }

  var rates: [Double] { [Self.rate] }
  /// A measurement averaged sixteen times takes 6 ms.
  var timing: Timing { Timing(period: 1 / Self.rate, latency: 0.003, isOnCommand: true) }

  /// Reset, averaging of sixteen, normal pulse, 16 bits, and the first measurement.
  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try Self.check(.fieldRange, settings.fieldRange, upTo: Self.range)
    try Self.check(.rate, settings.rate, upTo: Self.rate)
    try Self.identify(at: address, on: &bus)
    try bus.put(Self.control2, 0x01, at: address)
    bus.wait(milliseconds: 50)
    try bus.put(Self.averaging, 0x24, at: address)
    try bus.put(Self.pulse, 0xC0, at: address)
    try bus.putChecked(Self.control3, Self.sixteenBits, at: address, of: Self.name)
    try bus.put(Self.control1, 0x01, at: address)
  }

  /// A finished measurement; then the next one is started. The chip's own axes are x forward, y right, z up, which is
  /// left-handed: x is turned round. Past ±1600 µT (z ±2500) it is saturated; the chip flags nothing.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(Self.status, count: 7, at: address)
    guard bytes[0] & 0x01 != 0 else { return nil }
    // A part that has lost its power between the last result and the start of this one measured with 14 bits. It is
    // started no more, and its silence sets it up again.
    guard try bus.get(Self.control3, at: address)[0] == Self.sixteenBits else { return nil }
    try bus.put(Self.control1, 0x01, at: address)
    let field = bytes.counts16LE(1).turnedX.scaled(by: Self.microteslaPerCount)
    var measurement = Measurement.field(MagneticField(microtesla: field))
    measurement.saturated = abs(field.x) > Self.range || abs(field.y) > Self.range || abs(field.z) > 2480
    measurement.overrun = bytes[0] & 0x02 != 0
    return measurement
  }
}
