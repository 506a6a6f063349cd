import Glibc

/// A run of the built command with its arguments, from start to end: its output, its errors, its exit code.
public struct CommandRun: Sendable {
  /// The exit code; 124 after three minutes without an end.
  public let exitCode: Int32
  /// Standard output.
  public let output: [UInt8]
  /// Standard error.
  public let errors: String

  /// Standard output as text.
  public var text: String { String(decoding: output, as: UTF8.self) }
  /// Its lines.
  public var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }

  /// Runs `lodestone` with these arguments.
  /// - Parameters:
  ///   - input: what it reads from standard input.
  ///   - environment: all the variables it sees, besides `PATH` and the options of a sanitizer.
  ///   - shell: a script in which `"$@"` stands for the command, to set limits or pipes around it.
  ///   - meanwhile: what the test does while the command runs.
  public static func lodestone(
    _ arguments: [String], input: String = "", environment: [String: String] = [:], shell: String = #"exec "$@""#,
    meanwhile: () throws -> Void = {}
  ) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      try write(input, to: folder + "/input")
      posix_spawn_file_actions_addopen(&actions, 0, folder + "/input", O_RDONLY, 0)
      posix_spawn_file_actions_addopen(&actions, 1, folder + "/output", O_WRONLY | O_CREAT, 0o600)
      posix_spawn_file_actions_addopen(&actions, 2, folder + "/errors", O_WRONLY | O_CREAT, 0o600)
      let command = [ChildProgram.folder + "/lodestone"] + arguments
      let words = ["/usr/bin/timeout", "180", "/bin/sh", "-c", shell, "sh"] + command
      let sanitizer = getenv("ASAN_OPTIONS").map { ["ASAN_OPTIONS=" + String(cString: $0)] } ?? []
      let variables = ["PATH=/usr/bin:/bin"] + sanitizer + environment.map { "\($0.key)=\($0.value)" }
      var process = pid_t()
      let code = ChildProgram.withCStrings(words) { words in
        ChildProgram.withCStrings(variables) { variables in
          withPlainSignals { posix_spawn(&process, "/usr/bin/timeout", &actions, $0, words, variables) }
        }
      }
      guard code == 0 else { throw Problem.cannotStart(code) }
      let failure = Result { try meanwhile() }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0 && errno == EINTR {}
      try failure.get()
      return CommandRun(
        exitCode: status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f,
        output: try contents(of: folder + "/output"),
        errors: String(decoding: try contents(of: folder + "/errors"), as: UTF8.self))
    }
  }

  /// Why nothing was run.
  public enum Problem: Error {
    /// By its errno.
    case cannotStart(Int32)
    /// A file that should be there is not.
    case cannotRead(String)
  }

  /// The whole of a file.
  public static func contents(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem.cannotRead(path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Makes a file.
  public static func write(_ text: String, to path: String) throws { try write(bytes: Array(text.utf8), to: path) }

  /// The same of bytes.
  public static func write(bytes: [UInt8], to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Problem.cannotRead(path) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Problem.cannotRead(path) }
  }
}
