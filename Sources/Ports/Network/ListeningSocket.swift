/// A TCP port of this machine that is bound but does not listen yet: for a server that does that itself.
public final class ListeningSocket {
  /// The port, which the system chose where 0 was asked for.
  public let port: UInt16
  /// Only programs of this machine can reach it.
  public let isLoopback: Bool
  private let socket: Descriptor

  /// Binds to an address of this machine: without a host to the loopback address, with `*` to all of them.
  public init(at endpoint: NetworkEndpoint) throws(SocketError) {
    socket = try Descriptor(boundTo: endpoint, type: streamSocket)
    let address = SocketAddress(of: socket.number)
    port = address?.port ?? endpoint.port
    isLoopback = address?.isLoopback ?? false
  }

  /// Hands the descriptor to its server, which closes it.
  public func release() -> Int32 { socket.release() }
}
