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

/// A bus of the kernel. One on a USB adapter may go and come back.
final class I2CLink: ChipLink {
  private let path: String

  init(path: String) {
    self.path = path
    let usb = listI2CBuses().first { $0.path == path }?.usb
    let bridge = usb.flatMap { Bridges.identified(by: USBIdentifier($0.vendorID, $0.productID)) }
    identity = bridge?.identity(serial: usb?.serial) ?? path.split(separator: "/").last.map(String.init) ?? path
  }

  var name: String { "i2c:\(path)" }

  /// The bridge's, where the bus is one's: its number changes, and `usb:` leads to the same chips.
  let identity: String

  /// Chips that a driver of the kernel has, by address.
  var claimed: [UInt8: String] { listI2CBuses().first { $0.path == path }?.claimed ?? [:] }

  /// A chip that was named by its part number may be the one that a driver of the kernel has: it is, where none answers at
  /// the other addresses that it can have.
  fileprivate func check(_ driver: any Chip.Type) throws(StreamError) {
    let claimed = claimed
    guard let taken = driver.addresses.first(where: { claimed[$0] != nil }), let name = claimed[taken] else { return }
    let others = driver.addresses.filter { claimed[$0] == nil }
    if let bus = try? LinuxI2CBus(path: path), others.contains(where: { (try? bus.read(1, from: $0)) != nil }) {
      return
    }
    throw .chipTaken(self.name, address: taken, driver: name)
  }

  private var claims: [UInt8: AddressClaim] = [:]

  func claim(_ addresses: [UInt8]) throws(StreamError) {
    for address in addresses where claims[address] == nil {
      do { claims[address] = try AddressClaim(of: address, on: path) } catch { throw .port(error) }
    }
  }

  func open(resetting: Bool) throws(StreamError) -> any I2CBus {
    do {
      return UnclaimedBus(bus: try LinuxI2CBus(path: path), claimed: Set(claimed.keys))
    } catch {
      throw .port(error)
    }
  }
}

/// A bus on which chips that belong to the kernel do not answer, so that nobody disturbs them.
private struct UnclaimedBus: I2CBus {
  let bus: LinuxI2CBus
  let claimed: Set<UInt8>

  func write(_ bytes: [UInt8], to address: UInt8) throws(BusError) {
    try check(address)
    try bus.write(bytes, to: address)
  }

  func read(_ count: Int, from address: UInt8) throws(BusError) -> [UInt8] {
    try check(address)
    return try bus.read(count, from: address)
  }

  func write(_ bytes: [UInt8], thenRead count: Int, at address: UInt8) throws(BusError) -> [UInt8] {
    try check(address)
    return try bus.write(bytes, thenRead: count, at: address)
  }

  func wait(milliseconds: Double) { bus.wait(milliseconds: milliseconds) }

  private func check(_ address: UInt8) throws(BusError) {
    if claimed.contains(address) { throw .addressNotAcknowledged(address) }
  }
}
