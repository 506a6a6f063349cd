/// The accelerometer of ST's LSM303DLHC. Source: ST data sheet DocID018771, "Register description".
/// The data sheet names no identity for this part; it answers like its successors.
struct LSM303DLHCAccelerometer: LSM303AccelerometerFamily.Member {
  static let name = "lsm303dlhc-accel"
  static let part = "ST LSM303DLHC accelerometer"
  static let addresses: [UInt8] = [0x19]
  static let companions: [any Chip.Type] = [LSM303DLHC.self]

  /// LA_So: 1, 2, 4 and 12 mg a count.
  static let ranges = [
    LSM303AccelerometerFamily.Range(value: 2, bits: 0x00, gPerCount: 0.001),
    LSM303AccelerometerFamily.Range(value: 4, bits: 0x10, gPerCount: 0.002),
    LSM303AccelerometerFamily.Range(value: 8, bits: 0x20, gPerCount: 0.004),
    LSM303AccelerometerFamily.Range(value: 16, bits: 0x30, gPerCount: 0.012),
  ]

  let address: UInt8
  var range = ranges[0]
  var rate = LSM303AccelerometerFamily.compassRate

  init(address: UInt8) { self.address = address }
}
