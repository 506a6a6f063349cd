import Glibc

/// Sends datagrams to one address, a broadcast address included, and never waits: what the network does not take is
/// lost, as is the way of datagrams. Of a name's addresses it stays at one that does not refuse them: `localhost` is
/// often two, and programs listen at one of them. A socket that fails is made anew: one that was connected from an
/// address which the machine has no longer, as in another network, would never send again.
public final class UDPSender {
  /// Whom they go to.
  public let endpoint: NetworkEndpoint
  /// Datagrams that could not be sent.
  public private(set) var lostCount = 0
  private let owned: Descriptor
  var descriptor: Int32 { owned.number }
  /// Every address of the endpoint, the one in use first.
  private var addresses: [SocketAddress]

  /// Prepares to send. A name is looked up, which can take seconds: make senders before the loop.
  public convenience init(to endpoint: NetworkEndpoint) throws(SocketError) {
    try self.init(to: endpoint, at: try NameLookup.addresses(of: endpoint, datagrams: true))
  }

  init(to endpoint: NetworkEndpoint, at addresses: [SocketAddress]) throws(SocketError) {
    self.endpoint = endpoint
    var failure = SocketError.unreachable(endpoint)
    for place in addresses.indices {
      do {
        owned = try Self.socket(to: addresses[place])
        self.addresses = Array(addresses[place...] + addresses[..<place])
        return
      } catch {
        failure = SocketError(endpoint, error)
      }
    }
    throw failure
  }

  private static func socket(to address: SocketAddress) throws(SystemError) -> Descriptor {
    let socket = try Descriptor(socketFor: address, type: datagramSocket)
    socket.set(SO_BROADCAST, to: 1)
    guard address.use({ connect(socket.number, $0, $1) }) == 0 else { throw SystemError("connect") }
    return socket
  }

  /// Goes on with a new socket, at the next address where there is another one.
  private func turn() {
    addresses.append(addresses.removeFirst())
    guard let next = addresses.first, let socket = try? Self.socket(to: next) else { return }
    try? owned.become(socket)
  }

  /// Sends one datagram.
  public func send(_ bytes: UnsafeRawBufferPointer) {
    // A refusal that an earlier datagram earned is reported by the next send; it says nothing about this one.
    for _ in 0..<2 {
      switch sendOutcome(owned.number, from: bytes) {
      case .bytes: return
      case .failed(let error) where error.code == ECONNREFUSED: if addresses.count > 1 { turn() }
      case .failed(let error) where error.code != EMSGSIZE: turn()
      case .gone: turn()
      case .wouldBlock, .failed:
        lostCount += 1
        return
      }
    }
    lostCount += 1
  }
}
