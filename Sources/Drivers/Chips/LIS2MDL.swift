/// ST LIS2MDL and IIS2MDC: three axes, ±50 gauss, up to 100 samples a second, offset cancelled by set and reset pulses.
/// Source: ST data sheet DS12144 (LIS2MDL). The magnetometer of the LSM303AGR is built alike (`LSM303AGR`).
struct LIS2MDL: LIS2MDLFamily.Member {
  static let name = "lis2mdl"
  static let aliases = ["iis2mdc"]
  static let part = "ST LIS2MDL or IIS2MDC"
  static let addresses: [UInt8] = [0x1E]

  let address: UInt8
  var rate = LIS2MDLFamily.compassRate

  init(address: UInt8) { self.address = address }

  /// TEMP_OUT follows the field in the burst: 8 counts a degree, 0 at 25 °C.
  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    let bytes = try bus.get(LIS2MDLFamily.status, count: 9, at: address)
    guard var measurement = LIS2MDLFamily.measurement(bytes) else { return nil }
    measurement.temperature = 25 + Double(bytes.int16LE(7)) / 8
    return measurement
  }
}
