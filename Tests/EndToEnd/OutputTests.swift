import Glibc
import Support
import Testing

/// What was written stays, what is to be written arrives, and nobody else's file is harmed.
@Suite(.waiting) struct OutputTests {
  private static let rows =
    ["time_s,mx_uT,my_uT,mz_uT"] + (0..<6000).map { "\($0 / 50).\(10 + $0 % 50 * 2),20,\($0 % 9),-43" }

  private static func sweep(in folder: String) throws -> String {
    try CommandRun.write(rows.joined(separator: "\n") + "\n", to: "\(folder)/s.csv")
    return "\(folder)/s.csv"
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try CommandRun.contents(of: path), as: UTF8.self)
  }

  /// Longer than any patience of the program: a reader that pauses gets all lines all the same.
  @Test func aReaderThatPausesGetsEverything() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["record", "-d", try Self.sweep(in: folder)], shell: #""$@" | (sleep 8; cat)"#)
      #expect(MainJobTests.rows(run.text).count == 6000)
      #expect(run.text.hasSuffix("\n"))
    }
  }

  /// Ctrl-C does not wait for a reader that stands still; what it did not get is told.
  @Test func aSignalEndsTheWaitForAReader() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["record", "-d", try Self.sweep(in: folder)],
        shell:
          #"mkfifo \#(folder)/p; sleep 20 < \#(folder)/p & reader=$!; "$@" > \#(folder)/p & pid=$!; sleep 2; kill -TERM $pid; wait $pid; code=$?; kill $reader; exit $code"#
      )
      #expect(run.exitCode == 130)
      #expect(run.errors.contains("dropped"), "\(run.errors)")
    }
  }

  @Test func aPipeWithoutAReaderIsNamed() throws {
    try TemporaryFolder.with { folder in
      let pipe = folder + "/p"
      #expect(mkfifo(pipe, 0o600) == 0)
      for option in [["-o", pipe], ["-o", "/dev/null", "--publish", "file:" + pipe]] {
        let run = try CommandRun.lodestone(["heading", "-d", "sim:", "--count", "1"] + option)
        #expect(run.exitCode == 74)
        let words = "p: no program reads it\nHint: start the program that reads it first\n"
        #expect(run.errors.contains(words), "\(run.errors)")
      }
    }
  }

  @Test(arguments: ["record", "heading"])
  func inputAndOutputBeingOneFileIsRefused(command: String) throws {
    try TemporaryFolder.with { folder in
      let path = try Self.sweep(in: folder)
      symlink(path, "\(folder)/link.csv")
      let before = try Self.text(of: path)
      for other in [path, "\(folder)/link.csv"] {
        let run = try CommandRun.lodestone([command, "-d", path, "-o", other])
        #expect(run.exitCode == 64)
        #expect(run.errors.contains("read or written by this very command"), "\(run.errors)")
        #expect(try Self.text(of: path) == before)
      }
      guard command == "record" else { return }
      let run = try CommandRun.lodestone(["record", "-d", path, "--raw", path])
      #expect(run.exitCode == 64)
      #expect(try Self.text(of: path) == before)
    }
  }

  @Test func twoOutputsInOneFileAreRefused() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["record", "-d", "sim:?speed=max", "--count", "10", "--truth", "\(folder)/x.csv", "-o", "\(folder)/x.csv"])
      #expect(run.exitCode == 64, "\(run.errors)")
    }
  }

  /// A command that fails before its first line leaves what was there.
  @Test func aFailureLeavesTheOldRecording() throws {
    try TemporaryFolder.with { folder in
      let path = try Self.sweep(in: folder)
      let before = try Self.text(of: path)
      try CommandRun.write("words and no numbers\n", to: "\(folder)/garbage.csv")
      for command in ["record", "heading"] {
        let run = try CommandRun.lodestone([command, "-d", "\(folder)/garbage.csv", "-o", path])
        #expect(run.exitCode == 65)
        #expect(try Self.text(of: path) == before)
      }
    }
  }

  @Test func aReplacedFileKeepsItsModeAndItsLink() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("old\n", to: "\(folder)/real.csv")
      chmod("\(folder)/real.csv", 0o640)
      symlink("real.csv", "\(folder)/link.csv")
      for arguments in [
        ["record", "-d", "sim:?speed=max", "--count", "5", "-o", "\(folder)/link.csv"],
        ["declination", "--at", "48,16", "--date", "2026.5", "--output", "\(folder)/link.csv"],
      ] {
        let run = try CommandRun.lodestone(arguments)
        #expect(run.exitCode == 0, "\(run.errors)")
        var facts = stat()
        #expect(lstat("\(folder)/link.csv", &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK)
        #expect(stat("\(folder)/real.csv", &facts) == 0 && facts.st_mode & 0o777 == 0o640)
        #expect(try Self.text(of: "\(folder)/real.csv") != "old\n")
      }
    }
  }

  /// Text in a file that is called a table is told, with what makes one.
  @Test(arguments: [
    ("a.csv", [], "a.csv is written as text; --format csv writes csv"), ("a.CSV", ["--format", "csv"], nil),
    ("a.txt", [], nil), ("a.json", ["-q"], nil),
  ])
  func aNameThatSaysAnotherFormatIsTold(name: String, options: [String], words: String?) throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["heading", "sim:?speed=max", "--count", "2", "-o", "\(folder)/\(name)"] + options)
      #expect(run.exitCode == 0 && run.errors.contains("written as text") == (words != nil), "\(run.errors)")
      if let words { #expect(run.errors.contains(words)) }
    }
  }

  /// A hidden file that a killed program has left goes with the next save; one of a living program stays.
  @Test func leftoversAreRemoved() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("old\n", to: "\(folder)/a.csv")
      try CommandRun.write("left\n", to: "\(folder)/.lodestone-1-0.tmp")
      try CommandRun.write("held\n", to: "\(folder)/.lodestone-2-0.tmp")
      let held = open("\(folder)/.lodestone-2-0.tmp", O_RDONLY | O_CLOEXEC)
      defer { close(held) }
      flock(held, LOCK_EX)
      let run = try CommandRun.lodestone(["record", "-d", "sim:?speed=max", "--count", "5", "-o", "\(folder)/a.csv"])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(access("\(folder)/.lodestone-1-0.tmp", F_OK) != 0)
      #expect(access("\(folder)/.lodestone-2-0.tmp", F_OK) == 0)
    }
  }

  /// What is no profile of ours in the store neither stops a save nor is waited for.
  @Test func strangersInTheStoreHarmNothing() throws {
    try TemporaryFolder.with { folder in
      let store = "\(folder)/lodestone/profiles/sim"
      try #require(mkdir("\(folder)/lodestone", 0o700) == 0 && mkdir("\(folder)/lodestone/profiles", 0o700) == 0)
      try #require(mkdir(store, 0o700) == 0 && mkfifo("\(store)/0007.json", 0o600) == 0)
      try CommandRun.write("{}", to: "\(store)/999999999.json")
      let run = try CommandRun.lodestone(["profiles"], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0, "\(run.errors)")
    }
  }

  @Test func charactersThatTurnTheLineAreShownAsEscapes() throws {
    let run = try CommandRun.lodestone(["heading", "-d", "/nowhere/\u{202E}vsc.exe"])
    #expect(run.errors.contains(#"\u{202E}"#), "\(run.errors)")
    #expect(!run.errors.contains("\u{202E}"))
  }

  /// A name in other bytes than UTF-8 would be read as another one: of another file, and for two names the same.
  @Test(arguments: [#"record --device sim:?speed=max --count 3 -o"#, "heading --count 1 --device", "profiles show"])
  func aNameThatIsNotTextIsRefused(words: String) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,20,1,-40\n", to: folder + "/\u{FFFD}.csv")
      let run = try CommandRun.lodestone(
        [], environment: ["XDG_DATA_HOME": folder],
        shell: #"cd \#(folder) && "$1" \#(words) "$(printf '\377.csv')"; code=$?; ls; exit $code"#)
      #expect(run.exitCode == 64 && run.errors.contains("'\u{FFFD}.csv' is not in UTF-8"), "\(run.errors)")
      #expect(run.text == "\u{FFFD}.csv\n")
    }
  }

  /// A folder for profiles whose name is not text is none, and no other one is made.
  @Test func aHomeThatIsNotTextIsNone() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["profiles", "path"],
        shell: #"cd \#(folder) && XDG_DATA_HOME="\#(folder)/$(printf '\377')" exec "$@""#)
      #expect(run.exitCode == 66 && run.text.isEmpty, "\(run.text)\(run.errors)")
      // A setting that cannot be read is not left out.
      let device = try CommandRun.lodestone(
        ["heading", "--count", "1"], shell: #"LODESTONE_DEVICE="$(printf '\377')" exec "$@""#)
      #expect(device.exitCode == 64 && device.errors.contains("LODESTONE_DEVICE="), "\(device.errors)")
    }
  }

  @Test func aFullDiskIsNamed() throws {
    let run = try CommandRun.lodestone(["heading", "-d", "sim:?speed=max", "--count", "5000", "-o", "/dev/full"])
    #expect(run.exitCode == 74)
    #expect(run.errors.contains("/dev/full: the disk is full"), "\(run.errors)")
  }

  @Test func aFileThatCannotBeMadeIsNoMatterOfUdev() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["record", "-d", "sim:?speed=max", "--count", "5", "-o", "\(folder)/closed/a.csv"],
        shell:
          #"mkdir \#(folder)/closed && chmod 700 \#(folder) \#(folder)/closed; chmod 755 \#(folder); exec setpriv --reuid 65534 --clear-groups "$@""#
      )
      #expect(run.exitCode == 77, "\(run.errors)")
      #expect(!run.errors.contains("udev") && !run.errors.contains("group"), "\(run.errors)")
    }
  }

  /// A file that its owner has write-protected is not replaced, though its folder would let him.
  @Test func aWriteProtectedFileStays() throws {
    try TemporaryFolder.with { folder in
      let file = folder + "/kept"
      let run = try CommandRun.lodestone(
        ["calibrate", "-d", "sim:?speed=max", "--replace", "--profile", file],
        shell: """
          chown 65534 \(folder); echo kept > \(file); chown 65534 \(file); chmod 444 \(file)
          exec setpriv --reuid 65534 --clear-groups "$@"
          """)
      #expect(run.exitCode == 77 && run.errors.contains("\(file): permission denied"), "\(run.errors)")
      #expect(try CommandRun.contents(of: file) == Array("kept\n".utf8))
    }
  }

  /// A kernel puts an empty name where a program is started without any argument.
  @Test func anEmptyArgumentListIsAnError() throws {
    let run = try CommandRun.lodestone([], shell: #"exec bash -c 'exec -a "" "$0"' "$1""#)
    #expect(run.exitCode == 64)
    #expect(run.text.isEmpty)
  }
}
