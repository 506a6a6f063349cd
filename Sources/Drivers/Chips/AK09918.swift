/// AKM AK09918C: three axes, ±4912 µT, up to 100 samples a second. The registers of the AK09916, an identity of its
/// own. Source: AKM data sheet AK09918, "Registers".
struct AK09918: AK0991xFamily.Member {
  static let name = "ak09918"
  static let part = "AKM AK09918"
  static let addresses: [UInt8] = [0x0C]
  static let identity = Identity(0x00, [0x48, 0x0C])
  static let selfTestLimits = (plane: -200.0...200.0, z: -1000.0...(-150))

  let address: UInt8
  var rate = AK0991xFamily.compassRate

  init(address: UInt8) { self.address = address }
}
