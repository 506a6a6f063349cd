/// QST QMC5883P: three axes, ±2 to ±30 gauss, up to 200 samples a second. Source: QST data sheet QMC5883P. Two flight
/// stacks use the QMC5883L's factors for it and read a quarter too much.
struct QMC5883P: QMC5883PFamily.Member {
  static let name = "qmc5883p"
  static let part = "QST QMC5883P"
  static let addresses: [UInt8] = [0x2C]

  let address: UInt8
  var range = ranges[0]
  var rate = QMC5883Family.compassRate

  init(address: UInt8) { self.address = address }
}
