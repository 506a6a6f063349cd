import LodestonePorts

/// Datagrams to one address, a record each. What the network does not take is lost.
public final class UDPSink: AddressedSink {
  /// `udp://host:port`.
  public static let scheme = "udp"
  /// Sends.
  public static let example = "udp://host:port to send datagrams"
  private let sender: UDPSender

  /// `udp://host:port`; nil for anything else.
  private static func endpoint(_ address: String) -> NetworkEndpoint? {
    NetworkEndpoint(address: address.afterColon).flatMap { $0.host.isEmpty || $0.port == 0 ? nil : $0 }
  }

  /// Whether it names a host and a port.
  public static func accepts(_ address: String) -> Bool { endpoint(address) != nil }

  /// Prepares to send. A name is looked up, which can take seconds.
  public init(address: String) throws(SinkError) {
    guard let endpoint = Self.endpoint(address) else { throw .badAddress(address) }
    do throws(SocketError) {
      sender = try UDPSender(to: endpoint)
    } catch {
      throw .network(address, error)
    }
  }

  /// The address that lines go to.
  public var name: String { "udp://\(sender.endpoint)" }

  /// Datagrams that were refused.
  public var losses: [SinkLoss] { sender.lostCount > 0 ? [.datagrams(sender.lostCount)] : [] }

  /// The header is a datagram of its own.
  public func begin(_ stream: SinkStream) {
    stream.header.withUnsafeBytes { if !$0.isEmpty { sender.send($0) } }
  }

  /// One datagram.
  public func send(_ lines: UnsafeRawBufferPointer) { sender.send(lines) }

  /// Watches nothing.
  public func watch(with poller: inout Poller) {}

  /// Does nothing.
  public func serve(_ poller: Poller) {}
}
