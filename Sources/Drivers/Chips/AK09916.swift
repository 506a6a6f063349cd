/// AKM AK09916: three axes, ±4912 µT, up to 100 samples a second; inside an ICM-20948 behind its bypass.
/// Source: AKM data sheet AK09916, "Registers". Axes are its own; `Board` has its relation to the ICM-20948's.
struct AK09916: AK0991xFamily.Member {
  static let name = "ak09916"
  static let part = "AKM AK09916"
  static let addresses: [UInt8] = [0x0C]
  /// The AK09916C, and the AK09916D.
  static let identity = Identity(0x00, [0x48, 0x09], [0x48, 0x0B])
  static let selfTestLimits = (plane: -200.0...200.0, z: -1000.0...(-200))

  let address: UInt8
  var rate = AK0991xFamily.compassRate

  init(address: UInt8) { self.address = address }
}
