import Drivers
import LodestonePorts

/// A CAN bus with NMEA 2000: the frames of each record, from an address of its own that it claims and defends. Nothing
/// is sent before the address is its own.
public final class CANSink: AddressedSink {
  /// `can:can0`.
  public static let scheme = "can"
  /// Sends on a bus.
  public static let example = "can:can0 to send NMEA 2000 on a CAN bus"
  /// NMEA 2000, whose lines hold frames.
  public static let format: (any Format.Type)? = NMEA2000Format.self

  private let socket: CANSocket
  private var node: NMEA2000Node?
  private var clock = MonotonicTime.now

  /// An interface's name.
  private static func interface(_ address: String) -> String? {
    let name = address.afterColon
    return (1...15).contains(name.utf8.count) && !name.contains("/") ? name : nil
  }

  /// Whether it names an interface.
  public static func accepts(_ address: String) -> Bool { interface(address) != nil }

  /// Opens the interface.
  public init(address: String) throws(SinkError) {
    guard let interface = Self.interface(address) else { throw .badAddress(address) }
    do throws(PortError) {
      socket = try CANSocket(interface: interface)
    } catch {
      throw .port(error)
    }
  }

  /// The address, with the interface's name.
  public var name: String { "can:" + socket.interface }

  /// Frames that the bus did not take.
  public var losses: [SinkLoss] { socket.lostCount > 0 ? [.frames(socket.lostCount)] : [] }

  private var now: Double { MonotonicTime.now - clock }

  /// Claims an address.
  public func begin(_ stream: SinkStream) {
    guard node == nil else { return }
    node = NMEA2000Node(device: stream.facts.device)
    node?.claim(at: now) { socket.send($0) }
  }

  /// Sends the frames of raw lines; none while the address is not its own.
  public func send(_ lines: UnsafeRawBufferPointer) {
    guard let node, let address = node.address, node.isReady(at: now) else { return }
    let bytes = Span<UInt8>(_unsafeBytes: lines)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != UInt8(ascii: "\r") { end += 1 }
      if let frame = CANFrame(ydwg: bytes.extracting(start..<end)) { socket.send(frame.sent(from: address)) }
      start = end + 2
    }
  }

  /// Watches for claims and requests of others.
  public func watch(with poller: inout Poller) { poller.watch(socket.descriptor, for: .readable) }

  /// Answers claims and requests of others.
  public func serve(_ poller: Poller) {
    // An error too, as of an interface that went down: it is reported until it is read.
    guard !poller.readiness(of: socket.descriptor).isEmpty else { return }
    while let frame = socket.receive() { node?.receive(frame, at: now) { socket.send($0) } }
  }
}
