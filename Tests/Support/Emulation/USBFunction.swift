/// What an emulated USB device does behind its descriptors. Called with the device's lock held.
public protocol USBFunction: AnyObject {
  /// Who it says it is.
  var identity: USBIdentity { get }

  /// A control request to the device or an interface, `data` being what the host sends. The answer's data, empty for
  /// an OUT request; nil stalls.
  func control(_ setup: USBSetup, _ data: [UInt8]) -> [UInt8]?

  /// A transfer to the OUT endpoint; false stalls.
  func receive(_ bytes: [UInt8]) -> Bool

  /// A transfer from the IN endpoint with room for so many bytes; nil while there is nothing.
  func send(limit: Int) -> [UInt8]?

  /// Plugged in afresh: the power-up state.
  func powerUp()
}

extension USBFunction {
  /// Has no OUT endpoint.
  public func receive(_ bytes: [UInt8]) -> Bool { false }

  /// Has no IN endpoint.
  public func send(limit: Int) -> [UInt8]? { nil }
}

/// A setup packet (USB 2.0, table 9-2).
public struct USBSetup: Equatable, Sendable {
  /// bmRequestType.
  public var type: UInt8
  /// bRequest.
  public var request: UInt8
  /// wValue.
  public var value: UInt16
  /// wIndex.
  public var index: UInt16
  /// wLength.
  public var length: UInt16

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    type = bytes[0]
    request = bytes[1]
    value = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
    index = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
    length = UInt16(bytes[6]) | UInt16(bytes[7]) << 8
  }

  var isIn: Bool { type & 0x80 != 0 }
}

/// Descriptors of an emulated device with one configuration.
public struct USBIdentity: Equatable, Sendable {
  /// idVendor.
  public var vendor: UInt16
  /// idProduct.
  public var product: UInt16
  /// iManufacturer's text.
  public var manufacturer: String
  /// iProduct's text.
  public var name: String
  /// iSerialNumber's text; none where empty.
  public var serial: String
  /// In the order of their numbers.
  public var interfaces: [Interface]

  /// One interface with no alternatives.
  public struct Interface: Equatable, Sendable {
    /// bInterfaceClass.
    public var classCode: UInt8
    /// bEndpointAddress, kind (2 bulk, 3 interrupt), wMaxPacketSize.
    public var endpoints: [Endpoint]
    /// The kernel driver that has it when it is plugged in.
    public var kernelDriver: String?

    /// An interface.
    public init(classCode: UInt8, endpoints: [Endpoint] = [], kernelDriver: String? = nil) {
      self.classCode = classCode
      self.endpoints = endpoints
      self.kernelDriver = kernelDriver
    }
  }

  /// One endpoint.
  public struct Endpoint: Equatable, Sendable {
    /// bEndpointAddress.
    public var address: UInt8
    /// 2 bulk, 3 interrupt.
    public var kind: UInt8
    /// wMaxPacketSize.
    public var packetSize: UInt16

    /// An endpoint.
    public init(_ address: UInt8, kind: UInt8, packetSize: UInt16) {
      self.address = address
      self.kind = kind
      self.packetSize = packetSize
    }
  }

  /// The device descriptor and the configuration with what belongs to it, as sysfs shows them (USB 2.0, 9.6).
  var descriptors: [UInt8] {
    var body: [UInt8] = []
    for (number, interface) in interfaces.enumerated() {
      body += [9, 4, UInt8(number), 0, UInt8(interface.endpoints.count), interface.classCode, 0, 0, 0]
      for endpoint in interface.endpoints {
        body += [7, 5, endpoint.address, endpoint.kind] + Self.bytes(endpoint.packetSize) + [1]
      }
    }
    let device =
      [18, 1, 0, 2, 0, 0, 0, 64] + Self.bytes(vendor) + Self.bytes(product) + [0, 1, 1, 2, serial.isEmpty ? 0 : 3, 1]
    return device + [9, 2] + Self.bytes(UInt16(9 + body.count)) + [UInt8(interfaces.count), 1, 0, 0x80, 50] + body
  }

  private static func bytes(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
