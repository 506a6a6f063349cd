/// The behaviour of an emulated USB device behind its descriptors. Called with the device's lock held.
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
  /// The answer of every device (USB 2.0, 9.4; HID 1.11, 7.1 and 7.2); nil for a request of its own.
  func standardReply(_ setup: USBSetup) -> [UInt8]? {
    switch (setup.type, setup.request) {
    case (0x80, 6), (0x81, 6): descriptor(UInt8(setup.value >> 8), UInt8(setup.value & 0xFF), setup.index)
    case (0x80, 0), (0x81, 0), (0x82, 0): [0, 0]
    case (0x80, 8): [1]
    case (0x00, 1), (0x00, 3), (0x00, 9), (0x01, 11), (0x02, 1), (0x21, 10): []
    default: nil
    }
  }

  private func descriptor(_ kind: UInt8, _ index: UInt8, _ interface: UInt16) -> [UInt8]? {
    switch (kind, index) {
    case (1, _): Array(identity.descriptors.prefix(18))
    case (2, _): Array(identity.descriptors.dropFirst(18))
    case (3, 0): [4, 3, 0x09, 0x04]
    case (3, 1): Self.stringDescriptor(identity.manufacturer)
    case (3, 2): Self.stringDescriptor(identity.name)
    case (3, 3): Self.stringDescriptor(identity.serial)
    case (0x22, _) where Int(interface) < identity.interfaces.count: identity.interfaces[Int(interface)].reports
    default: nil
    }
  }

  private static func stringDescriptor(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return [UInt8(2 + units.count), 3] + units
  }

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

  /// The eight bytes of a packet; nil where there are fewer.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    type = bytes[0]
    request = bytes[1]
    value = UInt16(bytes[2]) | UInt16(bytes[3]) << 8
    index = UInt16(bytes[4]) | UInt16(bytes[5]) << 8
    length = UInt16(bytes[6]) | UInt16(bytes[7]) << 8
  }

  /// The device answers with data.
  public var isIn: Bool { type & 0x80 != 0 }
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
    /// Of a human interface device: what its reports are (HID 1.11, 6.2.2).
    public var reports: [UInt8]

    /// An interface.
    public init(
      classCode: UInt8, endpoints: [Endpoint] = [], kernelDriver: String? = nil, reports: [UInt8] = []
    ) {
      self.classCode = classCode
      self.endpoints = endpoints
      self.kernelDriver = kernelDriver
      self.reports = reports
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
      if !interface.reports.isEmpty {
        body += [9, 0x21, 0x11, 0x01, 0, 1, 0x22] + Self.bytes(UInt16(interface.reports.count))
      }
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
