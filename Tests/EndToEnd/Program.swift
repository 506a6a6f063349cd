import Glibc

/// What a run of the built command left behind.
struct ProgramResult {
  let exitCode: Int32
  let output: String
  let errors: String

  /// The lines of the output.
  var lines: [Substring] { output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() }
}

/// The command `lodestone`, as it was built beside the tests.
enum Program {
  private struct SystemFailure: Error { let code: Int32 }

  /// In the folder that the test bundle is in.
  private static let path: String = {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? executable
    return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      + "/lodestone"
  }()

  private static var executable: String {
    guard let real = realpath("/proc/self/exe", nil) else { return "" }
    defer { free(real) }
    return String(cString: real)
  }

  /// Runs the command to its end with files for its input and its two outputs.
  static func run(_ arguments: [String], input: String = "") throws -> ProgramResult {
    let files = try (0..<3).map { _ in try temporaryFile() }
    defer { for file in files { close(file) } }
    var bytes = input
    bytes.withUTF8 { _ = write(files[0], $0.baseAddress, $0.count) }
    lseek(files[0], 0, SEEK_SET)
    let code = try spawn(arguments, descriptors: files)
    return try ProgramResult(exitCode: code, output: text(of: files[1]), errors: text(of: files[2]))
  }

  private static func spawn(_ arguments: [String], descriptors: [Int32]) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    let words = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, path, &actions, nil, words + [nil], environ)
    guard failure == 0 else { throw SystemFailure(code: failure) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw SystemFailure(code: errno) } }
    // As the shell says it: a signal is 128 and its number.
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// A file without a name.
  private static func temporaryFile() throws -> Int32 {
    var name = Array("/tmp/lodestone-test-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { throw SystemFailure(code: errno) }
    unlink(name)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  private static func text(of file: Int32) throws -> String {
    let size = lseek(file, 0, SEEK_END)
    lseek(file, 0, SEEK_SET)
    var bytes = [UInt8](repeating: 0, count: max(Int(size), 0))
    guard read(file, &bytes, bytes.count) == bytes.count else { throw SystemFailure(code: errno) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
