/// ST LIS3DH: an accelerometer, ±2 to ±16 g. The registers and the identity of those of the LSM303 parts, whose
/// magnetometers beside them tell them apart. Source: ST data sheet DocID17530, "Mechanical characteristics". Its
/// thermometer has no known zero and is left alone.
struct LIS3DH: LSM303AccelerometerFamily.Member {
  static let name = "lis3dh"
  static let part = "ST LIS3DH"
  static let addresses: [UInt8] = [0x18, 0x19]
  /// The ranges in high-resolution mode: those of the LSM303DLHC.
  static let ranges = LSM303DLHCAccelerometer.ranges

  let address: UInt8
  var range = ranges[0]
  var rate = LSM303AccelerometerFamily.compassRate

  init(address: UInt8) { self.address = address }
}
