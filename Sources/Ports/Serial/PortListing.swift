import Drivers
import Glibc

/// A serial port of the machine: what can be known about it without opening it.
public struct PortListing: Equatable, Sendable {
  /// The node, as in `/dev/ttyACM0`.
  public var path: String
  /// The identity that the USB device reports; nil for a port that is not on USB.
  public var usb: USBIdentity?
  /// The number of the USB device's interface.
  public var interface: Int?
  /// The interface's own name.
  public var interfaceName: String?
  /// The socket on USB, as the kernel numbers them: `1-1.2`.
  public var socket: String?
  /// The kernel's driver, as in `cdc_acm`.
  public var driver: String?
  /// Names that stay the same when the node's does not, as in `/dev/serial/by-id/usb-…`.
  public var links: [String]
  /// Whether the kernel prints its messages here.
  public var isConsole: Bool
  /// The permissions of the node; nil when it is missing.
  public var access: NodeAccess?
  /// Other processes that have it open, as far as they can be seen.
  public var holders: [Holder]
  /// The kind of board or chip, where the table knows its numbers.
  public var board: KnownBoard? {
    usb.flatMap { KnownBoard.identified(vendorID: $0.vendorID, productID: $0.productID) }
  }

  /// The obstacle to opening it, as far as one can tell without trying: `notThere` (its node is missing),
  /// `notPermitted` or `busy`.
  public var obstacle: PortError? {
    guard let access else { return .notThere(path: path) }
    guard access.isReadable && access.isWritable else { return .notPermitted(path: path, access: access) }
    return holders.isEmpty ? nil : .busy(path: path, heldBy: holders)
  }

  /// The identity that stays the same when it is plugged in again.
  public var identity: PortIdentity { PortIdentity(usb: usb, interface: interface, socket: socket, path: path) }
}

/// The serial ports with hardware behind them: those on USB first, then by name with numbers in order. No port is
/// opened. Finding out who holds them takes a look at every process; leave it out where ports are listed often.
public func listPorts(in roots: SystemRoots = .real, findingHolders: Bool = true) -> [PortListing] {
  let folder = roots.sys + "/class/tty"
  let links = stableLinks(in: roots)
  var listings = folderContents(folder).compactMap { listing(of: $0, in: folder, links: links, roots: roots) }
  let holders = findingHolders ? Holder.all(ofEach: listings.map { $0.path }, procRoot: roots.proc) : [:]
  for index in listings.indices { listings[index].holders = holders[listings[index].path] ?? [] }
  return listings.sorted { one, other in
    guard (one.usb == nil) == (other.usb == nil) else { return one.usb != nil }
    return natural(one.path) < natural(other.path)
  }
}

private func listing(of name: String, in folder: String, links: [String: [String]], roots: SystemRoots) -> PortListing?
{
  // Consoles, ptys and other terminals of the kernel's own making have no device behind them.
  guard let device = resolvedPath("\(folder)/\(name)/device") else { return nil }
  // A serial8250 port whose type is 0 (PORT_UNKNOWN) is a number without a chip.
  guard smallText("\(folder)/\(name)/type") != "0" else { return nil }
  let place = USBPlace(above: device, within: resolvedPath(roots.sys) ?? roots.sys)
  let path = "\(roots.dev)/\(name)"
  return PortListing(
    path: path, usb: place.device.flatMap { USBIdentity(folder: $0) },
    interface: place.interface.flatMap { smallText($0 + "/bInterfaceNumber") }.flatMap { Int($0, radix: 16) },
    interfaceName: place.interface.flatMap { deviceText($0 + "/interface") },
    socket: place.device.map(lastComponent), driver: linkTarget(device + "/driver").map(lastComponent),
    links: links[name] ?? [], isConsole: smallText("\(folder)/\(name)/console") == "Y",
    access: NodeAccess(path: path, sysRoot: roots.sys), holders: [])
}

/// The folders of the USB interface and the USB device that a device in sysfs hangs on.
struct USBPlace {
  var interface: String?
  var device: String?

  init(above path: String, within root: String) {
    var folder = Substring(path)
    while folder.count > root.count, let slash = folder.lastIndex(of: "/") {
      if interface == nil, access("\(folder)/bInterfaceNumber", F_OK) == 0 { interface = String(folder) }
      if access("\(folder)/idVendor", F_OK) == 0 {
        device = String(folder)
        return
      }
      folder = folder[..<slash]
    }
  }
}

/// The links below /dev/serial, by the name of the node they lead to; those by identity before those by socket.
private func stableLinks(in roots: SystemRoots) -> [String: [String]] {
  var links: [String: [String]] = [:]
  for folder in ["\(roots.dev)/serial/by-id", "\(roots.dev)/serial/by-path"] {
    for name in folderContents(folder) {
      guard let target = linkTarget("\(folder)/\(name)") else { continue }
      links[lastComponent(target), default: []].append("\(folder)/\(name)")
    }
  }
  return links
}

/// Orders `ttyUSB2` before `ttyUSB10`.
private func natural(_ path: String) -> (stem: String, number: Int) {
  let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }.count
  return (String(path.dropLast(digits)), Int(path.suffix(digits)) ?? -1)
}
