import Glibc
import LodestonePorts

/// Folders that look like /sys, /dev and /proc, in a temporary place that goes with it.
public final class FakeSystem {
  /// The folder that holds them.
  public let root: String
  private let isOurs: Bool

  /// Where the library looks.
  public var roots: SystemRoots { SystemRoots(sys: root + "/sys", dev: root + "/dev", proc: root + "/proc") }

  /// In a new place.
  public init() {
    var name = Array("/tmp/lodestone-system-XXXXXX".utf8CString)
    mkdtemp(&name)
    root = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    isOurs = true
    for folder in ["sys/class/tty", "dev", "proc"] { makeFolder(folder) }
  }

  /// In the folder of somebody else, who removes what is in it.
  init(in root: String) {
    self.root = root
    isOurs = false
  }

  deinit { if isOurs { remove("") } }

  /// Makes a folder and those above it.
  public func makeFolder(_ path: String) {
    var folder = root
    for part in path.split(separator: "/") {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
  }

  /// Makes a file and the folders above it.
  public func write(_ text: String, to path: String) {
    makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
    guard let file = fopen("\(root)/\(path)", "w") else { return }
    fputs(text, file)
    fclose(file)
  }

  /// Makes a symbolic link, in place of what was there, and the folders above it.
  public func link(_ path: String, to target: String) {
    makeFolder(path.split(separator: "/").dropLast().joined(separator: "/"))
    unlink("\(root)/\(path)")
    symlink(target, "\(root)/\(path)")
  }

  /// Removes a file, or a folder with all that is in it.
  public func remove(_ path: String) { removeTree(path.isEmpty ? root : "\(root)/\(path)") }

  /// Links are removed, not followed.
  private func removeTree(_ path: String) {
    guard unlink(path) != 0, let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." { removeTree("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }

  /// A USB device with one serial port, laid out as Linux does for cdc_acm (the port hangs on the interface) and for
  /// the drivers of usb-serial (the port has a folder of its own below the interface).
  public func plugIn(
    _ name: String, socket: String = "1-1", vendor: String, product: String, serial: String? = nil,
    manufacturer: String? = nil, title: String? = nil, interface: String = "00", driver: String = "cdc_acm",
    node: String? = nil
  ) {
    let device = "sys/devices/pci0000:00/usb1/\(socket)"
    write(vendor + "\n", to: device + "/idVendor")
    write(product + "\n", to: device + "/idProduct")
    if let serial { write(serial + "\n", to: device + "/serial") }
    if let manufacturer { write(manufacturer + "\n", to: device + "/manufacturer") }
    if let title { write(title + "\n", to: device + "/product") }
    let interfaceFolder = "\(device)/\(socket):1.\(Int(interface, radix: 16) ?? 0)"
    write(interface + "\n", to: interfaceFolder + "/bInterfaceNumber")
    let port = driver == "cdc_acm" ? interfaceFolder : "\(interfaceFolder)/\(name)"
    makeFolder("sys/bus/drivers/\(driver)")
    link(port + "/driver", to: "\(root)/sys/bus/drivers/\(driver)")
    makeFolder("\(port)/tty/\(name)")
    link("\(port)/tty/\(name)/device", to: "\(root)/\(port)")
    link("sys/class/tty/\(name)", to: "\(root)/\(port)/tty/\(name)")
    if let node { link("dev/\(name)", to: node) } else { write("", to: "dev/\(name)") }
  }

  /// Removes the device and its port.
  public func unplug(_ name: String, socket: String = "1-1") {
    remove("sys/devices/pci0000:00/usb1/\(socket)")
    remove("sys/class/tty/\(name)")
    remove("dev/\(name)")
  }

  /// A port on the board itself.
  public func addBuiltIn(_ name: String, type: String) {
    let port = "sys/devices/platform/serial8250"
    makeFolder("\(port)/tty/\(name)")
    write(type + "\n", to: "\(port)/tty/\(name)/type")
    link("\(port)/tty/\(name)/device", to: "\(root)/\(port)")
    link("sys/class/tty/\(name)", to: "\(root)/\(port)/tty/\(name)")
    write("", to: "dev/\(name)")
  }
}
