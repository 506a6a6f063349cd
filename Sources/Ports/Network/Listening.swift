import Glibc

extension Descriptor {
  /// A socket bound to an address of this machine. Without a host, and at `localhost`, it is 127.0.0.1, which only
  /// programs of this machine reach; `*` is every address.
  convenience init(boundTo endpoint: NetworkEndpoint, type: Int32) throws(SocketError) {
    var failure = SocketError.notOurAddress(endpoint)
    for host in Self.numericHosts(endpoint.host) {
      let addresses = try NameLookup.addresses(
        of: NetworkEndpoint(host: host, port: endpoint.port), datagrams: type == datagramSocket)
      for address in addresses {
        do {
          self.init(owning: try Self.bound(to: address, type: type))
          return
        } catch {
          failure = SocketError(endpoint, error)
        }
      }
    }
    throw failure
  }

  private static func numericHosts(_ host: String) -> [String] {
    switch host {
    // Whoever dials the name tries both of its addresses, and who dials the numbers means these.
    case "", "localhost": ["127.0.0.1"]
    case "*": ["::", "0.0.0.0"]  // the first hears IPv4 too, where the machine has IPv6
    default: [host]
    }
  }

  private static func bound(to address: SocketAddress, type: Int32) throws(SystemError) -> Int32 {
    let socket = try Descriptor(socketFor: address, type: type)
    // A restarted server gets its port back at once; for datagrams it would let another program take them away.
    if type == streamSocket { socket.set(SO_REUSEADDR, to: 1) }
    if address.family == AF_INET6 { socket.set(Int32(IPV6_V6ONLY), at: Int32(IPPROTO_IPV6), to: 0) }
    guard address.use({ bind(socket.number, $0, $1) }) == 0 else { throw SystemError("bind") }
    return socket.release()
  }
}
