/// The accelerometer of ST's LSM303AGR, known by the magnetometer beside it. Source: ST data sheet DocID027765,
/// "Register description". Its axes are those of the magnetometer, which are left-handed: x is turned round, as there.
struct LSM303AGRAccelerometer: LSM303AccelerometerFamily.Member {
  static let name = "lsm303agr-accel"
  static let part = "ST LSM303AGR accelerometer or LIS3DH"
  static let addresses: [UInt8] = [0x19]
  static let companions: [any Chip.Type] = [LSM303AGR.self]

  /// LA_So, high-resolution mode. One published driver takes FS / 2048 instead, far off at ±16 g.
  static let ranges = [
    LSM303AccelerometerFamily.Range(value: 2, bits: 0x00, gPerCount: 0.00098),
    LSM303AccelerometerFamily.Range(value: 4, bits: 0x10, gPerCount: 0.00195),
    LSM303AccelerometerFamily.Range(value: 8, bits: 0x20, gPerCount: 0.0039),
    LSM303AccelerometerFamily.Range(value: 16, bits: 0x30, gPerCount: 0.01172),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = LSM303AccelerometerFamily.compassRate

  init(address: UInt8) { self.address = address }

  mutating func configure(_ settings: ChipSettings, on bus: inout some I2CBus) throws(ChipError) {
    try start(settings, on: &bus)
    // TEMP_CFG_REG_A: thermometer on.
    try bus.put(0x1F, 0xC0, at: address)
  }

  mutating func measure(on bus: inout some I2CBus) throws(ChipError) -> Measurement? {
    guard let (counts, overrun) = try LSM303AccelerometerFamily.read(at: address, on: &bus) else { return nil }
    return measurement(counts.turnedX, overrun: overrun)
  }

  /// OUT_TEMP_A: 256 counts a degree, 0 at 25 °C.
  mutating func temperature(on bus: inout some I2CBus) throws(ChipError) -> Double? {
    25 + Double(try bus.get(0x0C | LSM303AccelerometerFamily.autoIncrement, count: 2, at: address).int16LE(0)) / 256
  }
}
