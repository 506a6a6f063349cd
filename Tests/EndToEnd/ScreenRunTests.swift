import Glibc
import Support
import Synchronization
import Testing

/// The live screens of the built command, at a terminal.
@Suite(.waiting) struct ScreenRunTests {
  /// A command that was started at a terminal, and what it has drawn.
  private final class Run {
    let terminal: TestTerminal
    let program: ChildProgram
    private(set) var text = ""

    init(_ arguments: [String], in folder: String, joinsErrors: Bool = false) throws {
      terminal = try TestTerminal()
      program = try #require(
        ChildProgram(
          "lodestone", arguments: arguments, environment: ["XDG_DATA_HOME": folder], joinsErrors: joinsErrors,
          terminal: terminal.path))
    }

    /// Waits until some texts have all been drawn since the last key.
    func shows(_ wanted: [String]) -> Bool {
      guard !isLost else { return false }
      isLost = !eventually {
        text += terminal.drawn()
        return wanted.allSatisfy { text.contains($0) }
      }
      return !isLost
    }

    /// Presses a key; what was drawn before is forgotten.
    func press(_ key: String) {
      text = ""
      terminal.press(key)
    }

    /// The whole screen, as it is drawn when the terminal has another height.
    func drawnAnew(rows: UInt16) -> String {
      (text, screen) = ("", "")
      terminal.resize(rows: rows)
      _ = eventually {
        text += terminal.drawn()
        screen = text.firstRange(of: "\u{1B}[2J").map { String(text[$0.upperBound...]) } ?? ""
        return screen.contains("\u{1B}[?2026l")
      }
      return screen
    }
    private var screen = ""

    /// Something did not come: nothing else is waited for.
    private var isLost = false

    /// The bytes after the main screen was put back, of a program that ends with a code.
    func rest(code: Int32 = 0) -> String {
      var status: Int32 = -1
      let hasEnded = eventually {
        text += terminal.drawn()
        return waitpid(program.process, &status, WNOHANG) != 0
      }
      #expect(hasEnded && status == code << 8)
      text += terminal.drawn()
      return text.firstRange(of: leave).map { String(text[$0.upperBound...]) } ?? ""
    }

    let leave = "\u{1B}[?1049l"
    let enter = "\u{1B}[?1049h"
  }

  @Test(arguments: [
    (["motion"], ["Motion", "filter", "┤"], "user "), (["attitude"], ["Attitude", "keys", "top"], "yaw "),
    (["level"], ["Level", "calibrate", "▼"], "pitch "), (["heading", "--rose"], ["Compass", "keys", "N"], "magnetic"),
  ])
  func keysAreListedAndTheLastReadingStays(command: [String], shown: [String], last: String) throws {
    try TemporaryFolder.with { folder in
      let run = try Run(command + ["--device", "sim:?motion=tilt&rate=50"], in: folder)
      #expect(run.shows(shown))
      run.press("?")
      #expect(run.shows(["freeze"]))
      run.press("?")
      run.press("p")
      #expect(run.shows(["PAUSED"]))
      run.press("q")
      #expect(run.rest().contains(last))
    }
  }

  /// A script goes on only with a calibration: one that was discarded is none.
  @Test func aDiscardedCalibrationIsNoSuccess() throws {
    try TemporaryFolder.with { folder in
      let run = try Run(["calibrate", "--device", "sim:"], in: folder)
      #expect(run.shows(["Calibration", "figure-eights"]))
      run.press("q")
      _ = run.rest(code: 130)
      #expect(access(folder + "/lodestone", F_OK) != 0)
    }
  }

  /// Ctrl-C at the question whether a less accurate calibration may replace the active one keeps that.
  @Test func ctrlCAnswersAQuestion() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile, short) = (BatchTests.examples + "figure-eight.csv", folder + "/p.json", folder + "/s.csv")
      let made = try CommandRun.lodestone(["calibrate", "--device", sweep, "--profile", profile])
      #expect(made.exitCode == 0, "\(made.errors)")
      let before = try CommandRun.contents(of: profile)
      let rows = String(decoding: try CommandRun.contents(of: sweep), as: UTF8.self).split(separator: "\n")
      try CommandRun.write(rows.prefix(1000).joined(separator: "\n") + "\n", to: short)
      let run = try Run(["calibrate", "--device", short, "--profile", profile], in: folder, joinsErrors: true)
      #expect(run.shows(["Replace it? [y/N] "]))
      kill(run.program.process, SIGINT)
      _ = run.rest(code: 130)
      #expect(try CommandRun.contents(of: profile) == before)
    }
  }

  /// The shell gets its terminal back, and the screen is drawn again when the program goes on.
  @Test func ctrlZStopsItUntilItIsContinued() throws {
    try TemporaryFolder.with { folder in
      let run = try Run(["motion", "--device", "sim:?motion=walk&rate=50"], in: folder)
      let before = run.terminal.modes
      #expect(run.shows(["Motion", "┤"]))
      run.press("\u{1A}")
      var status: Int32 = 0
      #expect(eventually { waitpid(run.program.process, &status, WNOHANG | WUNTRACED) != 0 })
      #expect(status & 0xFF == 0x7F && run.shows([run.leave]))
      #expect(run.terminal.modes == before)
      kill(run.program.process, SIGCONT)
      #expect(run.shows([run.enter, "filter"]))
      #expect(run.terminal.modes != before)
      run.press("q")
      #expect(run.rest().contains("user "))
    }
  }

  /// What a board sends while its calibration is stopped was not lost by its cable.
  @Test func theTimeStoppedIsNoLossOfSamples() throws {
    let board = try PtyBoard(rate: 50) { number in
      let angle = Double(number) / 20
      return Array("mx:\(20 * cos(angle)),my:\(20 * sin(angle)),mz:\(-44 + number % 3)\n".utf8)
    }
    try TemporaryFolder.with { folder in
      let run = try Run(["calibrate", "--device", board.path], in: folder)
      #expect(run.shows(["Directions", " Hz"]))
      run.press("\u{1A}")
      var status: Int32 = 0
      #expect(eventually { waitpid(run.program.process, &status, WNOHANG | WUNTRACED) != 0 })
      let stopped = board.saidCount
      #expect(eventually { board.saidCount > stopped + 100 })
      run.press("")
      kill(run.program.process, SIGCONT)
      #expect(run.shows([run.enter, "Directions"]))
      let continued = board.saidCount
      #expect(eventually { board.saidCount > continued + 100 })
      let screen = run.drawnAnew(rows: 30)
      #expect(screen.contains("Directions") && !screen.contains("Samples were lost"), "\(screen)")
      run.press("q")
      _ = run.rest(code: 130)
    }
  }

  /// Whatever signal ends the program, the shell gets its terminal back, and is told of that signal.
  @Test(arguments: [SIGSEGV, SIGABRT, SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGUSR1, SIGALRM, SIGPWR, SIGXCPU, 40, SIGTERM])
  func aCrashLeavesTheTerminalUsable(signal: Int32) throws {
    try TemporaryFolder.with { folder in
      let run = try Run(["level", "--device", "sim:?motion=tilt&rate=20"], in: folder)
      let before = run.terminal.modes
      #expect(run.shows(["Level"]))
      kill(run.program.process, signal)
      #expect(run.shows([run.leave]))
      var status: Int32 = 0
      #expect(eventually { waitpid(run.program.process, &status, WNOHANG) != 0 })
      #expect(status & 0x7F == signal || (signal == SIGTERM && status & 0x7F == 0), "\(status)")
      #expect(run.terminal.modes == before)
    }
  }

  @Test func whatIsWrongStandsOnTheScreen() throws {
    try TemporaryFolder.with { folder in
      let run = try Run(["attitude", "--device", "sim:?gyro=no&rate=200"], in: folder)
      #expect(run.shows(["gyroscope"]))
      run.press("q")
      _ = run.rest()
    }
  }

  /// Programs that cannot be started are told on the screen; a count ends it.
  @Test func anEventThatCannotStartItsProgramSaysSo() throws {
    try TemporaryFolder.with { folder in
      let device = "sim:?motion=shake&gestures=shakes&strength=2&rate=100"
      let run = try Run(["motion", "--device", device, "--on", "shake", "/no/such"], in: folder)
      #expect(run.shows(["/no/such"]))
      run.press("q")
      _ = run.rest()
      let counted = try Run(["motion", "--device", device, "--count", "20"], in: folder)
      #expect(counted.rest().contains("user "))
    }
  }

  /// Nothing is said of a board's silence once it speaks again, by the guide of a calibration as by any screen; nor of
  /// one that told no field any more.
  @Test(arguments: [("calibrate", ""), ("motion", ""), ("motion", "error: sensor not found\n")])
  func aBoardThatSpeaksAgainIsNoLongerWaitedFor(command: String, words: String) throws {
    try TemporaryFolder.with { folder in
      let isSilent = Mutex(false)
      let board = try PtyBoard(rate: 50) { _ in
        Array((isSilent.withLock { $0 } ? words : "mx:20,my:1,mz:-40,ax:0,ay:0,az:1,gx:0,gy:0,gz:0\n").utf8)
      }
      let run = try Run([command, "--device", board.path], in: folder)
      #expect(run.shows([board.path, "Hz"]))
      var rows: UInt16 = 24
      for isAway in [true, false] {
        isSilent.withLock { $0 = isAway }
        #expect(
          (0..<3000).contains { _ in
            rows ^= 1
            let screen = run.drawnAnew(rows: rows)
            return screen.contains(board.path) && screen.contains("aiting for") == isAway
          })
      }
      run.press("q")
      _ = run.rest(code: command == "calibrate" ? 130 : 0)
    }
  }

  /// Why nothing is measured stands on each screen, with what helps, and no longer once something is.
  @Test(arguments: [["teslameter"], ["heading", "--rose"], ["level"]])
  func whatIsInTheWayIsSaidAsLongAsItIs(command: [String]) throws {
    try TemporaryFolder.with { folder in
      let isOdd = Mutex(true)
      let board = try PtyBoard(rate: 50) { _ in
        Array((isOdd.withLock { $0 } ? "error: sensor not found\n" : "mx:20.1,my:1.2,mz:-40.3,ax:0,ay:0,az:1\n").utf8)
      }
      let run = try Run(command + ["--device", board.path], in: folder)
      #expect(run.shows(["error: sensor"]))
      #expect(run.drawnAnew(rows: 30).contains("mx:12.3"))
      isOdd.withLock { $0 = false }
      var rows: UInt16 = 30
      #expect(
        (0..<3000).contains { _ in
          rows ^= 1
          let screen = run.drawnAnew(rows: rows)
          return screen.contains(" Hz") && !screen.contains("error: sensor")
        })
      run.press("q")
      _ = run.rest()
    }
  }

  /// Changes of a place are lines in a terminal, too: a screen has none to leave out.
  @Test func changesOfAPlaceAreLines() throws {
    let board = try PtyBoard(rate: 5) { number in
      let second = 10 + number % 50
      return Array(
        NMEASentenceText.sentence("GPRMC,1200\(second),A,4812.0\(second),N,01622.000,E,5.0,40.0,301126,4.0,E,A").utf8)
    }
    try TemporaryFolder.with { folder in
      let run = try Run(["location", "--device", board.path, "--distance", "0", "--count", "2"], in: folder)
      #expect(
        !run.rest().contains(run.enter) && run.text.contains(",16.366667") && !run.text.contains(run.enter))
    }
  }

  /// The wrong instrument names the right one on its screen, too.
  @Test func theWrongScreenNamesTheRightCommand() throws {
    try TemporaryFolder.with { folder in
      let board = try PtyBoard(rate: 10, lines: ["$HCHDG,40.3,,,4.1,E*1B\r\n"])
      let run = try Run(["teslameter", "--device", board.path], in: folder)
      #expect(run.shows(["lodestone heading"]))
      run.press("q")
      _ = run.rest()
    }
  }

  @Test func aBoardThatIsPulledOutIsWaitedFor() throws {
    try TemporaryFolder.with { folder in
      var board: PtyBoard? = try PtyBoard(rate: 50, lines: ["Raw:12,-250,8100,0,0,0,-180,335,-420\r\n"])
      // Only what has a name of its own is waited for.
      let link = folder + "/board"
      symlink(try #require(board?.path), link)
      let run = try Run(["motion", "--device", "\(link)?protocol=motioncal"], in: folder)
      #expect(run.shows(["Held"]))
      board = nil
      #expect(run.shows(["waiting"]))
      // What is away sends nothing a second.
      let screen = run.drawnAnew(rows: 30)
      #expect(screen.contains("waiting") && !screen.contains(" Hz"), "\(screen)")
      run.press("q")
      _ = run.rest()
    }
  }

  /// The first two samples of a second apart are one a second, not two.
  @Test func theRateIsRightFromTheFirstOn() throws {
    try TemporaryFolder.with { folder in
      let run = try Run(["level", "--device", "sim:?rate=1"], in: folder)
      #expect(run.shows([" Hz"]))
      let screen = run.drawnAnew(rows: 30)
      #expect(screen.contains("1.0 Hz"), "\(screen)")
      run.press("q")
      _ = run.rest()
    }
  }
}
