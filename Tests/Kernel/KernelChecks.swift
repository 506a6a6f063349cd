import Glibc
import LodestonePorts

/// Runs the command against a real kernel's drivers, and says of each point whether it holds. It takes a machine of its
/// own: it loads modules, plugs devices in and takes drivers off. `.ci/kernel` gives it one.
@main struct KernelChecks {
  static func main() {
    let wanted = CommandLine.arguments.dropFirst().first
    let checks = BridgeChecks.all + ListingChecks.all + IIOChecks.all + SerialChecks.all
    var failed: [String] = []
    for check in checks where wanted.map({ check.name.contains($0) }) ?? true {
      let begin = MonotonicTime.now
      say("       \(check.name) …")
      let problems = check.problems()
      let time = Int((MonotonicTime.now - begin) * 10)
      say("\(problems.isEmpty ? "ok    " : "FAILED") \(check.name) (\(time / 10).\(time % 10) s)")
      for problem in problems { say("         \(problem)") }
      if !problems.isEmpty { failed.append(check.name) }
    }
    say(failed.isEmpty ? "kernel: everything holds" : "kernel: \(failed.count) of \(checks.count) do not hold")
    exit(failed.isEmpty ? 0 : 1)
  }

  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
  }
}

/// One point to be shown.
struct Check: Sendable {
  let name: String
  private let body: @Sendable (inout Findings) throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (inout Findings) throws -> Void) {
    self.name = name
    self.body = body
  }

  /// A claim that does not hold.
  func problems() -> [String] {
    var findings = Findings()
    do { try body(&findings) } catch { findings.problems.append("\(error)") }
    return findings.problems
  }
}

/// The finding of a check.
struct Findings {
  var problems: [String] = []

  /// Notes what does not hold, and goes on.
  mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { problems.append(what()) }
  }
}

/// Why a check could not be made.
struct CannotCheck: Error, CustomStringConvertible {
  let description: String
  init(_ what: String) { description = "can't check: \(what)" }
}
