import Glibc

/// Why output could not be written.
public enum OutputError: Error, Equatable, Sendable {
  /// Nobody reads it any more: a program that writes to a pipe ends quietly then.
  case closed
  /// The disk is full.
  case noSpace
  /// The file has been removed, or its folder: what was written is in none.
  case removed
  /// Anything else.
  case system(SystemError)
  /// An error of an output besides the main one, with its name.
  indirect case at(String, OutputError)
}

/// Lines on their way to standard output or a file, through a queue that never grows. Appending queues; `flush` writes
/// what can be written without waiting. Flush before every wait, and poll for `.writable` while `isWaiting`.
///
/// SIGPIPE must be ignored (`Signals` does that); a closed pipe is then an error like any other.
public final class OutputPipe {
  /// The policy for a full queue.
  public enum Policy: Sendable {
    /// For live streams: the oldest whole lines make room and are counted. Sampling is never delayed.
    case dropOldest
    /// For recordings: nothing is dropped. Stop producing while `isFull`; an append that does not fit waits for room.
    case keepAll
  }

  /// The treatment of a file that exists.
  public enum Existing: Sendable {
    case replace, append
  }

  /// Writes to files are gathered to this size.
  public static let batchByteCount = 65_536
  /// POSIX: a pipe that polls writable takes this much without waiting (PIPE_BUF).
  public static let pollableByteCount = 4096

  /// The descriptor for poll(2).
  public let descriptor: Int32
  /// The policy for a full queue.
  public let policy: Policy
  /// Whole lines that were dropped to make room.
  public private(set) var droppedLineCount = 0

  private let owned: Descriptor?
  /// How the file that was there before goes when the first line has come; nil where there is none any more.
  private var replacement: Replacement?
  /// Whether lines have come, and not the header alone.
  private var hasLines = false
  private var claim: UserFiles.Claim?
  private var hadName = false
  private let kind: NodeKind
  private var neverWaits: Bool
  /// Unchecked: it is asked for each line, and calls nothing that comes back here.
  @exclusivity(unchecked) private var queue: LineQueue

  private enum Replacement {
    /// A file with something in it takes its name, which is locked until then.
    case file(PendingFile, named: Descriptor)
    /// It is emptied.
    case emptying
  }

  private init(descriptor: Int32, owned: Descriptor?, kind: NodeKind, neverWaits: Bool, policy: Policy, capacity: Int) {
    self.descriptor = descriptor
    self.owned = owned
    self.kind = kind
    self.neverWaits = neverWaits
    self.policy = policy
    queue = LineQueue(capacity: capacity)
  }

  deinit { queue.deallocate() }

  /// Standard output, which stays open afterwards. Its O_NONBLOCK is left alone, because the shell and other programs
  /// share it: a pipe or terminal is opened a second time instead, and where that is refused, polled before each write.
  /// Refuses a file that this program reads.
  public static func standardOutput(
    policy: Policy, capacity: Int = 1 << 20, descriptor: Int32 = STDOUT_FILENO
  ) throws(PortError) -> OutputPipe {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .notThere(path: "-") }
    guard !UserFiles.isInput(descriptor) else { throw .inUse(path: "standard output") }
    let kind = NodeKind(facts)
    var second: Descriptor?
    if kind == .pipe || kind == .terminal {
      second = try? Descriptor(opening: "/proc/self/fd/\(descriptor)", flags: O_WRONLY | O_NOCTTY | O_NONBLOCK)
    }
    return OutputPipe(
      descriptor: second?.number ?? descriptor, owned: second, kind: kind, neverWaits: second != nil, policy: policy,
      capacity: capacity)
  }

  /// A file, made where there is none. One that is there stays as it is until the first line for the new one has come.
  /// A FIFO must have a reader. Refuses a file that this program reads, has read, or writes to already, and one that
  /// another program writes to.
  public static func file(
    at path: String, existing: Existing = .replace, policy: Policy, capacity: Int = 1 << 20
  ) throws(PortError) -> OutputPipe {
    let kind = NodeKind.at(path) ?? .regularFile
    guard kind != .directory && kind != .blockDevice && kind != .socket else {
      throw .notAFile(path: path, kind: kind)
    }
    guard let claim = UserFiles.Claim(path) else { throw .inUse(path: path) }
    let isThere = NodeKind.at(path) == .regularFile
    do throws(SystemError) {
      let named = try WriterLock.open(path, flags: O_WRONLY | O_CREAT | O_APPEND)
      // Where the folder takes no new file, the old one is written to.
      let replacing = isThere && existing == .replace ? try? PendingFile(for: path, .asItComes) : nil
      let owned = replacing.map { Descriptor(owning: $0.descriptor) } ?? named
      let pipe = OutputPipe(
        descriptor: owned.number, owned: owned, kind: kind, neverWaits: true, policy: policy, capacity: capacity)
      if isThere, existing == .replace {
        pipe.replacement = replacing.map { .file($0, named: named) } ?? .emptying
      }
      pipe.claim = claim
      return pipe
    } catch {
      throw error.code == EWOULDBLOCK ? .busy(path: path, heldBy: []) : PortError(creating: path, error)
    }
  }

  /// Whether bytes wait to be written: poll for `.writable`. A header that would replace a file waits for lines.
  public var isWaiting: Bool { !queue.isEmpty && (hasLines || replacement == nil) }

  /// Whether less than a batch of room is left under `.keepAll`. Stop producing until a flush has made room.
  public var isFull: Bool { policy == .keepAll && queue.room < Self.batchByteCount }

  /// Queues what stands before the lines, such as the names of columns: it alone is no reason to replace a file.
  public func append(header: [UInt8]) throws(OutputError) {
    var failure: OutputError?
    header.withUnsafeBytes { bytes in
      do throws(OutputError) { try enqueue(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Queues whole lines, each with its newline. A single append must not exceed the capacity.
  public func append(_ lines: UnsafeRawBufferPointer) throws(OutputError) {
    hasLines = true
    try enqueue(lines)
  }

  /// Empties the old file, where the new lines come into that.
  private func empty() throws(OutputError) {
    guard case .emptying = replacement else { return }
    guard ftruncate(descriptor, 0) == 0 else { throw .system(SystemError("ftruncate")) }
    replacement = nil
  }

  /// Gives the new file the name of the old one: there is something in it to replace that with.
  private func takeName() throws(OutputError) {
    guard case .file(let file, _) = replacement else { return }
    do { try file.name() } catch { throw .system(SystemError("rename", code: error.code)) }
    replacement = nil
  }

  private func enqueue(_ lines: UnsafeRawBufferPointer) throws(OutputError) {
    if queue.count >= Self.batchByteCount { try flush() }
    while !queue.append(lines) {
      let hasRoom = try policy == .dropOldest ? queue.dropOldestLine() : makeRoom(for: lines.count)
      guard hasRoom else { return drop(lines) }
      if policy == .dropOldest { droppedLineCount += 1 }
    }
  }

  /// Queues whole lines, each with its newline.
  public func append(_ lines: borrowing Span<UInt8>) throws(OutputError) {
    var failure: OutputError?
    lines.withUnsafeBytes { bytes in
      do throws(OutputError) { try append(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private func drop(_ lines: UnsafeRawBufferPointer) { droppedLineCount += lines.count { $0 == UInt8(ascii: "\n") } }

  /// Waits for room; false where a signal asks the program to end before there is any.
  private func makeRoom(for byteCount: Int) throws(OutputError) -> Bool {
    guard byteCount <= queue.count + queue.room else { throw .system(SystemError("write", code: EMSGSIZE)) }
    while true {
      try flush()
      if queue.room >= byteCount { return true }
      guard try wait(until: nil) else { return false }
    }
  }

  /// Writes what can be written without waiting.
  public func flush() throws(OutputError) {
    guard isWaiting else { return }
    if claim != nil { try checkName() }
    try empty()
    while !queue.isEmpty {
      guard neverWaits || kind == .regularFile || !Poller.look(at: descriptor, for: .writable).isEmpty else { return }
      let mayWait = !neverWaits && kind != .regularFile
      // So much is written to a pipe as a whole or not at all: a live stream that is left never ends within a line.
      let isAtomic = mayWait || (policy == .dropOldest && kind == .pipe)
      let piece =
        isAtomic ? queue.wholeLines(within: Self.pollableByteCount) : queue.waiting.prefix(Self.batchByteCount)
      switch writeOutcome(descriptor, from: UnsafeRawBufferPointer(rebasing: piece)) {
      case .bytes(let count):
        queue.removeFirst(count)
        try takeName()
      case .wouldBlock: return
      case .gone: throw .closed
      case .failed(let error): throw Self.failure(error)
      }
    }
  }

  /// Throws where a name led to the file before, and none does any more. There are file systems that count no names.
  private func checkName() throws(OutputError) {
    var facts = stat()
    guard kind == .regularFile, fstat(descriptor, &facts) == 0 else { return }
    if facts.st_nlink == 0, hadName { throw .removed }
    hadName = facts.st_nlink > 0
  }

  /// Writes everything, waiting for the reader until the deadline, or until a signal asks the program to end; false
  /// when bytes are left then.
  @discardableResult
  public func finish(until deadline: MonotonicTime? = nil) throws(OutputError) -> Bool {
    try flush()
    while isWaiting {
      guard try wait(until: deadline) else { return false }
      try flush()
    }
    return true
  }

  /// Flushes a file to its disk: a crash of the machine loses nothing of it, and what a disk or a server tells only then
  /// is told.
  public func keep() throws(OutputError) {
    guard claim != nil, kind == .regularFile, fsync(descriptor) != 0 else { return }
    throw Self.failure(SystemError("fsync"))
  }

  private static func failure(_ error: SystemError) -> OutputError {
    error.code == ENOSPC || error.code == EDQUOT ? .noSpace : .system(error)
  }

  /// Gives up what waits, and counts the lines.
  public func abandon() {
    drop(queue.waiting)
    queue.removeFirst(queue.count)
  }

  private func wait(until deadline: MonotonicTime?) throws(OutputError) -> Bool {
    var poller = Poller()
    poller.watch(descriptor, for: .writable)
    do {
      return try poller.waitUnlessAsked(until: deadline)
    } catch {
      throw .system(error)
    }
  }
}
