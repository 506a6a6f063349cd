import Drivers
import LodestonePorts

/// A bus of the kernel. One on a USB adapter may go and come back.
final class I2CLink: ChipLink {
  private let path: String

  init(path: String) {
    self.path = path
    let all = listI2CBuses()
    let listing = all.first { $0.path == path }
    let bridge = listing?.usb.flatMap { Bridges.identified(by: USBIdentifier($0.vendorID, $0.productID)) }
    let alike = Set(all.filter { $0.usb == listing?.usb }.map { $0.socket })
    identity =
      bridge?.identity(serial: listing?.usb?.serial, port: alike.count > 1 ? listing?.socket : nil)
      ?? path.split(separator: "/").last.map(String.init) ?? path
  }

  var name: String { "i2c:\(path)" }

  /// The bridge's, where the bus is one's: its number changes, and `usb:` leads to the same chips.
  let identity: String

  /// Chips that a driver of the kernel has, by address.
  var claimed: [UInt8: String] { listI2CBuses().first { $0.path == path }?.claimed ?? [:] }

  /// A chip that was named by its part number may be the one that a driver of the kernel has: it is, where none answers
  /// at the other addresses that it can have.
  func check(_ driver: any Chip.Type) throws(StreamError) {
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
