import ArgumentParser
import Glibc

/// Why a command gives up: one line that says what failed, on what and why; a second that says what to do about it.
/// The library's errors hold facts; a command words them by making one of these.
struct Failure: Error, Equatable {
  /// What the shell is told.
  var exitCode: Code
  /// One line without a full stop: "can't open /dev/ttyUSB0: permission denied".
  var message: String
  /// What the user can do, where there is something to say.
  var hint: String?

  init(_ exitCode: Code, _ message: String, hint: String? = nil) {
    self.exitCode = exitCode
    self.message = message
    self.hint = hint
  }

  /// Exit codes, numbered as in BSD's sysexits(3).
  enum Code: Int32 {
    /// Wrong arguments: an unknown option, a latitude of 91.
    case usage = 64
    /// The input is not what it should be: a malformed row, a sweep that cannot be fitted, a corrupt profile.
    case badData = 65
    /// No such device or file.
    case noInput = 66
    /// The device went away.
    case gone = 69
    /// Reading or writing failed.
    case inputOutput = 74
    /// Busy: try again.
    case tryAgain = 75
    /// Not permitted.
    case notPermitted = 77
    /// Ctrl-C.
    case interrupted = 130
  }

  /// The lines for standard error.
  var lines: String {
    let hint = hint.map { "Hint: \($0.singleLine)\n" } ?? ""
    return "Error: \(message.singleLine)\n\(hint)"
  }
}

extension String {
  /// The text with every control character shown as `\u{…}`, so that a message stays one line and what came from a
  /// device or a file cannot command the terminal.
  var singleLine: String {
    guard unicodeScalars.contains(where: \.isControl) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if scalar.isControl {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  /// C0, delete, C1, and the separators and directional marks that rearrange a line.
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// Writes text to standard error, whatever becomes of it.
func writeToStandardError(_ text: String) {
  var text = text
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

extension Lodestone {
  /// Parses the arguments, runs the command they name, and words what went wrong.
  static func main() {
    // A reader that closes the pipe is an error code of write(2), not a signal.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as Failure {
      end(failure)
    } catch {
      let code = exitCode(for: error)
      guard code == .validationFailure else { exit(withError: error) }
      end(Failure(.usage, message(for: error), hint: "see lodestone --help"))
    }
  }

  private static func end(_ failure: Failure) -> Never {
    writeToStandardError(failure.lines)
    Glibc.exit(failure.exitCode.rawValue)
  }
}
