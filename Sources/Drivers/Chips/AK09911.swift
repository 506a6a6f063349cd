import LodestoneCore

/// AKM AK09911: three axes, ±4912 µT, 14 bits, up to 100 samples a second. Source: AKM data sheet MS1526-E,
/// "Registers".
struct AK09911: AK0991xFamily.FusedMember {
  static let name = "ak09911"
  static let part = "AKM AK09911"
  static let addresses: [UInt8] = [0x0C, 0x0D]
  static let identity = Identity(0x00, [0x48, 0x05])
  static let selfTestLimits = (plane: -30.0...30.0, z: -400.0...(-50))
  static let microteslaPerCount = 0.6
  /// A count can be more than the noise.
  static let frozenAfter: Int? = nil
  /// None: a raw count is between one and two of these, by its fuse.
  static let countSizes: [CountSize] = []

  let address: UInt8
  var rate = AK0991xFamily.compassRate
  var sensitivity = Vector3(1, 1, 1)

  init(address: UInt8) { self.address = address }

  /// "Sensitivity adjustment": H · (ASA / 128 + 1), unlike all others'.
  static func factor(_ fuse: Double) -> Double { fuse / 128 + 1 }
}
