/// The driver and nodes that the kernel has for one interface of a USB device: they would go if a program took it over.
public struct KernelShare: Equatable, Sendable {
  /// The driver that has the interface, as in `ftdi_sio`; `usbfs` for a program; nil where none has it.
  public var driver: String?
  /// The nodes of everything below the interface: `/dev/hidraw0`, `/dev/i2c-3`, `/dev/ttyUSB0`.
  public var nodes: [String] = []

  /// The I²C bus that the kernel makes of it.
  public var bus: String? { nodes.first { lastComponent($0).hasPrefix("i2c-") } }
  /// The magnetometer or other sensor that a driver of the kernel reads on that bus: `iio:device0`.
  public var sensor: String? { nodes.map(lastComponent).first { $0.hasPrefix("iio:device") } }
  /// The serial port that the kernel makes of it.
  public var port: String? { nodes.first { lastComponent($0).hasPrefix("tty") } }

  /// Looks at the interface of this class of the device at a port (`1-2.4`), as `USBBus.open` chooses it.
  init(port: String, interfaceClass: UInt8, roots: SystemRoots = .real) {
    let device = "\(roots.sys)/bus/usb/devices/\(port)"
    let interfaces = folderContents(device).filter { $0.hasPrefix(port + ":") }.map { "\(device)/\($0)" }
    let isHuman = interfaceClass == 0x03
    let fitting = interfaces.first { folder in
      smallText(folder + "/bInterfaceClass").flatMap { UInt8($0, radix: 16) } == interfaceClass
        && (!isHuman || smallText(folder + "/bNumEndpoints").flatMap { UInt8($0, radix: 16) } ?? 2 >= 2)
    }
    guard let folder = fitting ?? (isHuman ? nil : interfaces.first) else { return }
    driver = linkTarget(folder + "/driver").map(lastComponent)
    nodes = Self.nodes(below: folder, roots, depth: 0)
  }

  /// The nodes of the devices in a folder and all below it; links lead elsewhere.
  private static func nodes(below folder: String, _ roots: SystemRoots, depth: Int) -> [String] {
    guard depth < 10 else { return [] }
    return folderContents(folder).flatMap { entry -> [String] in
      let path = "\(folder)/\(entry)"
      guard linkTarget(path) == nil, NodeKind.at(path) == .directory else { return [] }
      let name = smallText(path + "/uevent")?.split(separator: "\n").first { $0.hasPrefix("DEVNAME=") }
      let own = name.map { "\(roots.dev)/\($0.dropFirst("DEVNAME=".count))" }
      return (own.map { [$0] } ?? []) + nodes(below: path, roots, depth: depth + 1)
    }
  }
}
