import Glibc
import Lodestone
import LodestoneCore
import LodestonePorts

/// Recordings on their way through the workers: names in, objects out in the same order.
final class BatchRun {
  /// The most recordings that may wait for the object of an earlier one, however long that takes.
  private static let window = 1024

  private var names: BatchNames
  private let command: String
  private let words: [String]
  private var jobs: Int
  private let isQuiet: Bool
  private let output: OutputPipe
  private var outputs: BatchOutputs?
  private var workers: [BatchWorker] = []
  /// Objects that came before their turn, by their number.
  private var objects: [Int: [UInt8]] = [:]
  private var taken = 0
  private var written = 0
  private var failures = 0
  private var progress: BatchProgress

  /// - Parameters:
  ///   - words: what starts a worker.
  ///   - outputs: the files that come of it; nil for none.
  init(
    _ names: BatchNames, command: String, workers words: [String], jobs: Int, isQuiet: Bool, outputs: BatchOutputs?
  ) throws {
    self.names = names
    self.outputs = outputs
    self.command = command
    self.words = words
    self.jobs = jobs
    self.isQuiet = isQuiet
    progress = BatchProgress(isShown: !isQuiet)
    do throws(PortError) {
      output = try .standardOutput(policy: .keepAll)
    } catch {
      throw Failure(error)
    }
  }

  /// Runs until every name has its object. The workers do not outlive it.
  func run() throws {
    let signals: Signals
    do throws(SystemError) {
      signals = try Signals()
    } catch {
      throw Failure(.inputOutput, "can't take signals: \(error.message.lowercased())")
    }
    let end = try Failure.naming(nil) {
      do { return try pump(signals) } catch OutputError.closed { return .outputClosed }
    }
    progress.erase()
    workers.removeAll()
    if !isQuiet, end != .outputClosed { writeToStandardError("lodestone: \(summary)\n") }
    try finish(end)
  }

  private var summary: String {
    "\(written) file\(written == 1 ? "" : "s")" + (failures > 0 ? ", \(failures) of them failed" : "")
  }

  private func pump(_ signals: Signals) throws -> StreamLoop.End {
    while true {
      try feed()
      try write()
      if names.isOver, written == taken, !output.isWaiting { return .streamEnded }
      var poller = Poller()
      poller.watch(signals.descriptor, for: .readable)
      for worker in workers { poller.watch(worker.descriptor, for: .readable) }
      if hasRoom, let input = names.descriptor { poller.watch(input, for: .readable) }
      if output.isWaiting { poller.watch(output.descriptor, for: .writable) }
      do throws(SystemError) {
        try poller.wait(until: progress.due)
      } catch {
        throw Failure(.inputOutput, "can't wait for the workers: \(error.message.lowercased())")
      }
      if signals.next() != nil { return .interrupted }
      if poller.readiness(of: output.descriptor).contains(.failed) { return .outputClosed }
      for worker in workers where !poller.readiness(of: worker.descriptor).isEmpty { hear(worker) }
      progress.show(done: written, of: names.count, failures: failures)
    }
  }

  // MARK: Names to workers

  /// Whether another recording may be begun, and there is a worker for it.
  private var hasRoom: Bool {
    taken - written < Self.window && (workers.count < jobs || workers.contains { $0.job == nil })
  }

  private func feed() throws {
    while hasRoom, try names.isThere() {
      guard let worker = try workers.first(where: { $0.job == nil }) ?? startWorker() else { return }
      let (name, isText) = names.take()
      if let failure = isText ? outputs?.claim(name) : Failure(notText: name) {
        failures += 1
        objects[taken] = Array(BatchObject.failure(name, command, failure).line.utf8)
      } else {
        worker.take(BatchWorker.Job(number: taken, name: name))
      }
      taken += 1
    }
  }

  /// Starts one more; nil where the system gives no more, and those there are must do.
  private func startWorker() throws(Failure) -> BatchWorker? {
    do throws(SystemError) {
      let worker = try BatchWorker(words)
      workers.append(worker)
      return worker
    } catch {
      guard workers.isEmpty else {
        jobs = workers.count
        return nil
      }
      throw .system("can't start a worker", error.code)
    }
  }

  // MARK: Objects from workers

  private func hear(_ worker: BatchWorker) {
    guard let answer = worker.hear() else { return }
    if case .ended = answer { workers.removeAll { $0 === worker } }
    guard let job = worker.job else { return }
    switch answer {
    case .object(let line):
      // Quotation marks within a name are escaped, so these words are the object's own.
      if !String(decoding: line, as: UTF8.self).contains(#","exit":0"#) { failures += 1 }
      objects[job.number] = line
      worker.finishJob()
    case .ended(let how):
      failures += 1
      let failure = Failure(
        .inputOutput, "can't read \(job.name): the process that read it \(how)",
        hint: "see what lodestone \(command) --device says of it")
      objects[job.number] = Array(BatchObject.failure(job.name, command, failure).line.utf8)
    }
  }

  /// Writes the objects whose turn it is.
  private func write() throws(OutputError) {
    guard objects[written] != nil || output.isWaiting else { return }
    if objects[written] != nil { progress.eraseForOutput() }
    while !output.isFull, let line = objects.removeValue(forKey: written) {
      try output.append(line.span)
      written += 1
    }
    try output.flush()
  }
}

/// The names of recordings: the arguments, or the lines of standard input as they come; where a zero byte is among the
/// first of them, as `find -print0` writes it, it ends each name instead.
struct BatchNames {
  private var names: [Name]
  private var position = 0
  private let input: InputFile?
  private var unread: [UInt8] = []
  private var hasEnded = false
  /// The byte that ends a name; nil before the first bytes.
  private var separator: UInt8?

  /// A name, and whether it is one: in bytes that are not UTF-8, some were replaced.
  typealias Name = (text: String, isText: Bool)

  /// The longest name there may be, in bytes.
  private static let longest = 65_536

  /// The arguments; where there are none, standard input.
  init(_ arguments: [String]) throws(Failure) {
    names = arguments.map { ($0, true) }
    do throws(PortError) {
      input = arguments.isEmpty ? try .standardInput() : nil
    } catch {
      throw Failure(error)
    }
    hasEnded = input == nil
  }

  /// Whether no more will come.
  var isOver: Bool { hasEnded && position == names.count }

  /// Their number; nil while nobody knows.
  var count: Int? { input == nil ? names.count : nil }

  /// The descriptor to poll for more; nil where nothing has to be waited for.
  var descriptor: Int32? { hasEnded || position < names.count ? nil : input?.descriptor }

  /// Whether one is there now.
  mutating func isThere() throws(Failure) -> Bool {
    while position == names.count, !hasEnded {
      guard try read() else { return false }
    }
    return position < names.count
  }

  /// The next, where one is there.
  mutating func take() -> Name {
    defer { position += 1 }
    return names[position]
  }

  /// Reads on; false when there is nothing now.
  private mutating func read() throws(Failure) -> Bool {
    guard let input else { return false }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    switch chunk.withUnsafeMutableBytes({ input.read(into: $0) }) {
    case .bytes(let count): unread += chunk[..<count]
    case .wouldBlock: return false
    case .ended, .gone:
      hasEnded = true
      if !unread.isEmpty { unread.append(separator ?? UInt8(ascii: "\n")) }
    case .failed(let error): throw Failure(.inputOutput, "can't read standard input: \(error.message.lowercased())")
    }
    let separator = separator ?? (unread.contains(0) ? 0 : UInt8(ascii: "\n"))
    self.separator = separator
    var lines = unread.split(separator: separator, omittingEmptySubsequences: false)
    unread = Array(lines.removeLast())
    guard unread.count <= Self.longest else {
      throw Failure(.badData, "standard input: a name is longer than \(Self.longest) bytes")
    }
    names = lines.map { line -> Name in
      let isFromWindows = separator != 0 && line.last == UInt8(ascii: "\r")
      let name = isFromWindows ? line.dropLast() : line
      if let text = String(validating: name, as: UTF8.self) { return (text, true) }
      return (String(decoding: name, as: UTF8.self), false)
    }.filter { !$0.text.isEmpty }
    position = 0
    return true
  }
}

/// How far a batch has come, on a line of the terminal that is written over.
struct BatchProgress {
  /// The time to show it again; nil for never.
  private(set) var due: MonotonicTime?
  private let started = MonotonicTime.now
  /// Objects are written to the same terminal.
  private let sharesTerminal = isatty(STDOUT_FILENO) == 1
  private var stands = false

  /// Seconds from one to the next.
  private static let interval = 0.2

  /// A progress line, shown where standard error is a terminal.
  init(isShown: Bool) {
    if isShown, isatty(STDERR_FILENO) == 1 { due = .now + Self.interval }
  }

  /// Shows it, where it is time to.
  mutating func show(done: Int, of total: Int?, failures: Int) {
    guard let due, due <= .now else { return }
    self.due = .now + Self.interval
    let rate = Double(done) / max(MonotonicTime.now - started, 1e-3)
    let failed = failures > 0 ? ", \(failures) failed" : ""
    writeToStandardError(
      "\r\(done)\(total.map { " of \($0)" } ?? "") files\(failed), \(number(rate, 0)) a second\u{1B}[K")
    stands = true
  }

  /// Takes it away.
  mutating func erase() {
    if stands { writeToStandardError("\r\u{1B}[K") }
    stands = false
  }

  /// Makes room for objects on the same terminal.
  mutating func eraseForOutput() { if sharesTerminal { erase() } }
}
