import Glibc
import Support
import Testing

/// No output takes the place of an input of the same command, nor of another output, whatever it is called.
@Suite(.waiting) struct OutputGuardTests {
  private static let rows = (0..<40).map { "\(Double($0) / 10),20.\($0 % 7),1.0,-43.0,0,0,1" }
  private static let recording =
    "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows.joined(separator: "\n") + "\n"
  private static let marks = stride(from: 0, to: 360, by: 30).map { "\($0) \($0 + 1)\n" }.joined()

  /// Runs a command in a folder with an input of each kind: `in.csv`, a sweep `sweep.csv`, its profile `p.json`, and
  /// `marks`.
  private func run(_ arguments: [String], input: String = "", in folder: String) throws -> CommandRun {
    try CommandRun.lodestone(
      arguments, input: input, environment: ["XDG_DATA_HOME": folder + "/data"], shell: "cd \(folder) && exec \"$@\"")
  }

  @Test(arguments: [
    ["calibrate", "--device", "sweep.csv", "--profile", "sweep.csv", "--force"],
    ["calibrate", "--device", "sweep.csv", "--profile", "new.json", "--plot", "sweep.csv", "--force"],
    ["teslameter", "--device", "in.csv", "--zero-seconds", "1", "--json-summary", "in.csv"],
    ["teslameter", "--device", "in.csv", "--zero-seconds", "1", "--json-summary", "link.csv"],
    ["heading", "--device", "in.csv", "--profile", "p.json", "-o", "p.json"],
    ["heading", "--device", "in.csv", "--profile", "p.json", "-o", "/dev/null", "--publish", "file:p.json"],
    ["heading", "--device", "in.csv", "-o", "in.csv"], ["record", "--device", "in.csv", "-o", "hard.csv"],
    ["swing", "--marks", "marks", "--card", "marks"], ["swing", "--marks", "marks", "-o", "marks"],
    ["swing", "--marks", "marks", "--profile", "p.json", "-o", "p.json"],
    ["swing", "--marks", "marks", "--profile", "p.json", "-o", "p.deviation.json"],
    ["swing", "--marks", "marks", "-o", "out.svg", "--card", "out.svg"],
    ["profiles", "export", "p.json", "--for", "json", "-o", "p.json"],
    ["heading", "--device", "in.csv", "-o", "out.csv", "--publish", "file:./out.csv"],
    ["teslameter", "--device", "in.csv", "--zero-seconds", "1", "-o", "out.csv", "--json-summary", "out.csv"],
    ["declination", "--input", "points.csv", "--output", "points.csv"],
    ["calibrate", "--device", "sweep.csv", "--profile", "p.json", "--plot", "p.json", "--force"],
    ["calibrate", "--device", "sweep.csv", "--profile", "new.json", "-o", "./new.json", "--force"],
    ["profiles", "verify", "--device", "sweep.csv", "--profile", "p.json", "-o", "p.json"],
    ["swing", "--marks", "marks", "--profile", "p.json", "--card", "p.deviation.json"],
    ["swing", "--device", "sim:", "--profile", "p.json", "--card", "p.deviation.json"],
    ["teslameter", "--device", "in.csv", "--turns", "--turns-file", "new.json", "-o", "new.json"],
  ])
  func anInputStays(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.recording, to: folder + "/in.csv")
      try CommandRun.write(Self.marks, to: folder + "/marks")
      try CommandRun.write("date,latitude_deg,longitude_deg,altitude_m\n2026.5,48,16,200\n", to: folder + "/points.csv")
      try CommandRun.write(
        bytes: try CommandRun.contents(of: BatchTests.examples + "level.csv"), to: folder + "/sweep.csv")
      let made = try run(["calibrate", "--device", "sweep.csv", "--profile", "p.json", "--force"], in: folder)
      try #require(made.exitCode == 0, "\(made.errors)")
      #expect(link(folder + "/in.csv", folder + "/hard.csv") == 0)
      #expect(symlink("in.csv", folder + "/link.csv") == 0)
      let names = ["in.csv", "marks", "points.csv", "sweep.csv", "p.json"]
      let before = try names.map { try CommandRun.contents(of: "\(folder)/\($0)") }
      let run = try run(arguments, in: folder)
      // A drawing takes the place of nothing but a drawing, before it is looked at what else is read.
      let isDrawing = ["--plot", "--card"].contains { arguments.contains($0) }
      #expect(
        run.exitCode == 64 && run.errors.contains("it is read or written by this very command")
          || isDrawing && run.exitCode == 65 && run.errors.contains("is not an SVG drawing, and would be lost"),
        "\(run.errors)")
      #expect(try names.map { try CommandRun.contents(of: "\(folder)/\($0)") } == before)
    }
  }

  /// A shell's redirection is no other name for it.
  @Test(arguments: [">>", "1<>"], ["record", "heading", "level"])
  func standardOutputIsNoInput(redirection: String, command: String) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.recording, to: folder + "/in.csv")
      let run = try CommandRun.lodestone(
        [command, "--device", "in.csv"], environment: ["XDG_DATA_HOME": folder + "/data"],
        shell: "cd \(folder) && exec \"$@\" \(redirection) in.csv")
      #expect(run.exitCode == 64, "\(run.errors)")
      #expect(run.errors.contains("can't write standard output: it is read or written by this"), "\(run.errors)")
      #expect(try CommandRun.contents(of: folder + "/in.csv") == Array(Self.recording.utf8))
    }
  }

  /// What is made to be brought up to date may be.
  @Test func aProfileIsReplacedByItsCalibration() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(
        bytes: try CommandRun.contents(of: BatchTests.examples + "level.csv"), to: folder + "/sweep.csv")
      for _ in 0..<2 {
        let run = try run(
          ["calibrate", "--device", "sweep.csv", "--profile", "p.json", "--replace", "--force"], in: folder)
        #expect(run.exitCode == 0, "\(run.errors)")
      }
    }
  }

  /// A calibration that could not be saved is not begun: turning a board through all directions takes a minute.
  @Test func whereNothingCanBeSavedNothingIsBegun() throws {
    try TemporaryFolder.with { folder in
      let run = try run(["calibrate", "--device", "sim:", "--plain", "--profile", "none/p.json"], in: folder)
      let error = "Error: can't write none/p.json: no such file or folder\n"
      let hint = "Hint: check the name of the file and of its folder\n"
      #expect(run.exitCode == 66 && run.errors == error + hint, "\(run.errors)")
      // Nobody makes a folder in /proc, not even root.
      let store = try CommandRun.lodestone(
        ["calibrate", "--device", "sim:", "--plain"], environment: ["XDG_DATA_HOME": "/proc"])
      #expect(store.exitCode == 66 && store.errors.hasPrefix("Error: can't write /proc/lodestone"), "\(store.errors)")
    }
  }

  /// Wherever an output cannot be made, the error says what to do.
  @Test(arguments: [
    ["record", "--device", "sim:", "-o"], ["heading", "--device", "sim:", "-o"],
    ["heading", "--device", "sim:", "--publish", "file:"], ["teslameter", "--device", "sim:", "--json-summary"],
    ["record", "--device", "sweep.csv", "--raw"], ["swing", "--marks", "marks", "--card"],
    ["declination", "--at", "48,16", "--output"], ["calibrate", "--device", "sim:", "--plot"],
  ])
  func whatCannotBeMadeComesWithAHint(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.marks, to: folder + "/marks")
      try CommandRun.write(Self.recording, to: folder + "/sweep.csv")
      for path in ["none/x", "marks/x"] {
        let last = arguments.last == "file:" ? arguments.dropLast() + ["file:" + path] : arguments + [path]
        let run = try run(Array(last), in: folder)
        #expect(run.exitCode == 66, "\(run.errors)")
        #expect(run.errors.contains("\nHint: check the name of the file and of its folder\n"), "\(run.errors)")
      }
    }
  }

  /// A file that another program writes to stays its own, whether its file was there before or not.
  @Test(
    arguments: [
      ["record", "--device", "sim:", "--duration", "1", "-o", "s.csv"],
      ["heading", "--device", "sim:", "--duration", "1", "-o", "out.txt", "--publish", "file:s.csv"],
      ["declination", "--at", "48.2,16.37", "--date", "2026.5", "--output", "s.csv"],
      ["teslameter", "--device", "sim:?speed=max", "--count", "5", "-o", "out.txt", "--json-summary", "s.csv"],
    ], [false, true])
  func theFileOfAnotherProgramStays(arguments: [String], isThere: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/s.csv"
      if isThere { try CommandRun.write("old\n", to: path) }
      let first = try #require(
        ChildProgram("lodestone", arguments: ["record", "--device", "sim:?rate=50", "-o", path, "-q"]))
      #expect(eventually { (try? CommandRun.contents(of: path))?.starts(with: "# ".utf8) == true })
      let second = try run(arguments, in: folder)
      #expect(second.exitCode == 75 && second.errors.contains("in use by another program"), "\(second.errors)")
      #expect(first.end(by: SIGINT) == 130)
      let rows = String(decoding: try CommandRun.contents(of: path), as: UTF8.self).split(separator: "\n")
      #expect(rows.first?.hasPrefix("#") == true && rows.count > 3)
      #expect(try run(["record", "--device", "sim:", "--count", "5", "-o", path], in: folder).exitCode == 0)
    }
  }

  /// What goes into a file without a name is lost, and nothing of it is said to be recorded. A file that was moved
  /// stays one.
  @Test(arguments: [false, true]) func aFileThatIsRemovedEndsIt(isMoved: Bool) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/r.csv"
      let program = try #require(
        ChildProgram("lodestone", arguments: ["record", "--device", "sim:?rate=50", "-o", path], joinsErrors: true))
      #expect(eventually { (try? CommandRun.contents(of: path))?.starts(with: "# ".utf8) == true })
      #expect((isMoved ? rename(path, folder + "/moved.csv") : unlink(path)) == 0)
      if isMoved {
        let count = try CommandRun.contents(of: folder + "/moved.csv").count
        #expect(eventually { ((try? CommandRun.contents(of: folder + "/moved.csv"))?.count ?? 0) > count })
        #expect(program.end(by: SIGINT) == 130)
      } else {
        #expect(program.line(holding: "can't write \(path): the file was removed while it was written") != nil)
        #expect(program.end(by: 0) == 74)
      }
    }
  }

  /// A file size of nothing stands for a full disk: what was there before is lost for nothing else.
  @Test(arguments: [
    ["record", "--device", "in.csv", "-o", "old.csv"], ["heading", "--device", "in.csv", "-o", "old.csv"],
    ["heading", "--device", "in.csv", "--publish", "file:old.csv"],
  ])
  func whereNothingCanBeWrittenTheOldFileStays(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.recording, to: folder + "/in.csv")
      try CommandRun.write("old\n", to: folder + "/old.csv")
      let run = try CommandRun.lodestone(
        arguments, environment: ["XDG_DATA_HOME": folder + "/data"],
        shell: #"cd \#(folder) && (ulimit -f 0; "$@" 2>&1; echo "exit $?") | cat"#)
      #expect(run.text.contains("can't write") && run.text.hasSuffix("exit 74\n"), "\(run.text)")
      #expect(try CommandRun.contents(of: folder + "/old.csv") == Array("old\n".utf8))
    }
  }

  /// Where the folder takes no new file, the old one is emptied for the first line, and not before.
  @Test(arguments: [false, true]) func aFileInAClosedFolderStaysUntilThereIsALine(hasLines: Bool) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(hasLines ? Self.recording : "time_s,mx_uT,my_uT,mz_uT\n", to: folder + "/in.csv")
      let run = try CommandRun.lodestone(
        ["record", "--device", "in.csv", "-o", "closed/old.csv"], environment: ["XDG_DATA_HOME": folder + "/data"],
        shell: """
          cd \(folder) && chmod 755 . && chmod 644 in.csv && mkdir closed && yes old | head -1000 > closed/old.csv
          chmod 666 closed/old.csv
          exec setpriv --reuid 65534 --clear-groups "$@"
          """)
      #expect(run.exitCode == (hasLines ? 0 : 65), "\(run.errors)")
      let text = String(decoding: try CommandRun.contents(of: folder + "/closed/old.csv"), as: UTF8.self)
      let rows = text.split(separator: "\n")
      #expect(hasLines ? text.hasPrefix("# lodestone recording") && rows.count < 60 : rows.count == 1000, "\(text)")
    }
  }

  /// A program that rotates logs may copy a file and empty it: the next lines begin at its beginning, and not behind a
  /// hole.
  @Test func aFileThatIsEmptiedHasNoHole() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/r.csv"
      func count() -> Int { (try? CommandRun.contents(of: path))?.count ?? 0 }
      let arguments = ["record", "--device", "sim:?rate=50", "-o", path]
      let program = try #require(ChildProgram("lodestone", arguments: arguments))
      #expect(eventually { count() > 1000 })
      #expect(truncate(path, 0) == 0)
      #expect(eventually { count() > 0 })
      #expect(program.end(by: SIGINT) == 130)
      #expect(try !CommandRun.contents(of: path).contains(0))
    }
  }
}
