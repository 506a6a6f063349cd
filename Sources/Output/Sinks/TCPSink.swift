import LodestonePorts

/// A TCP port that any number of programs may read from. A program that does not keep up is let go, or waited for.
public final class TCPSink: BoardSink, AddressedSink {
  /// `tcp://:10110`.
  public static let scheme = "tcp"
  /// Listens.
  public static let example = "tcp://:10110 to listen at a port, tcp://*:10110 for other machines too"
  /// The most that programs that are waited for are sent at once.
  public static let pieceByteCount = 4096

  /// Called when a program has come that may not know what was said before.
  public var onArrival: (() -> Void)?
  /// Called with what a program says.
  public var onInput: ((UnsafeRawBufferPointer) -> Void)? {
    didSet { publisher.onInput = { [unowned self] bytes in bytes.withUnsafeBytes { onInput?($0) } } }
  }

  private let publisher: TCPPublisher
  private let waits: Bool
  private var arrivalCount = 0
  private var isFirstComing: Bool

  /// `tcp://host:port` with or without a host; nil for anything else.
  private static func endpoint(_ address: String) -> NetworkEndpoint? { NetworkEndpoint(address: address.afterColon) }

  /// Whether it names a port to listen at.
  public static func accepts(_ address: String) -> Bool { endpoint(address) != nil }

  /// Listens at an address; a program that does not keep up is let go.
  public convenience init(address: String) throws(SinkError) {
    guard let endpoint = Self.endpoint(address) else { throw .badAddress(address) }
    try self.init(at: endpoint, name: address, waits: false, waitsForFirst: false)
  }

  /// Listens at an endpoint.
  /// - `name`: for errors.
  /// - `waits`: a program that does not keep up is waited for instead of let go.
  /// - `waitsForFirst`: nothing is to be sent before somebody has come.
  public init(at endpoint: NetworkEndpoint, name: String, waits: Bool, waitsForFirst: Bool) throws(SinkError) {
    do throws(SocketError) {
      publisher = try TCPPublisher(at: endpoint)
    } catch {
      throw .network(name, error)
    }
    self.waits = waits
    isFirstComing = waitsForFirst
  }

  /// The loopback address stands for all of them.
  public var name: String {
    let endpoint = publisher.endpoint
    let host = endpoint.host.isEmpty || endpoint.host == "*" ? "127.0.0.1" : endpoint.host
    return "tcp://\(NetworkEndpoint(host: host, port: endpoint.port))"
  }

  /// Whether nothing may be sent yet: nobody has come, or a client that is waited for has not caught up.
  public var isFull: Bool { isFirstComing || (waits && publisher.isFull(for: Self.pieceByteCount)) }

  /// Clients that were let go.
  public var losses: [SinkLoss] {
    let (dropped, refused) = (publisher.droppedClientCount, publisher.refusedClientCount)
    return (dropped > 0 ? [.clients(dropped)] : [])
      + (refused > 0 ? [.refusals(refused, limit: publisher.clientLimit)] : [])
  }

  /// Notes the header that every client gets first.
  public func begin(_ stream: SinkStream) { greet(with: stream.header) }

  /// Notes the title that every client gets first, where there is no stream to begin.
  public func greet(with title: [UInt8]) { publisher.greeting = title }

  /// Sends lines to all clients.
  public func send(_ lines: UnsafeRawBufferPointer) { publisher.publish(lines) }

  /// The port and its clients.
  public func watch(with poller: inout Poller) { publisher.watch(with: &poller) }

  /// Accepts clients, and sends what waits.
  public func serve(_ poller: Poller) {
    publisher.service(poller)
    guard publisher.arrivalCount > arrivalCount else { return }
    arrivalCount = publisher.arrivalCount
    isFirstComing = false
    onArrival?()
  }

  /// Waits for clients that are still reading, until a signal asks the program to end.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {
    guard waits else { return }
    var poller = Poller()
    while publisher.isWaiting {
      watch(with: &poller)
      do {
        guard try poller.waitUnlessAsked(until: deadline) else { return }
      } catch {
        throw .system(error)
      }
      serve(poller)
    }
  }
}
