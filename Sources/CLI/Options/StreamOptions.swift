import ArgumentParser
import LodestonePorts

/// How long to stream, and where to.
struct StreamOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after N seconds.", valueName: "seconds"))
  var duration: Double?

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after N lines.", valueName: "lines"))
  var count: Int?

  @Option(
    name: [.short, .long], help: ArgumentHelp("Write to a file instead of standard output.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: [.short, .long], help: "Say nothing on standard error but errors.")
  var quiet = false

  @Flag(name: [.short, .long], help: "Say more on standard error: what was rejected, and why things were chosen.")
  var verbose = false

  func validate() throws {
    if let duration, !(duration > 0 && duration.isFinite) {
      throw ValidationError("--duration \(duration): must be more than 0 seconds")
    }
    if let count, count < 1 { throw ValidationError("--count \(count): must be at least 1") }
  }

  /// Opens standard output or the file.
  func openOutput(isLive: Bool) throws -> OutputPipe { try open(output, isLive ? .dropOldest : .keepAll) }

  /// Opens standard output, for what is shown on the way by a command whose result goes to an `OutputFile`.
  func openStandardOutput() throws -> OutputPipe { try open(nil, .keepAll) }

  private func open(_ path: String?, _ policy: OutputPipe.Policy) throws -> OutputPipe {
    do throws(PortError) {
      if let path, path != "-" { return try .file(at: path, policy: .keepAll) }
      return try .standardOutput(policy: policy)
    } catch {
      throw Failure(error)
    }
  }
}
