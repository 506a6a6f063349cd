import LodestonePorts

/// A TCP connection that is made again when it breaks. A first connection that fails is an error; later ones are tried
/// after a pause that doubles from one failure to the next.
final class TCPLink: ByteLink {
  /// Seconds before the first new try, and at most.
  private static let pauses = 0.5...30.0
  /// Seconds after which a connection counts as good: the next pause is short again.
  private static let goodSeconds = 10.0

  let isLive = true
  let isConnection = true
  let name: String
  var identity: String { name }
  private let endpoint: NetworkEndpoint
  private let greeting: [UInt8]
  private let reconnects: Bool
  private var client: TCPClient?
  private var retryTime: MonotonicTime?
  private var pause = pauses.lowerBound
  private var stoodSince: MonotonicTime?

  init(
    to endpoint: NetworkEndpoint, as address: DeviceAddress, greeting: [UInt8] = [], reconnects: Bool
  ) throws(StreamError) {
    name = address.withoutOptions
    self.endpoint = endpoint
    self.greeting = greeting
    self.reconnects = reconnects
    do throws(SocketError) {
      client = try TCPClient(to: endpoint, greeting: greeting)
    } catch {
      throw .unreachable(name, error)
    }
  }

  var source: (any ByteSource)? { client?.isConnected == true ? client : nil }
  var descriptor: Int32? { client?.descriptor }
  var interest: Poller.Interest { client?.interest ?? .readable }
  var wakeTime: MonotonicTime? { client == nil ? retryTime : client?.deadline }

  func lose() -> Bool {
    guard reconnects else { return false }
    let now = MonotonicTime.now
    if let stoodSince, now - stoodSince > Self.goodSeconds { pause = Self.pauses.lowerBound }
    rest(now)
    return true
  }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    do throws(SocketError) {
      if client == nil {
        guard let due = retryTime, due <= now else { return false }
        client = try TCPClient(to: endpoint, greeting: greeting)
      }
      guard try client?.advance() == true else { return false }
      stoodSince = now
      return true
    } catch {
      guard stoodSince != nil, reconnects else { throw .unreachable(name, error) }
      rest(now)
      return false
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    guard let client, client.isConnected else { return false }
    return bytes.withUnsafeBytes({ client.write($0) }) == .bytes(bytes.count)
  }

  /// Gives the connection up for a while.
  private func rest(_ now: MonotonicTime) {
    client = nil
    retryTime = now + pause
    pause = min(2 * pause, Self.pauses.upperBound)
  }
}
