import LodestoneCore
import Glibc

/// Why a command gives up: one line that says what failed, on what and why; a second that says what to do about it.
/// The library's errors hold facts; a command words them by making one of these.
struct Failure: Error, Equatable {
  /// The exit code for the shell.
  var exitCode: Code
  /// One line without a full stop: "can't open /dev/ttyUSB0: permission denied".
  var message: String
  /// The remedy for the user, where there is one.
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
    /// The user is not permitted to do this.
    case notPermitted = 77
    /// Ctrl-C.
    case interrupted = 130
  }

  /// A name that is not UTF-8, as it reads with what cannot be read replaced.
  init(notText name: String) {
    self.init(
      .usage, "'\(name)' is not in UTF-8", hint: "rename the file, or read it from standard input: --device - < FILE")
  }

  /// The lines for standard error.
  var lines: String {
    let hint = hint.map { "Hint: \($0.harmless)\n" } ?? ""
    return "Error: \(message.harmless)\n\(hint)"
  }
}

/// Writes text to standard error, whatever becomes of it; passwords in addresses are made unreadable.
func writeToStandardError(_ text: String) {
  var text = text.contains("@") ? text.withoutPasswords : text
  text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
