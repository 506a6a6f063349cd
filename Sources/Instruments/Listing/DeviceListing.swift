import Drivers
import LodestonePorts

/// A device that could be opened: what is known of it without opening it.
public struct DeviceListing: Equatable, Sendable {
  /// The address to give with `--device`.
  public var address: String
  /// The kind of connection: serial, usb, i2c, iio.
  public var kind: Kind
  /// A description, by its maker or our table; from outside.
  public var description: String
  /// Its identity on USB.
  public var usb: USBIdentity?
  /// The protocol, where that is known.
  public var protocolName: String?
  /// The magnetometer, where that is known.
  public var chip: String?
  /// Samples a second, where that is known.
  public var rate: Double?
  /// The baud rate at which something was understood, where it has been listened to.
  public var baudRate: Int?
  /// The units that were chosen where the device does not say them, and it has been listened to.
  public var scales: WireScales?
  /// Whether nothing arrives, where it has been listened to.
  public var isSilent = false
  /// The open question about a serial port's data; nil where there is none.
  public var doubt: WireFault?
  /// The protocols that were weighed for what a serial port sends, the best first.
  public var weighed: [Detector.Finding] = []
  /// The orders of columns that were weighed for a table without names, the best first.
  public var weighedOrders: [WeighedColumns] = []
  /// The printable form of bytes that are no messages, where the port has been listened to.
  public var unrecognized: String?
  /// The quantities that it measures, where known: field, acceleration, rotation, heading.
  public var sensors: [String]
  /// Other names of the same device.
  public var links: [String]
  /// Why it cannot be opened now; nil when it can.
  public var problem: PortError?
  /// A driver of the kernel has it, where another address leads to the same chips or port.
  public var kernel: KernelUse?
  /// Other processes that have it open, where it can be opened all the same.
  public var holders: [Holder] = []
  /// The socket on USB that it is plugged into; what shares one is one thing.
  public var socket: String?
  /// The address of another listing that is the same thing, reached another way.
  public var sameAs: String?
  /// Whether it serves the machine itself, and is nothing that was attached.
  public var isReserved = false

  /// The kernel driver that uses a bridge.
  public struct KernelUse: Equatable, Sendable {
    /// The driver's name.
    public var driver: String
    /// The address to use the bridge through the driver; nil where the driver is of no use.
    public var address: String?

    /// A driver, and what to type.
    public init(driver: String, address: String? = nil) {
      self.driver = driver
      self.address = address
    }
  }

  /// The node in /dev that programs open to use it; nil for what is opened otherwise.
  public var node: String? {
    switch kind {
    case .serial: address
    case .i2c: address.split(separator: ":").last.map(String.init)
    case .usb, .iio: nil
    }
  }

  /// The kind of connection of a device.
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
  /// The chips that may be probed.
  public struct Probing: OptionSet, Sendable {
    /// One bit a kind.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Chips behind bridges that neither a program nor the kernel uses, and on the buses that the kernel makes of
    /// others.
    public static let bridges = Probing(rawValue: 1)
    /// Chips on the kernel's other I²C buses, where a read may disturb other chips. The machine's own are left alone.
    public static let buses = Probing(rawValue: 2)
    /// Chips behind what may be a bridge or something else.
    public static let generic = Probing(rawValue: 4)
  }

  /// Everything attached that may be a magnetometer or lead to one. Serial ports are never opened; bridges and buses
  /// only as far as `probing` allows, and nothing is taken from a driver of the kernel or from a program that uses it.
  public static func all(roots: SystemRoots = .real, probing: Probing = []) -> [DeviceListing] {
    linked(
      listPorts(in: roots).filter { !$0.isConsole }.map { DeviceListing($0) } + bridges(probing) + buses(roots, probing)
        + kernelDevices(roots))
  }

  /// Marks the listings of one socket that is reached in several ways as the same device.
  static func linked(_ all: [DeviceListing]) -> [DeviceListing] {
    all.map { listing in
      var listing = listing
      let first = all.first { $0.socket != nil && $0.socket == listing.socket }
      if let first, first.kind != listing.kind { listing.sameAs = first.address }
      return listing
    }
  }

  private init(_ port: PortListing) {
    let said = [port.usb?.manufacturer, port.usb?.product].compactMap { $0 }.joined(separator: " ")
    let words = port.board.map { said.isEmpty ? $0.name : "\($0.name) (\(said))" } ?? said
    self.init(
      address: port.path, kind: .serial, description: words.isEmpty ? port.driver ?? "serial port" : words,
      usb: port.usb, problem: port.obstacle)
    links = port.links
    socket = port.socket
    if let likely = port.board?.protocols, likely.count == 1 { protocolName = likely[0] }
  }
}
