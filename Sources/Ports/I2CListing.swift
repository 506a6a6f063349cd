import Drivers
import Glibc

/// An I²C bus of the kernel: what can be known about it without opening it.
public struct I2CListing: Equatable, Sendable {
  /// The node, as in `/dev/i2c-1`.
  public var path: String
  /// The number in the node's name.
  public var number: Int
  /// What the kernel's driver calls the adapter, without control characters.
  public var name: String
  /// Why it cannot be opened now, as far as one can tell without trying.
  public var obstacle: PortError?
  /// Chips that a driver of the kernel has, by address.
  public var claimed: [UInt8: String]
}

/// The I²C buses of the kernel that programs may use, by number. Nothing is opened.
public func listI2CBuses(in roots: SystemRoots = .real) -> [I2CListing] {
  let folder = roots.sys + "/class/i2c-dev"
  return folderContents(folder).compactMap { entry in
    guard entry.hasPrefix("i2c-"), let number = Int(entry.dropFirst(4)) else { return nil }
    let path = "\(roots.dev)/\(entry)"
    return I2CListing(
      path: path, number: number, name: deviceText("\(folder)/\(entry)/name") ?? entry, obstacle: obstacle(path, roots),
      claimed: claimedChips(bus: number, in: roots))
  }.sorted { $0.number < $1.number }
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
