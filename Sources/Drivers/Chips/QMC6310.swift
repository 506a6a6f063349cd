/// QST QMC6310U: three axes, ±2 to ±30 gauss, up to 200 samples a second. Source: QST data sheet QMC6310, as used by
/// the libraries of two makers of boards. The QMC6310N is not looked for: at its address, 0x3C, are many displays and
/// port expanders, which take the number of a register for data.
struct QMC6310: QMC5883PFamily.Member {
  static let name = "qmc6310"
  static let aliases = ["qmc6310u"]
  static let part = "QST QMC6310U"
  static let addresses: [UInt8] = [0x1C]

  let address: UInt8
  var range = ranges[0]
  var rate = QMC5883Family.compassRate

  init(address: UInt8) { self.address = address }
}
