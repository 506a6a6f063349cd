import CLinux
import Glibc
import Testing

@testable import LodestoneTerminal

@Suite(.serialized) final class TerminalSessionTests {
  /// A pseudoterminal: what a program writes to `terminal` is read from `controller`.
  private let controller, terminal: Int32

  init() throws {
    var name = [CChar](repeating: 0, count: 64)
    controller = linux_pty_open(&name, name.count)
    terminal = open(name, O_RDWR | O_NOCTTY)
    try #require(controller >= 0 && terminal >= 0)
  }

  deinit {
    close(controller)
    close(terminal)
  }

  private func localModes(_ descriptor: Int32) -> tcflag_t {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return settings.c_lflag
  }

  private func signalCharacter(_ descriptor: Int32, _ which: Int32) -> UInt8 {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return withUnsafeBytes(of: &settings.c_cc) { $0[Int(which)] }
  }

  /// Suspended or killed by its key, a program would leave its screen to the shell; Ctrl-C it handles itself.
  @Test func onlyCtrlCIsASignal() throws {
    let session = try TerminalSession(input: terminal, output: terminal)
    #expect(signalCharacter(terminal, VINTR) == 3)
    #expect(signalCharacter(terminal, VSUSP) == 0)
    #expect(signalCharacter(terminal, VQUIT) == 0)
    session.leave()
    #expect(signalCharacter(terminal, VSUSP) == 0x1A)
  }

  @Test func terminalIsTakenAndGivenBack() throws {
    let before = localModes(terminal)
    #expect(before & tcflag_t(ICANON | ECHO) != 0)
    do {
      let session = try TerminalSession(input: terminal, output: terminal)
      #expect(localModes(terminal) & tcflag_t(ICANON | ECHO) == 0)
      #expect(localModes(terminal) & tcflag_t(ISIG) != 0)
      session.leave()
      session.leave()
    }
    #expect(localModes(terminal) == before)
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(controller, &bytes, bytes.count)
    #expect(Array(bytes.prefix(max(count, 0))) == TerminalSession.restoreSequence)
  }

  @Test func endOfTheSessionGivesTheTerminalBack() throws {
    let before = localModes(terminal)
    _ = try TerminalSession(input: terminal, output: terminal)
    #expect(localModes(terminal) == before)
  }

  @Test func sizeIsTheTerminals() throws {
    #expect(TerminalSession.size(of: terminal) == (80, 24))
    var size = winsize(ws_row: 48, ws_col: 160, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(controller, UInt(TIOCSWINSZ), &size) == 0)
    #expect(TerminalSession.size(of: terminal) == (160, 48))
  }

  @Test func pipeIsNoTerminal() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(!TerminalSession.isTerminal(ends[0]))
    #expect(throws: TerminalSession.Problem.notATerminal) { try TerminalSession(input: ends[0], output: ends[1]) }
  }
}
