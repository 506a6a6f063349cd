import Glibc

/// Datagrams sent to a port of this machine. Each read brings one of them whole.
public final class UDPListener: ByteSource {
  /// Where it listens, with the port that the system chose where 0 was asked for.
  public let endpoint: NetworkEndpoint
  /// Datagrams that were longer than the buffer and were thrown away.
  public private(set) var oversizedCount = 0
  private let owned: Descriptor

  /// For poll(2).
  public var descriptor: Int32 { owned.number }

  /// Listens at an address of this machine: without a host at the loopback address, with `*` at all of them.
  public init(at endpoint: NetworkEndpoint) throws(SocketError) {
    owned = try Descriptor(boundTo: endpoint, type: datagramSocket)
    self.endpoint = NetworkEndpoint(host: endpoint.host, port: SocketAddress(of: owned.number)?.port ?? endpoint.port)
  }

  /// The next datagram. An empty one, and one that the buffer does not hold, is passed over; 65,536 bytes hold any.
  public func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    for _ in 0..<64 {
      let count = uninterrupted { recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC)) }
      if count > buffer.count {
        oversizedCount += 1
      } else if count > 0 {
        return .bytes(count)
      } else if count < 0 {
        return errno == EAGAIN ? .wouldBlock : .failed(SystemError("recv"))
      }
    }
    return .wouldBlock  // a flood of nothing must not keep the loop here
  }
}
