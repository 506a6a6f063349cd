import Core

/// AKM AK09918C: three axes, ±4912 µT, up to 100 samples a second. The registers of the AK09916, an identity of its
/// own. Source: AKM data sheet AK09918, "Registers".
struct AK09918: Chip {
  static let name = "ak09918"
  static let part = "AKM AK09918"
  static let addresses: [UInt8] = [0x0C]
  static let senses: Senses = .field
  static let registers = AK099xx.registers

  private static let identity = Identity(0x00, [0x48, 0x0C])

  let address: UInt8
  private var rate = AK099xx.compassRate

  init(address: UInt8) { self.address = address }

  var fieldRanges: [Double] { [AK099xx.range] }
  var fieldRange: Double? { AK099xx.range }
  var rates: [Double] { AK099xx.rates.map { $0.value } }
  var timing: Timing { rate.timing }

  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    try identity.check(Self.self, at: address, on: &bus)
  }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    rate = try AK099xx.configure(Self.self, settings, at: address, on: &bus)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    try AK099xx.measure(at: address, on: &bus)
  }
}
