import LodestonePorts

/// A port that datagrams come to. It is never lost: who sends may come and go.
final class UDPLink: ByteLink {
  let isLive = true
  var presence = Presence()
  let name: String
  var identity: String { name }
  let source: (any ByteSource)?

  init(at endpoint: NetworkEndpoint, as address: DeviceAddress) throws(StreamError) {
    name = address.withoutOptions
    do throws(SocketError) {
      source = try UDPListener(at: endpoint)
    } catch {
      throw .unreachable(name, error)
    }
  }
}
