import ArgumentParser
import LodestonePorts

/// The length of a stream, its output, and the notices beside it.
struct StreamOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: .duration)
  var duration: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after N lines, or N samples where none are written.", valueName: "lines"))
  var count: Int?

  @Option(name: [.short, .long], help: .output, completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: .quiet)
  var quiet = false

  @Flag(name: [.short, .long], help: .verbose)
  var verbose = false

  func validate() throws {
    try Self.check(duration: duration)
    if let count, count < 1 { throw ValidationError("--count \(count): must be at least 1") }
  }

  /// Refuses a duration of zero seconds or less, or without end.
  static func check(duration: Double?) throws(ValidationError) {
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration \(OptionRange.typed(duration)): must be more than 0 seconds")
    }
  }

  /// Opens standard output or the file.
  func openOutput(isLive: Bool) throws -> OutputPipe { try Self.open(output, isLive ? .dropOldest : .keepAll) }

  /// Opens standard output, for what is shown on the way by a command whose result goes to an `OutputFile`.
  func openStandardOutput() throws -> OutputPipe { try Self.open(nil, .keepAll) }

  /// Opens a file, or standard output with a policy for readers that do not keep up.
  static func open(_ path: String?, _ policy: OutputPipe.Policy) throws -> OutputPipe {
    do throws(PortError) {
      if let path, path != "-" { return try .file(at: path, policy: .keepAll) }
      return try .standardOutput(policy: policy)
    } catch {
      throw Failure(error)
    }
  }
}

extension ArgumentHelp {
  /// The help of `--duration`.
  static let duration = ArgumentHelp("Stop after N seconds.", valueName: "seconds")
  /// The help of `--output`.
  static let output = ArgumentHelp("Write to a file instead of standard output.", valueName: "file")
  /// The help of `--quiet`.
  static let quiet = ArgumentHelp("Say nothing on standard error but errors.")
  /// The help of `--verbose`.
  static let verbose = ArgumentHelp("Say more on standard error: what was rejected, and why things were chosen.")
}
