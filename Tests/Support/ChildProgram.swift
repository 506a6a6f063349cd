import Glibc

/// A program that a test runs: lines in, lines out, every wait bounded. It does not outlive its owner.
public final class ChildProgram {
  /// How long an answer may take. Generous: other things may keep the machine busy.
  public static let patience: Int32 = 120_000

  /// Its process.
  public let process: pid_t
  private let channel: Int32
  private var ended: Int32?
  private var received: [UInt8] = []
  /// References that must outlive it.
  private let world: AnyObject?

  /// Starts the program `name` from the folder of the test's own program, or at an absolute path, with these variables
  /// besides ours. Its terminals are such as people have, whatever ours is, and its settings are none.
  /// - Parameters:
  ///   - joinsErrors: its standard error comes among the lines, or to the terminal.
  ///   - terminal: the terminal it runs at; then there are no lines.
  public init?(
    _ name: String, arguments: [String] = [], environment: [String: String] = [:], joinsErrors: Bool = false,
    terminal: String? = nil, world: AnyObject? = nil
  ) {
    self.world = world
    // One socket for both directions: close-on-exec from the first moment, so that no other child inherits it.
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for descriptor in Int32(0)...(joinsErrors ? 2 : 1) {
      if let terminal {
        posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR | O_NOCTTY, 0)
      } else {
        posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
      }
    }
    defer {
      posix_spawn_file_actions_destroy(&actions)
      close(ends[1])
    }
    let path = name.hasPrefix("/") ? name : Self.folder + "/" + name
    var process = pid_t()
    let code = Self.withCStrings([path] + arguments) { arguments in
      Self.withCStrings(Self.merged(environment)) { environment in
        withPlainSignals(leadsGroup: terminal != nil) {
          posix_spawn(&process, path, &actions, $0, arguments, environment)
        }
      }
    }
    (channel, self.process) = (ends[0], process)
    guard code == 0 else { return nil }
  }

  deinit {
    close(channel)
    guard ended == nil else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    waitpid(process, &status, 0)
  }

  /// Waits for its end and hears what it says until then, so that it never waits for a reader; what the shell would be
  /// told.
  public func exitCode() -> Int32 {
    if let ended { return ended }
    var status: Int32 = 0
    while true {
      let answer = waitpid(process, &status, WNOHANG)
      if answer == process { break }
      guard answer == 0 || errno == EINTR else { return -1 }
      if !receive(within: 20) { usleep(2000) }
    }
    let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    ended = code
    return code
  }

  /// The folder of the built products: that of the program which runs, or what `LODESTONE_PROGRAMS` names.
  public static let folder: String = {
    if let folder = getenv("LODESTONE_PROGRAMS") { return String(cString: folder) }
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { readlink("/proc/self/exe", $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? 0
    }
    let path = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
  }()

  private static func merged(_ own: [String: String]) -> [String] {
    let usual = ["TERM": "xterm-256color", "XDG_CONFIG_HOME": "/proc/nowhere", "XDG_DATA_HOME": "/proc/nowhere"]
    let own = own.merging(usual) { given, _ in given }
    var variables: [String] = []
    var entry = environ
    while let variable = entry.pointee {
      let text = String(cString: variable)
      if own[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
      entry += 1
    }
    return variables + own.map { "\($0.key)=\($0.value)" }
  }

  /// Strings as C has them, with a null behind the last, for as long as the body runs.
  static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }

  /// Sends a line.
  public func send(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = Glibc.send(channel, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// The next line of its output; nil at its end, or when it takes too long.
  public func line(within milliseconds: Int32 = patience) -> String? {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeSubrange(...end) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      guard receive(within: milliseconds) else { return nil }
    }
  }

  /// The next line that holds one of these texts; nil at the end of the output, when it takes too long, or where ten
  /// thousand lines do not.
  public func line(holding texts: String...) -> String? {
    for _ in 0..<10_000 {
      guard let line = line() else { return nil }
      if texts.contains(where: { line.contains($0) }) { return line }
    }
    return nil
  }

  /// Sends a line and waits for one.
  public func ask(_ line: String) -> String? {
    send(line)
    return self.line()
  }

  /// Sends it a signal, 0 for none, and waits for its end: its exit code, nil when a signal ended it or it did not end.
  public func end(by signal: Int32, within milliseconds: Int32 = patience) -> Int32? {
    if signal != 0 { kill(process, signal) }
    while receive(within: milliseconds) {}
    // Its output is closed, so its end is near; it stays to be reaped by its owner.
    var entry = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 0) > 0 else { return nil }
    var facts = siginfo_t()
    guard waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) == 0, facts.si_code == CLD_EXITED else { return nil }
    return facts._sifields._sigchld.si_status
  }

  /// How often it has waited so far, as the kernel counts.
  public var waitCount: Int {
    let status = (try? CommandRun.contents(of: "/proc/\(process)/status")) ?? []
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt") }
    return line?.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
  }

  /// Whether it has read so many bytes of a file.
  public func hasRead(_ count: Int, of path: String) -> Bool {
    (0..<32).contains { number in
      guard let open = realpath("/proc/\(process)/fd/\(number)", nil) else { return false }
      defer { free(open) }
      guard String(cString: open) == path,
        let facts = try? CommandRun.contents(of: "/proc/\(process)/fdinfo/\(number)")
      else { return false }
      let position = String(decoding: facts, as: UTF8.self).split(whereSeparator: \.isWhitespace).dropFirst().first
      return position.flatMap { Int($0) } ?? 0 >= count
    }
  }

  private func receive(within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(channel, &buffer, buffer.count)
    guard count > 0 else { return false }
    received += buffer.prefix(count)
    return true
  }
}

/// Whether a condition comes true within the patience of `ChildProgram`; looks each millisecond.
public func eventually(_ condition: () -> Bool) -> Bool {
  for _ in 0..<ChildProgram.patience {
    if condition() { return true }
    poll(nil, 0, 1)
  }
  return condition()
}
