/// AKM AK09915: three axes, ±4912 µT, 16 bits, up to 200 samples a second; on Blue Robotics' Navigator. The registers
/// of the AK09916 and more rates. Source: AKM data sheet 015006484-E, "Registers".
struct AK09915: AK0991xFamily.Member {
  static let name = "ak09915"
  static let part = "AKM AK09915"
  static let addresses: [UInt8] = [0x0C, 0x0D, 0x0E, 0x0F]
  static let identity = Identity(0x00, [0x48, 0x10])
  static let selfTestLimits = (plane: -200.0...200.0, z: -800.0...(-200))
  static let rateTable =
    [AK0991xFamily.Rate(value: 1, control2: 0x0C)] + AK0991xFamily.rates
    + [AK0991xFamily.Rate(value: 200, control2: 0x0A)]

  let address: UInt8
  var rate = AK0991xFamily.compassRate

  init(address: UInt8) { self.address = address }
}
