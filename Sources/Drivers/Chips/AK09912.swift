import LodestoneCore

/// AKM AK09912: three axes, ±4912 µT, 16 bits, up to 100 samples a second. Source: AKM data sheet MS1547-E,
/// "Registers".
struct AK09912: AK0991xFamily.FusedMember {
  static let name = "ak09912"
  static let part = "AKM AK09912"
  static let addresses: [UInt8] = [0x0C, 0x0D, 0x0E, 0x0F]
  static let identity = Identity(0x00, [0x48, 0x04])
  static let selfTestLimits = (plane: -200.0...200.0, z: -1600.0...(-400))

  let address: UInt8
  var rate = AK0991xFamily.compassRate
  var sensitivity = Vector3(1, 1, 1)

  init(address: UInt8) { self.address = address }

  /// "Sensitivity adjustment", as the AK8963's.
  static func factor(_ fuse: Double) -> Double { AK89xxFamily.factor(fuse) }
}
