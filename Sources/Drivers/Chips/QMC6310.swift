/// QST QMC6310U and QMC6310N: three axes, ±2 to ±30 gauss, up to 200 samples a second. Source: QST data sheet QMC6310, as
/// used by the libraries of two makers of boards.
struct QMC6310: QMC5883PFamily.Member {
  static let name = "qmc6310"
  static let aliases = ["qmc6310u", "qmc6310n"]
  static let part = "QST QMC6310"
  /// The U, and the N, which shares its address with many displays.
  static let addresses: [UInt8] = [0x1C, 0x3C]

  let address: UInt8
  var range = ranges[0]
  var rate = QMC5883Family.compassRate

  init(address: UInt8) { self.address = address }

  /// A display at 0x3C reads the same byte everywhere: STATUS has no such value.
  static func identify(at address: UInt8, on bus: inout some I2CBus) throws(ChipError) {
    let read = try identity.check(Self.self, at: address, on: &bus)
    let status = try bus.get(QMC5883PFamily.status, at: address).all
    guard status != read else {
      throw .wrongIdentity(
        chip: name, address: address, register: QMC5883PFamily.status, expected: [[0x00], [0x01]], read: status)
    }
  }
}
