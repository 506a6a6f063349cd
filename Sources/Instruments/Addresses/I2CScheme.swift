import Drivers
import LodestonePorts

/// `i2c:` — chips on an I²C bus of the kernel.
enum I2CScheme: BusScheme {
  static let scheme: String? = "i2c"
  static let example = "i2c:/dev/i2c-1/mmc5603"

  static func link(
    _ address: DeviceAddress, _ options: OpenOptions
  ) throws(StreamError) -> (any ChipLink, ChipRequest) {
    let address = try address.checked(allowing: ["range", "rate"])
    var request = try ChipRequest(address, options)
    request.asksOnlyNamed = true
    var parts = address.body.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if let last = parts.last, Chips.named(String(last.prefix { $0 != "@" })) != nil {
      try request.take(chip: last, of: address)
      parts.removeLast()
    }
    let path = parts.joined(separator: "/")
    guard path.hasPrefix("/") else {
      throw .notInKernel(address.text, found: listI2CBuses().map { "i2c:\($0.path)" })
    }
    let link = I2CLink(path: path)
    if let chip = request.address, let driver = link.claimed[chip] {
      throw .chipTaken(link.name, address: chip, driver: driver)
    }
    if let driver = request.driver, request.address == nil { try link.check(driver) }
    return (link, request)
  }
}
