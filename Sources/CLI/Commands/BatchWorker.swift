import Glibc
import LodestoneCore
import LodestonePorts

/// This program once more, which takes one recording after the other: what a bad file does to it, it does to it alone.
final class BatchWorker {
  /// A recording and its place in the order.
  struct Job {
    let number: Int
    let name: String
  }

  /// The worker's answer.
  enum Answer {
    /// An object with its line end.
    case object([UInt8])
    /// The worker has ended; how, in words.
    case ended(String)
  }

  /// The recording that it works on; nil when it is idle.
  private(set) var job: Job?
  private let program: StartedProgram
  /// Its standard input and output.
  private let link: Descriptor
  private var received: [UInt8] = []
  private var isReaped = false

  /// Starts one.
  /// - Parameter words: its name and its arguments.
  init(_ words: [String]) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemError("socketpair") }
    let (ours, its) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    program = try StartedProgram(words, at: "/proc/self/exe", leadsGroup: true) { actions in
      posix_spawn_file_actions_adddup2(&actions, its.number, 0)
      posix_spawn_file_actions_adddup2(&actions, its.number, 1)
    }
    link = ours
  }

  /// Ends it, whatever it is at.
  deinit {
    guard !isReaped else { return }
    if job != nil { kill(program.process, SIGTERM) }
    link.close()
    _ = reap()
  }

  /// The descriptor for poll(2).
  var descriptor: Int32 { link.number }

  /// Gives it something to do. One that has just died shows in what it answers.
  func take(_ job: Job) {
    self.job = job
    let line = Array(JSONValue.array([.string(job.name)]).line.utf8)
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(link.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  /// Notes that its job is done.
  func finishJob() { job = nil }

  /// The answer, if all of it has come. Call when it is readable.
  func hear() -> Answer? {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    let count = chunk.withUnsafeMutableBytes {
      recv(link.number, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    guard count > 0 else { return .ended(reap()) }
    received += chunk[..<count]
    guard received.last == UInt8(ascii: "\n") else { return nil }
    defer { received.removeAll() }
    return .object(received)
  }

  /// Waits for its end, which is near, and words it.
  private func reap() -> String {
    isReaped = true
    var status: Int32 = 0
    while waitpid(program.process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0
      ? "ended with exit code \(status >> 8 & 0xFF)"
      : "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
  }
}
