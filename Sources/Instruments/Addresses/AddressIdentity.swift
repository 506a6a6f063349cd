import Drivers
import LodestonePorts

extension AddressSchemes {
  /// The identity of the device that a text names: what its calibration is kept under. It is the one that a stream of
  /// the same address has. A serial port is not opened for it, because that restarts some boards; a bus is, where the
  /// address does not say which chip is meant.
  ///
  /// A text that is neither an address nor a path is an identity already, as `lodestone profiles list` shows them.
  public static func identity(of text: String) throws(StreamError) -> String {
    let address = DeviceAddress(text)
    switch address.scheme {
    case nil where !address.body.hasPrefix("/") && NodeKind.at(address.body) == nil: return text
    case nil where address.isPort, "serial":
      guard NodeKind.at(address.body) != nil else { throw .port(.notThere(path: address.body)) }
      let key = PortIdentity(path: address.body, among: listPorts(findingHolders: false)).key
      return address.option("compass").map { $0 == "1" ? key : "\(key)-compass\($0)" } ?? key
    case "usb":
      let (link, request) = try USBScheme.link(address, OpenOptions())
      return try identity(of: link, request)
    case "i2c":
      let (link, request) = try I2CScheme.link(address, OpenOptions())
      return try identity(of: link, request)
    case "iio": return try IIOScheme.device(of: address).identity
    default: return try open(text, OpenOptions()).identity
    }
  }

  private static func identity(of link: any ChipLink, _ request: ChipRequest) throws(StreamError) -> String {
    if let driver = request.driver, let chip = request.address, driver.senses.contains(.field) {
      return link.identity(of: FoundChip(driver, at: chip))
    }
    let open = try OpenBoard.find(request, on: try link.open(resetting: false), name: link.name)
    return link.identity(of: open.board.magnetometer)
  }
}

extension ChipLink {
  /// The identity of a board on this bus, which its calibration is saved under.
  func identity(of magnetometer: FoundChip) -> String { "\(identity)-\(magnetometer)" }
}
