/// Why a connection to a broker ended, for the user.
struct BrokerFailure: Error {
  let reason: String
  let trouble: BrokerTrouble

  init(_ reason: String, _ trouble: BrokerTrouble = .other) { (self.reason, self.trouble) = (reason, trouble) }

  init(_ failure: TLSSession.Failure) {
    self.init(failure.reason, failure.fault.map { .untrusted($0) } ?? .other)
  }

  init(_ error: SocketError) {
    switch error {
    case .unknownHost(_, let reason): self.init(reason.lowercased(), .unreachable)
    case .refused: self.init("connection refused", .unreachable)
    case .unreachable: self.init("no route to host", .unreachable)
    case .timedOut: self.init("no answer", .unreachable)
    case .notPermitted: self.init("permission denied")
    case .portInUse, .notOurAddress: self.init("not an address to connect to")
    case .system(_, let error): self.init(error.message.lowercased())
    }
  }
}

/// Bytes to and from a broker, through TLS where wanted, without waiting. What it keeps for a peer that does not read
/// is bounded: nothing more is read from it meanwhile.
final class BrokerConnection {
  /// Bytes that may wait to be sent before reading stops.
  private static let unsentLimit = 262_144

  private let client: TCPClient
  private let session: TLSSession?
  private var outgoing: [UInt8] = []
  private var isOpen = false

  /// Begins to connect.
  init(to endpoint: NetworkEndpoint, _ context: TLSContext?) throws(BrokerFailure) {
    do throws(SocketError) { client = try TCPClient(to: endpoint) } catch { throw BrokerFailure(error) }
    session = context.flatMap { TLSSession(to: endpoint.host, $0) }
    if context != nil, session == nil { throw BrokerFailure("out of memory") }
  }

  var descriptor: Int32 { client.descriptor }

  var interest: Poller.Interest {
    guard client.isConnected else { return client.interest }
    if outgoing.isEmpty { return .readable }
    return isBlocked ? .writable : [.readable, .writable]
  }

  /// When to go on with connecting though nothing became ready; nil once the connection stands.
  var deadline: MonotonicTime? { client.deadline }

  /// Bytes that wait to be sent.
  var unsentCount: Int { outgoing.count }
  private var isBlocked: Bool { outgoing.count >= Self.unsentLimit }

  /// Goes on with connecting as far as it can; true once bytes can be sent.
  func advance() throws(BrokerFailure) -> Bool {
    if isOpen { return true }
    do throws(SocketError) {
      guard try client.advance() else { return false }
    } catch {
      throw BrokerFailure(error)
    }
    guard let session else {
      isOpen = true
      return true
    }
    _ = try receive { _ throws(BrokerFailure) in }
    do throws(TLSSession.Failure) { isOpen = try session.handshake() } catch { throw BrokerFailure(error) }
    try flush()
    return isOpen
  }

  /// Encrypts and sends, as far as there is room now.
  func send(_ bytes: [UInt8]) throws(BrokerFailure) {
    guard let session else {
      outgoing += bytes
      return try flush()
    }
    do throws(TLSSession.Failure) {
      try bytes.span.withUnsafeBytes { bytes throws(TLSSession.Failure) in try session.write(bytes) }
    } catch {
      throw BrokerFailure(error)
    }
    try flush()
  }

  /// Sends what waits, as far as there is room now.
  func flush() throws(BrokerFailure) {
    session?.takeOutgoing(into: &outgoing)
    while !outgoing.isEmpty {
      switch outgoing.withUnsafeBytes({ client.write($0) }) {
      case .bytes(let count): outgoing.removeFirst(count)
      case .wouldBlock: return
      case .gone: throw BrokerFailure("the broker closed the connection")
      case .failed(let error): throw BrokerFailure(error.message.lowercased())
      }
    }
  }

  /// Hands over what has arrived, a bounded part of it at a time.
  func receive(_ take: (Span<UInt8>) throws(BrokerFailure) -> Void) throws(BrokerFailure) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    defer { chunk.deallocate() }
    for _ in 0..<4 where !isBlocked {
      switch client.read(into: chunk) {
      case .bytes(let count):
        let arrived = UnsafeRawBufferPointer(rebasing: chunk.prefix(count))
        guard let session else {
          try take(Span(_unsafeBytes: arrived))
          continue
        }
        try decrypt(arrived, by: session, take)
      case .wouldBlock: return
      case .ended, .gone: throw BrokerFailure("the broker closed the connection")
      case .failed(let error): throw BrokerFailure(error.message.lowercased())
      }
    }
  }

  private func decrypt(
    _ bytes: UnsafeRawBufferPointer, by session: TLSSession, _ take: (Span<UInt8>) throws(BrokerFailure) -> Void
  ) throws(BrokerFailure) {
    let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 16)
    defer { plain.deallocate() }
    do throws(TLSSession.Failure) {
      try session.receive(bytes)
      guard try session.handshake() else { return }
    } catch {
      throw BrokerFailure(error)
    }
    while true {
      let count: Int
      do throws(TLSSession.Failure) { count = try session.read(into: plain) } catch {
        throw BrokerFailure(error)
      }
      guard count > 0 else { return }
      try take(Span(_unsafeBytes: UnsafeRawBufferPointer(rebasing: plain.prefix(count))))
    }
  }
}
