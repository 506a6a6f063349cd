import Drivers

/// A bridge's protocol joined to an emulated bridge with no USB between: for tests of the protocol alone.
public final class FunctionPipe: USBPipe {
  /// One exchange of bytes.
  public enum Exchange: Equatable, Sendable {
    /// A control request from the host.
    case control(USBRequest, sent: [UInt8])
    /// A control request to the host with so many bytes asked for.
    case controlIn(USBRequest, count: Int)
    /// To the OUT endpoint.
    case sent([UInt8])
    /// From the IN endpoint.
    case received([UInt8])
  }

  /// The emulated bridge.
  public let function: any USBFunction
  /// The packets on the wire, oldest first.
  public private(set) var exchanges: [Exchange] = []
  /// The bridge's waits altogether, in milliseconds.
  public private(set) var waited = 0.0
  /// Changes each answer from the bridge; a nil answer is a time-out. Set it to break things.
  public var tamper: (([UInt8]) throws(BusError) -> [UInt8]?)?

  /// The interface of the function that has the class `interfaceClass`.
  public init(_ function: any USBFunction, interfaceClass: UInt8) {
    self.function = function
    function.powerUp()
    let interfaces = function.identity.interfaces
    let index = interfaces.firstIndex { $0.classCode == interfaceClass } ?? 0
    interfaceNumber = UInt8(index)
    let input = interfaces[index].endpoints.first { $0.address & 0x80 != 0 && ($0.kind == 2 || interfaceClass == 3) }
    packetSize = Int(input?.packetSize ?? 0)
  }

  /// The emulated bridge's.
  public var identifier: USBIdentifier { USBIdentifier(function.identity.vendor, function.identity.product) }
  /// The number of the interface.
  public let interfaceNumber: UInt8
  /// The packet size of its IN endpoint.
  public let packetSize: Int

  /// Forgets what went over the wire so far.
  public func clearExchanges() { exchanges.removeAll() }

  /// A control request.
  public func control(_ request: USBRequest, sending bytes: [UInt8], milliseconds: Int) throws(BusError) {
    exchanges.append(.control(request, sent: bytes))
    guard function.control(USBSetup(request, length: bytes.count), bytes) != nil else { throw .stalled }
    if let tamper, try tamper([]) == nil { throw .timeout }
  }

  /// A control request with an answer.
  public func control(_ request: USBRequest, receiving count: Int, milliseconds: Int) throws(BusError) -> [UInt8] {
    exchanges.append(.controlIn(request, count: count))
    guard let answer = function.control(USBSetup(request, length: count), []) else { throw .stalled }
    return Array(try tampered(Array(answer.prefix(count))).prefix(count))
  }

  /// To the OUT endpoint.
  public func send(_ bytes: [UInt8], milliseconds: Int) throws(BusError) {
    exchanges.append(.sent(bytes))
    guard function.receive(bytes) else { throw .stalled }
  }

  /// From the IN endpoint.
  public func receive(_ count: Int, milliseconds: Int) throws(BusError) -> [UInt8] {
    guard let answer = function.send(limit: count) else { throw .timeout }
    let bytes = Array(try tampered(answer).prefix(count))
    exchanges.append(.received(bytes))
    return bytes
  }

  private func tampered(_ answer: [UInt8]) throws(BusError) -> [UInt8] {
    guard let tamper else { return answer }
    guard let changed = try tamper(answer) else { throw .timeout }
    return changed
  }

  /// Only notes it; the bus behind lets the time pass.
  public func wait(milliseconds: Double) { waited += milliseconds }
}

extension USBSetup {
  init(_ request: USBRequest, length: Int) {
    type = request.type
    self.request = request.request
    value = request.value
    index = request.index
    self.length = UInt16(clamping: length)
  }
}
