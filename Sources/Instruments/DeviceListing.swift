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
  /// The baud rate at which something was understood, where it has been listened to.
  public var baudRate: Int?
  /// The units that were chosen where the device does not say them, and it has been listened to.
  public var scales: WireScales?
  /// Nothing arrives, where it has been listened to.
  public var isSilent = false
  /// What arrived instead of messages, printable, where it has been listened to.
  public var unrecognized: String?
  /// What it measures, where that is known: field, acceleration, rotation, heading.
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
  /// What may be asked to find out what is there.
  public struct Probing: OptionSet, Sendable {
    /// One bit a kind.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Chips behind bridges that nobody uses.
    public static let bridges = Probing(rawValue: 1)
    /// Chips on the kernel's I²C buses, where a read may disturb what is no sensor.
    public static let buses = Probing(rawValue: 2)
  }

  /// Everything attached that may be a magnetometer or lead to one. Serial ports are never opened; bridges and buses only
  /// as far as `probing` allows.
  public static func all(roots: SystemRoots = .real, probing: Probing = []) -> [DeviceListing] {
    listPorts(in: roots).filter { !$0.isConsole }.map { DeviceListing($0) }
      + bridges(isProbing: probing.contains(.bridges)) + buses(roots, isProbing: probing.contains(.buses))
      + kernelDevices(roots)
  }

  private init(_ port: PortListing) {
    let said = [port.usb?.manufacturer, port.usb?.product].compactMap { $0 }.joined(separator: " ")
    let words = port.board.map { said.isEmpty ? $0.name : "\($0.name) (\(said))" } ?? said
    self.init(
      address: port.path, kind: .serial, description: words.isEmpty ? port.driver ?? "serial port" : words,
      usb: port.usb, problem: port.obstacle)
    links = port.links
    if let likely = port.board?.protocols, likely.count == 1 { protocolName = likely[0] }
  }
}
