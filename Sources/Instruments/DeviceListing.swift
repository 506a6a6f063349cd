import Drivers
import Ports

/// A device that could be opened: what is known of it without opening it.
public struct DeviceListing: Equatable, Sendable {
  /// What to type after `--device`.
  public var address: String
  /// What it hangs on: serial, usb, i2c, iio.
  public var kind: Kind
  /// What it is, as its maker or our table says; from outside.
  public var description: String
  /// Its identity on USB.
  public var usb: USBIdentity?
  /// What it speaks, where that is known.
  public var protocolName: String?
  /// The magnetometer, where that is known.
  public var chip: String?
  /// Samples a second, where that is known.
  public var rate: Double?
  /// What it measures, where that is known: field, acceleration, rotation.
  public var sensors: [String]
  /// Other names of the same device.
  public var links: [String]
  /// Why it cannot be opened now; nil when it can.
  public var problem: PortError?

  /// What a device hangs on.
  public enum Kind: String, Sendable {
    case serial, usb, i2c, iio
  }

  /// A device with what every listing has.
  public init(address: String, kind: Kind, description: String, usb: USBIdentity? = nil, problem: PortError? = nil) {
    self.address = address
    self.kind = kind
    self.description = description
    self.usb = usb
    self.problem = problem
    sensors = []
    links = []
  }
}

extension DeviceListing {
  /// Everything attached that may be a magnetometer or lead to one. Nothing is opened or written to.
  public static func all(roots: SystemRoots = .real) -> [DeviceListing] {
    listPorts(in: roots).filter { !$0.isConsole }.map { DeviceListing($0) } + bridges()
  }

  private static func bridges() -> [DeviceListing] {
    guard let bus = try? USBBus() else { return [] }
    return bus.bridges().map { found in
      let name = found.bridge.name
      let device = found.device
      let words = [device.manufacturer, device.product].compactMap { $0 }.joined(separator: " ")
      return DeviceListing(
        address: device.serial.map { "usb:\(name)?serial=\($0)" } ?? "usb:\(name)", kind: .usb,
        description: words.isEmpty ? name : words,
        usb: USBIdentity(
          vendorID: device.identifier.vendor, productID: device.identifier.product, serial: device.serial,
          manufacturer: device.manufacturer, product: device.product), problem: found.obstacle)
    }
  }

  private init(_ port: PortListing) {
    let said = [port.usb?.manufacturer, port.usb?.product].compactMap { $0 }.joined(separator: " ")
    let words = port.board.map { said.isEmpty ? $0.name : "\($0.name) (\(said))" } ?? said
    self.init(
      address: port.path, kind: .serial, description: words.isEmpty ? port.driver ?? "serial port" : words,
      usb: port.usb, problem: Self.obstacle(to: port))
    links = port.links
    if let likely = port.board?.protocols, likely.count == 1 { protocolName = likely[0] }
  }

  private static func obstacle(to port: PortListing) -> PortError? {
    guard let access = port.access else { return .gone(path: port.path) }
    guard access.isReadable && access.isWritable else { return .notPermitted(path: port.path, access: access) }
    return port.holders.isEmpty ? nil : .busy(path: port.path, heldBy: port.holders)
  }
}
