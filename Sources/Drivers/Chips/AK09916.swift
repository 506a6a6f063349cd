/// AKM AK09916: three axes, ±4912 µT, up to 100 samples a second; inside an ICM-20948 behind its bypass.
/// Source: AKM data sheet AK09916, "Registers". Axes are its own; `Board` has its relation to the ICM-20948's.
struct AK09916: AK0991xFamily.Member {
  static let name = "ak09916"
  static let part = "AKM AK09916"
  static let addresses: [UInt8] = [0x0C]
  static let identity = Identity(0x00, [0x48, 0x09])

  let address: UInt8
  var rate = AK0991xFamily.compassRate

  init(address: UInt8) { self.address = address }
}
