/// One claimed interface of a USB device as a bridge's protocol sees it: control requests, and one endpoint each way
/// where the interface has them. Whoever provides it finds the endpoints in the descriptors and bounds every call.
///
/// Errors: `timeout`, `disconnected`, `stalled`, and `protocolViolation` for what else the host controller reports.
/// A provider never returns more bytes than were asked for; it may return fewer.
public protocol USBPipe: AnyObject {
  /// The device's vendor and product number.
  var identifier: USBIdentifier { get }

  /// The number of the interface, which class and vendor requests to it carry.
  var interfaceNumber: UInt8 { get }

  /// The packet size of the IN endpoint in bytes; 0 where there is none.
  var packetSize: Int { get }

  /// A control request with these bytes as its data stage.
  func control(_ request: USBRequest, sending bytes: [UInt8], milliseconds: Int) throws(BusError)

  /// A control request answered with at most `count` bytes.
  func control(_ request: USBRequest, receiving count: Int, milliseconds: Int) throws(BusError) -> [UInt8]

  /// Sends all bytes to the OUT endpoint.
  func send(_ bytes: [UInt8], milliseconds: Int) throws(BusError)

  /// Receives one transfer of at most `count` bytes from the IN endpoint; ends early on a short packet.
  func receive(_ count: Int, milliseconds: Int) throws(BusError) -> [UInt8]

  /// Waits at least this long.
  func wait(milliseconds: Double)
}

/// The setup packet of a control request without its length (USB 2.0, section 9.3).
public struct USBRequest: Equatable, Sendable {
  /// Direction, type and recipient (bmRequestType).
  public var type: UInt8
  /// The request (bRequest).
  public var request: UInt8
  /// wValue.
  public var value: UInt16
  /// wIndex.
  public var index: UInt16

  /// A setup packet.
  public init(type: UInt8, request: UInt8, value: UInt16 = 0, index: UInt16 = 0) {
    self.type = type
    self.request = request
    self.value = value
    self.index = index
  }
}

extension BusError {
  /// The device refused a USB request: it stalled the endpoint.
  public static let stalled = BusError.protocolViolation("the bridge refused a USB request (stall)")
}

extension USBPipe {
  /// Throws away what waits at the IN endpoint, so that the next answer belongs to the next question.
  func drain() throws(BusError) {
    for _ in 0..<64 {
      do {
        _ = try receive(max(packetSize, 1), milliseconds: 5)
      } catch {
        guard error == .timeout else { throw error }
        return
      }
    }
  }
}
