import CLinux
import Glibc

/// A terminal taken over for a screen: keys come at once and unseen, the screen is the alternate one, the cursor is
/// hidden. What was found is put back by ``leave()``, when the session ends, when the process exits, and by a handler
/// when a signal or a crash ends it.
///
/// It never waits: the loop that owns the descriptors reads the keys and writes the bytes. Ctrl-C stays a signal, which
/// the loop handles; Ctrl-\ is none, for it would leave the shell with our screen, and Ctrl-Z comes as a key, for
/// ``suspend()``.
public final class TerminalSession {
  /// A reason why a tty cannot be used as the screen.
  public enum Problem: Error, Equatable, Sendable {
    /// The descriptor is no terminal.
    case notATerminal
    /// The system refused to change its settings; the error number.
    case settings(errno: Int32)
  }

  /// Alternate screen with the cursor's place kept, cursor hidden, no wrapping at the right edge (xterm's private modes
  /// 1049, 25 and 7).
  public static let enterSequence: [UInt8] = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)

  /// The opposite, from any state: plain style, wrapping, cursor shown, main screen.
  public static let restoreSequence: [UInt8] = Array("\u{1B}[?2026l\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  private let input: Int32
  private let output: Int32

  /// Takes the terminal over. `enterSequence` is still to be written, by the loop.
  public init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(Problem) {
    guard Self.isTerminal(input), Self.isTerminal(output) else { throw .notATerminal }
    self.input = input
    self.output = output
    try Taken.take(input: input, output: output)
  }

  deinit { leave() }

  /// Puts the terminal back; nothing the second time.
  public func leave() { Taken.putBack() }

  /// Puts the terminal back, stops the program with all of its job as Ctrl-Z does, and takes the terminal again when it
  /// is continued. `enterSequence` is to be written again then. Where nothing could continue it, it is not stopped.
  public func suspend() throws(Problem) {
    leave()
    kill(0, SIGTSTP)
    try Taken.take(input: input, output: output)
  }

  /// Columns and rows just now; 80 × 24 where the terminal does not say.
  public var size: (columns: Int, rows: Int) { Self.size(of: output) }

  /// Columns and rows of the terminal behind a descriptor; 80 × 24 where it does not say.
  public static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Whether a descriptor is a terminal.
  public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}

/// The one terminal this process has taken over, kept where the exit handler and those of signals find it.
private enum Taken {
  private static let atExit: Void = { atexit { Taken.putBack() } }()

  static func take(input: Int32, output: Int32) throws(TerminalSession.Problem) {
    var settings = termios()
    guard tcgetattr(input, &settings) == 0 else { throw .settings(errno: errno) }
    _ = atExit
    let restore = TerminalSession.restoreSequence
    linux_terminal_guard(input, output, &settings, restore, Int32(restore.count))
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VSUSP)] = 0
      characters[Int(VQUIT)] = 0
    }
    guard tcsetattr(input, TCSANOW, &settings) == 0 else { throw .settings(errno: errno) }
  }

  static func putBack() { _ = linux_terminal_restore() }
}
