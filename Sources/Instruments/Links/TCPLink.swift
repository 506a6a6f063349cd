import LodestonePorts

/// A TCP connection that is made again when it breaks. A first connection that fails is an error; later ones are tried
/// after a pause that doubles from one failure to the next.
final class TCPLink: ByteLink {
  let isLive = true
  let sender: StreamNotice.Silent
  let name: String
  var identity: String { name }
  private let endpoint: NetworkEndpoint
  private let greeting: [UInt8]
  var presence: Presence
  private var client: TCPClient?

  init(
    to endpoint: NetworkEndpoint, as address: DeviceAddress, greeting: [UInt8] = [],
    sender: StreamNotice.Silent = .board, reconnects: Bool
  ) throws(StreamError) {
    self.sender = sender
    name = address.withoutOptions
    self.endpoint = endpoint
    self.greeting = greeting
    presence = Presence(isAwaited: reconnects, isConnection: true, pauses: 0.5...30)
    do throws(SocketError) {
      client = try TCPClient(to: endpoint, greeting: greeting)
    } catch {
      throw .unreachable(name, error)
    }
  }

  var source: (any ByteSource)? { client?.isConnected == true ? client : nil }
  var descriptor: Int32? { client?.descriptor }
  var interest: Poller.Interest { client?.interest ?? .readable }
  var wakeTime: MonotonicTime? { client == nil ? presence.nextLook : client?.deadline }

  func close() { client = nil }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    do throws(SocketError) {
      if client == nil {
        guard presence.isDue(now) else { return false }
        client = try TCPClient(to: endpoint, greeting: greeting)
      }
      return try client?.advance() == true
    } catch {
      guard presence.wasFound, presence.isAwaited else { throw .unreachable(name, error) }
      client = nil
      presence.miss(now)
      return false
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    guard let client, client.isConnected else { return false }
    return bytes.withUnsafeBytes({ client.write($0) }) == .bytes(bytes.count)
  }
}
