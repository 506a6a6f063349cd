import CLinux
import Glibc
import LodestonePorts
import Synchronization

/// A board on a pseudo-terminal: says its messages at a steady rate from a thread of its own, as long as somebody has
/// the port open, until it is unplugged or goes away.
public final class PtyBoard: Sendable {
  /// The messages to say, counted from 0; nil when there is nothing more to say.
  public typealias Script = @Sendable (_ number: Int) -> [UInt8]?
  /// The answer to what has just been heard.
  public typealias Reply = @Sendable (_ heard: [UInt8]) -> [UInt8]

  /// The port to open.
  public let path: String
  private let state: State

  private final class State: Sendable {
    let isUnplugged = Atomic(false)
    let said = Atomic(0)
    let heard = Mutex<[UInt8]>([])
    let kept = Mutex<[UInt8]>([])
    let bell: Int32  // an eventfd, rung to end the thread, or for what it is to hand over
    let answer: Int32  // an eventfd, for what has been handed over

    init() {
      bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      answer = eventfd(0, Int32(EFD_CLOEXEC))
    }
    deinit {
      close(bell)
      close(answer)
    }
  }

  /// A board that says a message every `1 / rate` seconds.
  /// - Parameters:
  ///   - baudRate: of its line: who listens at another hears noise; nil where there is no real line.
  ///   - honest: so many of its first messages are understood at any rate.
  ///   - reply: what it says when it is spoken to, besides its messages.
  public init(
    rate: Double = 100, baudRate: Int? = nil, honest: Int = 0, reply: @escaping Reply = { _ in [] },
    script: @escaping Script
  ) throws {
    let terminal = try PseudoTerminal()
    path = terminal.path
    state = State()
    let course = Course(
      terminal: terminal, rate: rate, baudRate: baudRate, honest: honest, reply: reply, script: script, state: state)
    var thread = pthread_t()
    let kept = Unmanaged.passRetained(course)
    let code = pthread_create(
      &thread, nil,
      { kept in
        if let kept { Unmanaged<Course>.fromOpaque(kept).takeRetainedValue().run() }
        return nil
      }, kept.toOpaque())
    guard code == 0 else {
      kept.release()
      throw SystemError("pthread_create", code: code)
    }
    pthread_detach(thread)
  }

  /// A board that says the same lines over and over.
  public convenience init(rate: Double = 100, baudRate: Int? = nil, lines: [String]) throws {
    try self.init(rate: rate, baudRate: baudRate) { lines.isEmpty ? nil : Array(lines[$0 % lines.count].utf8) }
  }

  deinit { unplug() }

  /// Messages said so far.
  public var saidCount: Int { state.said.load(ordering: .acquiring) }

  /// The bytes that the program at the port has written to the board, 64 kB of it at most.
  public var heard: [UInt8] { state.heard.withLock { $0 } }

  /// Hands over what the board's chip has kept, as it is, ahead of what the board says; returns when it has arrived.
  public func handOver(_ kept: [UInt8]) {
    state.kept.withLock { $0 = kept }
    eventfd_write(state.bell, 1)
    var count: eventfd_t = 0
    eventfd_read(state.answer, &count)
  }

  /// Pulls the plug.
  public func unplug() {
    state.isUnplugged.store(true, ordering: .releasing)
    eventfd_write(state.bell, 1)
  }

  /// The work of the thread.
  private final class Course {
    private let terminal: PseudoTerminal
    private let interval: Double
    private let baudRate: Int?
    private let honest: Int
    private let reply: Reply
    private let script: Script
    private let state: State
    private var poller = Poller()
    private var rest: ArraySlice<UInt8> = []
    private var number = 0

    init(
      terminal: PseudoTerminal, rate: Double, baudRate: Int?, honest: Int, reply: @escaping Reply,
      script: @escaping Script, state: State
    ) {
      self.baudRate = baudRate
      self.honest = honest
      self.reply = reply
      self.terminal = terminal
      interval = 1 / rate
      self.script = script
      self.state = state
    }

    func run() {
      var due = MonotonicTime.now
      poller.watch(state.bell, for: .readable)
      poller.watch(terminal.readerChanges, for: .readable)
      while !state.isUnplugged.load(ordering: .acquiring) {
        let isHeard = terminal.noteReaderChanges()
        if isHeard { poller.watch(terminal.descriptor, for: .readable) } else { poller.forget(terminal.descriptor) }
        guard (try? poller.wait(until: isHeard ? due : nil)) != nil else { return }
        listen()
        handOver()
        guard isHeard, MonotonicTime.now >= due else { continue }
        speak()
        due = max(due + interval, MonotonicTime.now + -1)  // after a pause, at most a second is caught up on
      }
    }

    private func listen() {
      withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        guard case .bytes(let count) = terminal.read(into: buffer) else { return }
        state.heard.withLock { $0 += buffer.prefix(min(count, 65_536 - $0.count)) }
        rest += reply(Array(buffer.prefix(count)))
      }
    }

    private func handOver() {
      let kept = state.kept.withLock { kept in
        defer { kept = [] }
        return kept
      }
      guard !kept.isEmpty else { return }
      var count: eventfd_t = 0
      eventfd_read(state.bell, &count)
      _ = kept.withUnsafeBytes { terminal.write($0) }
      eventfd_write(state.answer, 1)
    }

    /// The rest that the port does not take now: it is said first the next time.
    private func speak() {
      if rest.isEmpty, let message = script(number) {
        let isUnderstood = baudRate == nil || baudRate == terminal.baudRate || number < honest
        rest = isUnderstood ? message[...] : message.map { $0 | 0x81 }[...]
        number += 1
      }
      if !rest.isEmpty, case .bytes(let count) = rest.withUnsafeBytes({ terminal.write($0) }) {
        rest = rest.dropFirst(count)
        if rest.isEmpty { state.said.store(number, ordering: .releasing) }
      }
    }
  }
}
