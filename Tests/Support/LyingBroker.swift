import CLinux
import Glibc
import LodestonePorts

/// A server at a port of the loopback address that answers whoever connects with bytes that a test chose, whatever it
/// is told. It is served by the test, or by a thread of its own.
public final class LyingBroker: @unchecked Sendable {
  /// Where it listens.
  public let endpoint: NetworkEndpoint
  private let listener: Int32
  private var clients: [Int32] = []
  private let lie: [UInt8]
  /// Another, and what the client must have said before it.
  private let later: (lie: [UInt8], after: [UInt8])?
  private let closes: Bool

  /// A broker with one answer, and perhaps another once the client has said something that ends with these bytes.
  /// - Parameter closes: the connection is closed behind it.
  public init(_ lie: [UInt8], later: (lie: [UInt8], after: [UInt8])? = nil, closes: Bool = false) throws {
    let socket = try ListeningSocket(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    endpoint = NetworkEndpoint(host: "127.0.0.1", port: socket.port)
    listener = socket.release()
    self.lie = lie
    self.later = later
    self.closes = closes
    listen(listener, 16)
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    for client in clients { close(client) }
    close(listener)
  }

  /// A broker that a thread serves for as long as the body runs.
  public static func serving<Result>(
    _ lie: [UInt8], later: (lie: [UInt8], after: [UInt8])? = nil, _ body: (NetworkEndpoint) throws -> Result
  ) throws -> Result {
    let broker = try LyingBroker(lie, later: later)
    let isOver = eventfd(0, Int32(EFD_CLOEXEC))
    let thread = try BackgroundThread {
      var entries = [
        pollfd(fd: isOver, events: Int16(POLLIN), revents: 0),
        pollfd(fd: broker.listener, events: Int16(POLLIN), revents: 0),
      ]
      while poll(&entries, 2, -1) > 0, entries[0].revents == 0 { broker.serve() }
    }
    defer {
      eventfd_write(isOver, 1)
      thread.join()
      close(isOver)
    }
    return try body(broker.endpoint)
  }

  /// Answers who has come.
  public func serve() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { return }
      say(lie, to: client)
      if let later, hears(later.after, from: client) { say(later.lie, to: client) }
      if closes { close(client) } else { clients.append(client) }
    }
  }

  private func say(_ bytes: [UInt8], to client: Int32) {
    var rest = bytes[...]
    // What the client does not take at once is not what matters.
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Waits until what the client says ends with these bytes; false where it goes before.
  private func hears(_ end: [UInt8], from client: Int32) -> Bool {
    var (heard, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while !(heard.count >= end.count && heard.suffix(end.count).elementsEqual(end)) {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      heard += buffer.prefix(count)
    }
    return true
  }
}
