/// A USB-to-I²C bridge: an I²C bus made of USB transfers. It knows its protocol and no port.
public protocol Bridge: I2CBus, SendableMetatype {
  /// The name in an address (`usb:mcp2221`), lower case.
  static var name: String { get }

  /// Other names it goes by.
  static var otherNames: [String] { get }

  /// The USB vendor and product numbers of its devices.
  static var identifiers: [USBIdentifier] { get }

  /// The class of the interface with the I²C engine: 0x03 human interface device, 0xFF vendor's own.
  static var interfaceClass: UInt8 { get }

  /// Whether its numbers tell only that a chip is there that can be a bridge: it may as well be a serial port, or
  /// program flash memory or other chips. It is asked nothing unless its user names it, or allows it.
  static var isGeneric: Bool { get }

  /// Whether the kernel's driver may have the interface back when we are done.
  static var returnsKernelDriver: Bool { get }

  /// Brings the bridge behind `pipe` to a known state with a bus clock of at most `hertz`, or the slowest it has.
  init(pipe: any USBPipe, hertz: Int) throws(BusError)

  /// Resets the bridge itself, so that it leaves the USB and comes back: the last thing to try where the bus is stuck.
  /// False where it has no such command.
  static func reset(_ pipe: any USBPipe) -> Bool
}

extension Bridge {
  /// No other names.
  public static var otherNames: [String] { [] }

  /// False: a device with these numbers is a bridge and nothing else.
  public static var isGeneric: Bool { false }

  /// The kernel's driver gets the interface back.
  public static var returnsKernelDriver: Bool { true }

  /// False: most bridges have no such command.
  public static func reset(_ pipe: any USBPipe) -> Bool { false }
}

/// A USB vendor and product number.
public struct USBIdentifier: Hashable, Sendable {
  /// The vendor's number, given by the USB Implementers Forum.
  public var vendor: UInt16
  /// The product's number, given by the vendor.
  public var product: UInt16

  /// A pair as `lsusb` prints it.
  public init(_ vendor: UInt16, _ product: UInt16) {
    self.vendor = vendor
    self.product = product
  }
}
