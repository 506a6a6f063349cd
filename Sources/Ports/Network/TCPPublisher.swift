import CLinux
import Glibc

/// Offers a stream of lines to any number of programs that connect. None of them can delay the stream: what a client
/// does not read in time fills its queue, and a client whose queue is full is dropped.
public final class TCPPublisher {
  private struct Client {
    let socket: Descriptor
    var queue: LineQueue
    /// The beginning of a line that it has not ended yet; used where lines are answered.
    var line: [UInt8] = []
    /// Whether it says nothing more, though it may still read.
    var hasSaidAll = false

    /// The conditions to poll for. The end of what it says would be reported without end.
    var interest: Poller.Interest {
      var interest: Poller.Interest = hasSaidAll ? [] : .readable
      if !queue.isEmpty { interest.insert(.writable) }
      return interest
    }
  }

  /// The answer to a line that a client has sent.
  public enum Answer: Sendable {
    /// These bytes, to it alone.
    case bytes([UInt8])
    /// Nothing more: it is let go.
    case hangUp
  }

  /// The longest line that is answered; a client that sends a longer one is let go.
  private static let longestLine = 256

  /// Where it listens, with the port that the system chose where 0 was asked for.
  public let endpoint: NetworkEndpoint
  /// Clients dropped because they did not read fast enough.
  public private(set) var droppedClientCount = 0
  /// Clients turned away because there were too many.
  public private(set) var refusedClientCount = 0
  /// The most there may be.
  public let clientLimit: Int
  /// Something waits for a client to take it.
  public var isWaiting: Bool { clients.contains { !$0.queue.isEmpty } }
  /// Whether this many bytes more would drop a client that has not taken the bytes before.
  public func isFull(for byteCount: Int) -> Bool { clients.contains { $0.queue.room < byteCount } }
  /// Clients that were taken so far.
  public private(set) var arrivalCount = 0
  /// Clients connected now.
  public var clientCount: Int { clients.count }
  /// The bytes that a new client gets first.
  public var greeting: [UInt8] = []
  /// Called with what clients have said; without it that is thrown away.
  public var onInput: (([UInt8]) -> Void)?
  /// Answers a line of a client, without its end; nil where clients are only listened to.
  public var answer: ((_ line: [UInt8]) -> Answer)?

  private let listener: Descriptor
  private let queueByteCount: Int
  private var clients: [Client] = []
  /// Dropped, and to be closed when the poller has forgotten them.
  private var leaving: [Descriptor] = []
  /// The system had no descriptor left for a new client: rests until then, or until the next lines. The poll loop would
  /// spin.
  private var restEnd: MonotonicTime?
  private static let rest = 1.0

  /// Listens at an address of this machine: without a host at the loopback address, with `*` at all of them.
  public init(at endpoint: NetworkEndpoint, clientLimit: Int = 64, queueByteCount: Int = 65_536) throws(SocketError) {
    listener = try Descriptor(boundTo: endpoint, type: streamSocket)
    self.endpoint = NetworkEndpoint(
      host: endpoint.host, port: SocketAddress(of: listener.number)?.port ?? endpoint.port)
    self.clientLimit = clientLimit
    self.queueByteCount = queueByteCount
    guard listen(listener.number, SOMAXCONN) == 0 else { throw SocketError(endpoint, SystemError("listen")) }
  }

  deinit { for client in clients { client.queue.deallocate() } }

  /// Watches the listener and every client. Call before each wait, with the same poller.
  public func watch(with poller: inout Poller) {
    for socket in leaving { poller.forget(socket.number) }
    leaving.removeAll()
    if let restEnd, restEnd <= .now { self.restEnd = nil }
    if restEnd == nil { poller.watch(listener.number, for: .readable) } else { poller.forget(listener.number) }
    for client in clients { poller.watch(client.socket.number, for: client.interest) }
  }

  /// Queues whole lines for every client, and sends what can be sent without waiting.
  public func publish(_ lines: UnsafeRawBufferPointer) {
    restEnd = nil
    for index in clients.indices.reversed() {
      guard clients[index].queue.append(lines) else {
        droppedClientCount += 1
        drop(index)
        continue
      }
      if !send(to: index) { drop(index) }
    }
  }

  /// Takes new clients, sends to those that have room, and lets go of those that have left. Call after each wait.
  public func service(_ poller: Poller) {
    var heard: [UInt8] = []
    for index in clients.indices.reversed() {
      let readiness = poller.readiness(of: clients[index].socket.number)
      guard !readiness.isEmpty else { continue }
      if hasLeft(index, readiness, &heard) || !send(to: index) { drop(index) }
    }
    if poller.readiness(of: listener.number).contains(.readable) { acceptClients() }
    if !heard.isEmpty { onInput?(heard) }  // when the clients are settled: it may publish
  }

  /// Reads a bounded piece of what a client says, and sees its end. One that has only ended its own part (`nc -N`) is
  /// sent more; whether it has closed all, the next bytes for it show. Where it is answered it has no more to ask.
  private func hasLeft(_ index: Int, _ readiness: Poller.Readiness, _ heard: inout [UInt8]) -> Bool {
    if !readiness.isDisjoint(with: [.hungUp, .failed, .invalid]) { return true }
    guard readiness.contains(.readable) else { return false }
    return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      switch readOutcome(clients[index].socket.number, into: buffer, atZero: .ended) {
      case .bytes(let count):
        if onInput != nil { heard += buffer.prefix(count) }
        return answer.map { !reply(to: index, buffer.prefix(count), $0) } ?? false
      case .wouldBlock: return false
      case .ended:
        clients[index].hasSaidAll = true
        return answer != nil
      case .gone, .failed: return true
      }
    }
  }

  /// Answers the lines of a client; false where it is to be let go.
  private func reply(
    to index: Int, _ bytes: Slice<UnsafeMutableRawBufferPointer>, _ answer: (_ line: [UInt8]) -> Answer
  ) -> Bool {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        clients[index].line.append(byte)
        guard clients[index].line.count <= Self.longestLine else { return false }
        continue
      }
      let line = clients[index].line
      clients[index].line.removeAll(keepingCapacity: true)
      guard case .bytes(let reply) = answer(line),
        reply.withUnsafeBytes({ $0.isEmpty || clients[index].queue.append($0) })
      else {
        _ = send(to: index)
        return false
      }
    }
    return true
  }

  /// False when the client has gone.
  private func send(to index: Int) -> Bool {
    while !clients[index].queue.isEmpty {
      switch sendOutcome(clients[index].socket.number, from: clients[index].queue.waiting) {
      case .bytes(let count): clients[index].queue.removeFirst(count)
      case .wouldBlock: return true
      case .gone, .failed: return false
      }
    }
    return true
  }

  private func drop(_ index: Int) {
    let client = clients.remove(at: index)
    client.queue.deallocate()
    shutdown(client.socket.number, Int32(SHUT_RDWR))
    leaving.append(client.socket)
  }

  private func acceptClients() {
    for _ in 0..<16 {
      let number = uninterrupted { linux_accept(listener.number) }
      guard number >= 0 else {
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { restEnd = .now + Self.rest }
        return
      }
      add(Descriptor(owning: number))
    }
  }

  private func add(_ socket: Descriptor) {
    // A peer that has ended its own part may be gone altogether: it makes room first.
    if clients.count >= clientLimit, let index = clients.firstIndex(where: { $0.hasSaidAll }) { drop(index) }
    guard clients.count < clientLimit else {
      refusedClientCount += 1
      return
    }
    socket.set(Int32(TCP_NODELAY), at: Int32(IPPROTO_TCP), to: 1)
    // The system's own buffer grows to megabytes, which is minutes of old headings.
    socket.set(SO_SNDBUF, to: Int32(clamping: queueByteCount))
    socket.noticeSilence()
    var queue = LineQueue(capacity: queueByteCount)
    greeting.withUnsafeBytes { _ = $0.isEmpty || queue.append($0) }
    clients.append(Client(socket: socket, queue: queue))
    arrivalCount += 1
  }
}
