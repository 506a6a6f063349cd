import Ports

/// Where simulated or replayed bytes are offered to other programs.
protocol Outlet: LoopCompanion {
  /// What a program opens to get them.
  var name: String { get }
  /// Called when a program has come that may not know what was said before.
  var onArrival: (() -> Void)? { get set }
  /// Called with what a program says.
  var onInput: ((UnsafeRawBufferPointer) -> Void)? { get set }
  /// What slow readers did not get, in words; nil when they got everything.
  var losses: String? { get }
  /// Sends bytes to whoever is there; they belong together.
  func send(_ bytes: UnsafeRawBufferPointer)
  /// Gives readers until the deadline to take what waits.
  func finish(until deadline: MonotonicTime) throws(SystemError)
}

/// A pseudo-terminal that another program takes for a board.
final class PseudoTerminalOutlet: Outlet {
  /// What a reader that does not keep up may leave waiting here, besides the system's own buffers.
  private static let capacity = 65_536

  var onArrival: (() -> Void)?
  var onInput: ((UnsafeRawBufferPointer) -> Void)?
  /// Messages that a slow reader lost.
  private var droppedCount = 0

  private let terminal: PseudoTerminal
  private let link: SymbolicLink?
  private let drops: Bool
  private var waiting: [UInt8] = []
  private var hasReader = false
  private var isFirstComing = true

  /// A new pseudo-terminal.
  /// - Parameters:
  ///   - link: a path that shall lead to it.
  ///   - drops: a slow reader loses messages; otherwise it is waited for.
  init(link: String?, drops: Bool) throws(Failure) {
    self.drops = drops
    let terminal: PseudoTerminal
    do {
      terminal = try PseudoTerminal()
    } catch {
      throw Failure(.inputOutput, "can't make a pseudo-terminal: \(error.message.lowercased())")
    }
    self.terminal = terminal
    self.link = try link.map { path throws(Failure) in try SymbolicLink(at: path, to: terminal.path) }
  }

  var name: String { link?.path ?? terminal.path }

  /// Until somebody has come for the first time, and while one who is waited for has not caught up.
  var isFull: Bool { isFirstComing || (!drops && waiting.count >= Self.capacity) }

  var losses: String? { lossWords(droppedCount, "message", of: "the reader") }

  func send(_ bytes: UnsafeRawBufferPointer) {
    guard hasReader else { return }
    guard !drops || waiting.count + bytes.count <= Self.capacity else {
      droppedCount += 1
      return
    }
    waiting.append(contentsOf: bytes)
    flush()
  }

  private func flush() {
    while !waiting.isEmpty {
      guard case .bytes(let count) = waiting.withUnsafeBytes({ terminal.write($0) }), count > 0 else { return }
      waiting.removeFirst(count)
    }
  }

  func watch(with poller: inout Poller) {
    poller.watch(terminal.readerChanges, for: .readable)
    if hasReader {
      poller.watch(terminal.descriptor, for: waiting.isEmpty ? .readable : [.readable, .writable])
    } else {
      poller.forget(terminal.descriptor)  // without a reader it is hung up all the time
    }
  }

  func serve(_ poller: Poller) {
    if !poller.readiness(of: terminal.readerChanges).isEmpty
      || poller.readiness(of: terminal.descriptor).contains(.hungUp)
    {
      noteReaders()
    }
    guard hasReader else { return }
    listen()
    flush()
  }

  private func noteReaders() {
    let isThere = terminal.noteReaderChanges()
    defer { hasReader = isThere }
    if !isThere { waiting.removeAll(keepingCapacity: true) }
    if isThere, !hasReader {
      isFirstComing = false
      onArrival?()
    }
  }

  private func listen() {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      guard case .bytes(let count) = terminal.read(into: buffer) else { return }
      onInput?(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    }
  }

  func finish(until deadline: MonotonicTime) throws(SystemError) {
    var poller = Poller()
    while hasReader, !waiting.isEmpty || terminal.unreadByteCount > 0, MonotonicTime.now < deadline {
      poller.watch(terminal.readerChanges, for: .readable)
      if !waiting.isEmpty { poller.watch(terminal.descriptor, for: .writable) }
      // Nothing tells when the last byte is read: a hundred looks a second.
      try poller.wait(until: min(deadline, .now + 0.01))
      serve(poller)
    }
  }
}

/// A TCP port that any number of programs may read from.
final class TCPOutlet: Outlet {
  var onArrival: (() -> Void)?
  var onInput: ((UnsafeRawBufferPointer) -> Void)?
  /// The most that programs that are waited for are sent at once.
  static let pieceByteCount = 4096

  private let publisher: TCPPublisher
  private let drops: Bool
  private var clientCount = 0
  private var isFirstComing = true

  /// Listens at `PORT` of this machine, or at `host:port`, `*:port` for all its addresses.
  /// - Parameter drops: a program that does not keep up is let go; otherwise it is waited for.
  init(_ place: String, drops: Bool) throws(Failure) {
    self.drops = drops
    guard let endpoint = NetworkEndpoint(address: "//" + (place.contains(":") ? place : ":" + place)) else {
      throw Failure(.usage, "can't listen at '\(place)'", hint: "give a port, or host:port")
    }
    do {
      publisher = try TCPPublisher(at: endpoint)
    } catch {
      throw Failure(error, name: place)
    }
    publisher.onInput = { [unowned self] bytes in bytes.withUnsafeBytes { onInput?($0) } }
  }

  var name: String {
    let endpoint = publisher.endpoint
    let host = endpoint.host.isEmpty || endpoint.host == "*" ? "127.0.0.1" : endpoint.host
    return "tcp://\(NetworkEndpoint(host: host, port: endpoint.port))"
  }

  var isFull: Bool { isFirstComing || (!drops && publisher.isFull(for: Self.pieceByteCount)) }

  var losses: String? { lossWords(publisher.droppedClientCount, "client", of: "they") }

  func send(_ bytes: UnsafeRawBufferPointer) { publisher.publish(bytes) }

  func watch(with poller: inout Poller) { publisher.watch(with: &poller) }

  func serve(_ poller: Poller) {
    publisher.service(poller)
    if publisher.clientCount > clientCount {
      isFirstComing = false
      onArrival?()
    }
    clientCount = publisher.clientCount
  }

  func finish(until deadline: MonotonicTime) throws(SystemError) {
    var poller = Poller()
    while publisher.isWaiting, MonotonicTime.now < deadline {
      watch(with: &poller)
      try poller.wait(until: deadline)
      serve(poller)
    }
  }
}
