import Glibc

/// Sends datagrams to one address, a broadcast address included, and never waits: what the network does not take is
/// lost, as is the way of datagrams.
public final class UDPSender {
  /// Whom they go to.
  public let endpoint: NetworkEndpoint
  /// Datagrams that could not be sent.
  public private(set) var lostCount = 0
  private let owned: Descriptor

  /// Prepares to send. A name is looked up, which can take seconds: make senders before the loop.
  public init(to endpoint: NetworkEndpoint) throws(SocketError) {
    self.endpoint = endpoint
    let addresses = try SocketAddress.all(of: endpoint, isNumeric: false, datagrams: true)
    guard let address = addresses.first else { throw .unreachable(endpoint) }
    do throws(SystemError) {
      owned = try Descriptor(socketFor: address, type: datagramSocket)
      owned.set(SO_BROADCAST, to: 1)
      let number = owned.number
      guard address.use({ connect(number, $0, $1) }) == 0 else { throw SystemError("connect") }
    } catch {
      throw SocketError(endpoint, error)
    }
  }

  /// Sends one datagram.
  public func send(_ bytes: UnsafeRawBufferPointer) {
    // A refusal that an earlier datagram earned is reported by the next send; it says nothing about this one.
    for _ in 0..<2 {
      switch sendOutcome(owned.number, from: bytes) {
      case .bytes: return
      case .failed(let error) where error.code == ECONNREFUSED: continue
      default:
        lostCount += 1
        return
      }
    }
    lostCount += 1
  }
}
