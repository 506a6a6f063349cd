import LodestonePorts

/// A pseudo-terminal that another program takes for a serial port.
public final class PseudoTerminalSink: BoardSink, AddressedSink {
  /// `pty:` or `pty:LINK`.
  public static let scheme = "pty"
  /// Looks like a serial port.
  public static let example = "pty:LINK to look like a serial port"
  /// The bytes that a reader who does not keep up may leave waiting here, besides the system's own buffers.
  private static let capacity = 65_536

  /// Called when a program has come that may not know what was said before.
  public var onArrival: (() -> Void)?
  /// Called with what a program says.
  public var onInput: ((UnsafeRawBufferPointer) -> Void)?

  private let terminal: PseudoTerminal
  private let link: SymbolicLink?
  private let waits: Bool
  private var header: [UInt8] = []
  private var waiting: [UInt8] = []
  private var hasReader = false
  private var isFirstComing: Bool
  private var droppedCount = 0

  /// Any path of a link will do, or none.
  public static func accepts(_ address: String) -> Bool { true }

  /// A new pseudo-terminal; a reader that does not keep up loses messages.
  public convenience init(address: String) throws(SinkError) {
    let link = address.afterColon
    try self.init(link: link.isEmpty ? nil : link, waits: false, waitsForFirst: false)
  }

  /// A new pseudo-terminal.
  /// - Parameters:
  ///   - link: the path of a symbolic link to it; nil for none.
  ///   - waits: a slow reader is waited for instead of losing messages.
  ///   - waitsForFirst: nothing is to be sent before somebody has come.
  public init(link: String?, waits: Bool, waitsForFirst: Bool) throws(SinkError) {
    self.waits = waits
    isFirstComing = waitsForFirst
    let terminal: PseudoTerminal
    do {
      terminal = try PseudoTerminal()
    } catch {
      throw .port(.system(path: "a pseudo-terminal", error))
    }
    self.terminal = terminal
    do throws(SystemError) {
      self.link = try link.map { path throws(SystemError) in try SymbolicLink(at: path, to: terminal.path) }
    } catch {
      throw .link(link ?? "", error)
    }
  }

  /// The link, or the terminal itself.
  public var name: String { link?.path ?? terminal.path }

  /// Whether nothing may be sent yet: nobody has come for the first time, or a reader that is waited for has not caught
  /// up.
  public var isFull: Bool { isFirstComing || (waits && waiting.count >= Self.capacity) }

  /// Messages that a slow reader lost.
  public var losses: [SinkLoss] { droppedCount > 0 ? [.messages(droppedCount)] : [] }

  /// Notes the header that every program gets first.
  public func begin(_ stream: SinkStream) { greet(with: stream.header) }

  /// Notes the title that every program gets first, where there is no stream to begin.
  public func greet(with title: [UInt8]) { header = title }

  /// Sends lines to the program that has it open.
  public func send(_ lines: UnsafeRawBufferPointer) {
    guard hasReader else { return }
    guard waits || waiting.count + lines.count <= Self.capacity else {
      droppedCount += 1
      return
    }
    waiting.append(contentsOf: lines)
    flush()
  }

  private func flush() {
    while !waiting.isEmpty {
      guard case .bytes(let count) = waiting.withUnsafeBytes({ terminal.write($0) }), count > 0 else { return }
      waiting.removeFirst(count)
    }
  }

  /// The terminal, and who opens it.
  public func watch(with poller: inout Poller) {
    poller.watch(terminal.readerChanges, for: .readable)
    if hasReader {
      poller.watch(terminal.descriptor, for: waiting.isEmpty ? .readable : [.readable, .writable])
    } else {
      poller.forget(terminal.descriptor)  // without a reader it is hung up all the time
    }
  }

  /// Notes which program comes, and reads what it writes.
  public func serve(_ poller: Poller) {
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
    if isThere != hasReader {
      waiting.removeAll(keepingCapacity: true)
      terminal.discardUnread()
    }
    if isThere, !hasReader {
      isFirstComing = false
      waiting += header
      onArrival?()
    }
  }

  private func listen() {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      guard case .bytes(let count) = terminal.read(into: buffer) else { return }
      onInput?(UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    }
  }

  /// Waits for a reader that is still reading.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {
    var poller = Poller()
    while hasReader, !waiting.isEmpty || terminal.unreadByteCount > 0, MonotonicTime.now < deadline {
      poller.watch(terminal.readerChanges, for: .readable)
      if !waiting.isEmpty { poller.watch(terminal.descriptor, for: .writable) }
      // Nothing tells when the last byte is read: a hundred looks a second.
      do { try poller.wait(until: min(deadline, .now + 0.01)) } catch { throw .system(error) }
      serve(poller)
    }
  }
}
