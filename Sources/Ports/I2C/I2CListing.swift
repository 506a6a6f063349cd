import Drivers
import Glibc

/// An I²C bus of the kernel: what can be known about it without opening it.
public struct I2CListing: Equatable, Sendable {
  /// The node, as in `/dev/i2c-1`.
  public var path: String
  /// The number in the node's name.
  public var number: Int
  /// The adapter's name by the kernel's driver, without control characters.
  public var name: String
  /// Why it cannot be opened now, as far as one can tell without trying.
  public var obstacle: PortError?
  /// Chips that a driver of the kernel has, by address.
  public var claimed: [UInt8: String]
  /// The bridge that it is the bus of; nil for a bus that is not on USB.
  public var usb: USBIdentity?
  /// The bridge's socket on USB: `1-1.2`.
  public var socket: String?
  /// Whether it serves the machine itself (its mainboard, its screens) or something else than chips of the user's.
  /// Nothing on it is asked unless its user names it.
  public var isReserved: Bool
  /// Other processes that have it open, as far as they can be seen.
  public var holders: [Holder]
}

/// The I²C buses of the kernel that programs may use, by number. Nothing is opened.
public func listI2CBuses(in roots: SystemRoots = .real) -> [I2CListing] {
  let folder = roots.sys + "/class/i2c-dev"
  let entries = folderContents(folder).filter { $0.hasPrefix("i2c-") }
  let holders = Holder.all(ofEach: entries.map { "\(roots.dev)/\($0)" }, procRoot: roots.proc)
  return entries.compactMap { entry in
    guard let number = Int(entry.dropFirst(4)) else { return nil }
    let path = "\(roots.dev)/\(entry)"
    let name = deviceText("\(folder)/\(entry)/name") ?? entry
    let parent = resolvedPath("\(folder)/\(entry)/device") ?? ""
    let socket = USBPlace(above: parent, within: resolvedPath(roots.sys) ?? roots.sys).device
    let usb = socket.flatMap { USBIdentity(folder: $0) }
    return I2CListing(
      path: path, number: number, name: name, obstacle: obstacle(path, roots),
      claimed: claimedChips(bus: number, in: roots), usb: usb, socket: socket.map(lastComponent),
      isReserved: isReserved(name, parent, usb), holders: holders[path] ?? [])
  }.sorted { $0.number < $1.number }
}

/// A bus on USB is a bridge's, or leads to the parts of a tuner, a camera, a screen. One on PCI is the mainboard's or
/// the graphics card's; drivers of the former call it SMBus (drivers/i2c/busses of Linux).
private func isReserved(_ name: String, _ parent: String, _ usb: USBIdentity?) -> Bool {
  if let usb {
    return KnownBoard.identified(vendorID: usb.vendorID, productID: usb.productID)?.kind != .bridge
      && Bridges.identified(by: USBIdentifier(usb.vendorID, usb.productID)) == nil
  }
  return parent.contains("/pci") || (name.hasPrefix("SMBus ") && !name.hasPrefix("SMBus stub"))
}

private func obstacle(_ path: String, _ roots: SystemRoots) -> PortError? {
  guard let facts = NodeAccess(path: path, sysRoot: roots.sys) else { return .gone(path: path) }
  return access(path, R_OK | W_OK) == 0 ? nil : .notPermitted(path: path, access: facts)
}

/// A chip is a folder `1-001c` (bus, address) with a link to its driver.
private func claimedChips(bus: Int, in roots: SystemRoots) -> [UInt8: String] {
  let folder = roots.sys + "/bus/i2c/devices"
  var chips: [UInt8: String] = [:]
  for entry in folderContents(folder) where entry.hasPrefix("\(bus)-") {
    guard let address = UInt8(entry.dropFirst("\(bus)-".count), radix: 16),
      let driver = linkTarget("\(folder)/\(entry)/driver")
    else { continue }
    chips[address] = lastComponent(driver)
  }
  return chips
}
