import Glibc
import LodestoneCore
import LodestonePorts
import Support
import Testing

/// Everything that can go wrong ends in one line on standard error (and a hint), the right exit code, and no data lost.
@Suite(.waiting) struct BadInputTests {
  /// A recording.
  static let sweep = BatchTests.examples + "figure-eight.csv"

  private func heading(_ device: String, _ more: [String] = []) throws -> CommandRun {
    try CommandRun.lodestone(["heading", "--device", device, "--format", "csv", "--profile", "none"] + more)
  }

  private static func isOneError(_ run: CommandRun, _ words: String) -> Bool {
    let lines = run.errors.split(separator: "\n").filter { !$0.hasPrefix("lodestone: ") }
    return lines.first?.hasPrefix("Error: ") == true && lines.first?.contains(words) == true && lines.count <= 2
      && lines.dropFirst().allSatisfy { $0.hasPrefix("Hint: ") }
  }

  @Test(arguments: [
    ("nowhere:x", 64, "unknown kind of device 'nowhere'"), ("sim:?mass=3", 64, "no option 'mass'"),
    ("/dev/ttyLODESTONE9", 66, "no such device"), ("/nowhere/sweep.csv", 66, "no such device or file"),
    ("/tmp", 66, "it is a folder"), ("serial:/dev/null", 66, "not a serial port"),
    ("sim:?rate=fast", 64, "'fast' is not a valid value for rate"), ("/dev/null", 66, "not a serial port"),
  ])
  func devicesThatAreNone(_ device: String, _ code: Int32, _ words: String) throws {
    let run = try heading(device)
    #expect(run.exitCode == code)
    #expect(Self.isOneError(run, words), "\(run.errors)")
    #expect(run.text.isEmpty || run.text.split(separator: "\n").count == 1)
  }

  /// A sensor that answers `nan` for a moment: all rows behind it were lost, as those of another compass.
  @Test(arguments: ["mx:%,my:%,mz:%", "X: %  Y: %  Z: %  uT", "temp: 21.5, mx:%,my:%,mz:%"])
  func aNumberThatIsMissingEndsNothing(form: String) throws {
    func line(_ word: String) -> String { form.replacing("%", with: word) + "\n" }
    let good = (0..<50).map { line("2\($0 % 10).\($0 % 7)") }.joined()
    try TemporaryFolder.with { folder in
      try CommandRun.write(good + line("nan") + line("nan") + good, to: folder + "/board.log")
      let run = try CommandRun.lodestone(["record", folder + "/board.log", "--field-unit", "uT"])
      #expect(run.exitCode == 0 && !run.errors.contains("compass"), "\(run.errors)")
      #expect(MainJobTests.rows(run.text).count == 100)
    }
  }

  @Test(arguments: [
    (["heading", "--device", "sim:", "--at", "91,0"], "latitude 91"),
    (["heading", "--device", "sim:", "--at", "48,16", "--date", "2031.5"], "outside the life"),
    (["heading", "--device", "sim:", "--mount", "x,x,z"], "--mount"),
    (["heading", "--device", "sim:", "--format", "xml"], "--format"),
    (["heading", "--device", "sim:", "--count", "0"], "--count"),
    (["heading", "--device", "sim:", "--orientation", "sideways"], "--orientation"),
    (["heading", "--device", "sim:", "--filter", "-1"], "--filter -1: not in 0 to 180°"),
    (["calibrate", "--device", "sim:", "--target", "-1"], "--target -1: not in 0.05 to 30°"),
    (["calibrate", "--device", "sim:", "--facing", "-400"], "--facing -400: not in -360 to 360°"),
    (["calibrate", "--device", "sim:", "--profile", "none"], "--profile none: calibrate saves a calibration"),
    (["teslameter", "--device", "sim:", "--zero-seconds", "-1"], "--zero-seconds -1: must be more than 0"),
    (["teslameter", "--device", "sim:", "--smooth", "-1"], "--smooth -1: must be more than 0"),
    (["teslameter", "--device", "sim:", "--still-to", "-1"], "--still-to -1: not in 0 to 45°"),
    (["teslameter", "--device", "sim:", "--ac", "--window", "-1"], "--window -1: must be more than 0"),
    (["profiles", "send", "--to", "/dev/null", "--baud", "-1"], "--baud -1: must be at least 1"),
    (["profiles", "send", "--to", "/dev/null", "--wait", "-1"], "--wait -1: must be more than 0"),
    (["heading", "--device", "sim:", "--smooth", "0"], "--smooth 0: must be more than 0"),
    (["motion", "--device", "sim:", "--gravity-time", "-1"], "--gravity-time -1: must be more than 0"),
    (["replay", "x", "--speed", "inf"], "--speed inf: must be more than 0 and at most"),
    (["replay", "x", "--rate", "-1"], "--rate -1: must be more than 0"),
    (["batch", "heading", "--jobs", "-1"], "--jobs -1: not in 1 to 1024"),
    (["teslameter", "--device", "sim:", "--unit", "tesla"], "--unit"), (["nonsense"], "nonsense"),
  ])
  func argumentsThatAreNone(_ arguments: [String], _ words: String) throws {
    let run = try CommandRun.lodestone(arguments)
    #expect(run.exitCode == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.text.isEmpty)
  }

  /// A protocol that the address names, and the board does not speak, is what is wrong: not the baud rate, nor columns.
  @Test func aWrongProtocolIsTold() throws {
    let board = try PtyBoard(rate: 50, lines: ["mx:20.1,my:1.5,mz:-40.2\n"])
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", board.path + "?protocol=razor", "--format", "csv"],
        joinsErrors: true))
    let told = program.line(holding: "what arrives")
    #expect(told?.contains("no message of razor is in what arrives: mx:20.1") == true, "\(told ?? "nothing")")
    #expect(told?.contains("(leave ?protocol=razor out") == true)
    #expect(program.end(by: SIGINT) == 130)
    let file = try CommandRun.lodestone(["heading", BadInputTests.sweep + "?protocol=um7"])
    #expect(file.exitCode == 65 && file.errors.contains(".csv holds no message of um7"))
    #expect(file.errors.contains("Hint: leave ?protocol=um7 out"), "\(file.errors)")
  }

  /// What is shown of rubbish is what comes now, and no sound row of before.
  @Test func whatArrivesNowIsShown() throws {
    let board = try PtyBoard(rate: 50) { number in
      Array((number == 0 ? "12.31,20.11,1.52,-40.23,0.01,0.02,0.99\n" : "error: sensor not found\n").utf8)
    }
    let program = try #require(
      ChildProgram("lodestone", arguments: ["heading", "--device", board.path, "--format", "csv"], joinsErrors: true))
    let told = program.line(holding: "what arrives")
    #expect(told?.contains("what arrives: error: sensor not found") == true, "\(told ?? "nothing")")
    #expect(program.end(by: SIGINT) == 130)
  }

  /// A compass that computes its headings is not turned by how a chip is mounted.
  @Test func aMountingOfAFinishedCompassIsToldToDoNothing() throws {
    try TemporaryFolder.with { folder in
      let sentences = (0..<3).map { NMEASentenceText.sentence("HCHDG,10\($0).0,,,4.0,E") }
      try CommandRun.write(sentences.joined(), to: folder + "/compass.nmea")
      let arguments = ["heading", folder + "/compass.nmea", "--format", "csv"]
      let run = try CommandRun.lodestone(arguments + ["--mount", "-y,x,z"])
      #expect(run.exitCode == 0 && run.errors.contains("passed on as they are: the mounting changes nothing"))
      #expect(try !CommandRun.lodestone(arguments).errors.contains("changes nothing"))
    }
  }

  /// An option that can do nothing here is an error.
  @Test(arguments: [
    (["heading", "sim:?speed=max", "--count", "3", "--date", "2026.7"], "--date"),
    (["heading", "sim:?speed=max", "--count", "3", "--extrapolate"], "--extrapolate"),
    (["attitude", "sim:?speed=max", "--count", "3", "--date", "2026.7"], "--date"),
    (["heading", "sim:", "--count", "1", "--interval", "5"], "--interval needs --on"),
    (["level", "sim:", "--count", "1", "--interval", "5", "--events"], "--interval needs --on"),
    (["heading", "sim:", "--count", "1", "--talker", "II"], "--talker II needs --format nmea"),
    (["heading", "sim:", "--count", "1", "--talker", "II", "--format", "csv"], "--talker II needs --format nmea"),
    (["attitude", "sim:", "--count", "1", "--talker", "II", "--format", "json"], "--talker II needs --format nmea"),
    (["attitude", "sim:", "--count", "1", "--sentence", "att"], "--sentence att needs --format nmea"),
    (["attitude", "sim:", "--count", "1", "--matrix", "--format", "nmea"], "--format nmea: there are text, json"),
    (["attitude", "sim:", "--count", "1", "--matrix", "--format", "signalk"], "--format signalk: there are text"),
    (["heading", "sim:", "--count", "1", "--rose", "--format", "csv"], "--rose"),
    (["heading", "sim:", "--count", "1", "--rose", "--output", "/dev/null"], "--rose"),
    (["heading", "sim:", "--count", "1", "--rose", "--filter", "5"], "--rose"),
    (["heading", "sim:", "--count", "1", "--rose"], "--rose draws a live device on a terminal"),
    (["heading", "sim:", "--count", "1", "--format", "csv", "--json"], "--format csv and --json: choose one format"),
    (["record", "sim:", "--count", "1", "--mount", "-y,x,z"], "--mount: samples are recorded in the chip's axes"),
    (["calibrate", BadInputTests.sweep, "--plain"], "--plain guides a live calibration"),
    (["calibrate", BadInputTests.sweep, "--target", "2"], "--target guides a live calibration"),
    (["calibrate", BadInputTests.sweep, "--date", "2026.7"], "--date changed nothing"),
    (["swing", "sim:", "--date", "2026.7"], "--date changed nothing"),
    (["batch", "teslameter", "x.csv", "--unit", "mT"], "--unit mT needs --output-dir"),
    (["devices", "--watch", "--listen"], "--watch opens no device: leave --listen out"),
    (["devices", "--watch", "--probe"], "leave --probe out"),
    (["devices", "--udev-rules", "--json"], "--udev-rules prints rules alone: leave --json out"),
    (["replay", BadInputTests.sweep, "--verbose"], "--verbose"),
  ])
  func optionsThatCanDoNothing(_ arguments: [String], _ words: String) throws {
    let run = try CommandRun.lodestone(arguments)
    #expect(run.exitCode == 64 && run.errors.contains(words), "\(run.errors)")
  }

  /// A setting for all commands is no order to this one, and does no harm where it can do nothing.
  @Test(arguments: [
    (["heading", "--format", "csv"], ["LODESTONE_TALKER": "II"]),
    (["attitude", "--format", "json", "--matrix"], ["LODESTONE_TALKER": "II", "LODESTONE_AT": "48.2,16.37"]),
    (["heading", "--date", "2026.7"], ["LODESTONE_AT": "48.2,16.37"]),
    (["heading", "--talker", "II", "--publish", "file:/dev/null"], [:]), (["motion", "--interval", "2"], [:]),
    (["level", "--interval", "2", "--on", "still", "true"], [:]),
  ])
  func settingsThatCanDoNothing(_ arguments: [String], _ variables: [String: String]) throws {
    let run = try CommandRun.lodestone(
      arguments + ["--device", "sim:?speed=max", "--count", "3"], environment: variables)
    #expect(run.exitCode == 0, "\(run.errors)")
  }

  /// A unit that is a guess is told as one, however the rest of the line is known.
  @Test(arguments: [
    (["--columns", "mx,my,mz"], "", ""), ([], "?columns=mx,my,mz", ""), ([], "?protocol=csv", ""), ([], "", ""),
    ([], "?protocol=labels", "XYZ"),
  ])
  func aGuessedUnitIsTold(_ options: [String], _ query: String, _ labels: String) throws {
    try TemporaryFolder.with { folder in
      let row = labels.isEmpty ? "-129,157,-435\n" : "X: -129 Y: 157 Z: -435\n"
      try CommandRun.write(String(repeating: row, count: 30), to: folder + "/board.txt")
      let run = try CommandRun.lodestone(
        ["heading", folder + "/board.txt" + query, "--profile", "none", "--count", "5"] + options)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.errors.ranges(of: "assuming mG: the field measures 480").count == 1, "\(run.errors)")
    }
  }

  /// A unit that is stated, and in which the field is not the Earth's where it is in another, is doubted aloud.
  @Test(arguments: [("nT", true), ("mT", true), ("mG", false)])
  func aStatedUnitThatTheDataContradictIsDoubted(_ unit: String, _ isDoubted: Bool) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(String(repeating: "-129,157,-435\n", count: 30), to: folder + "/board.txt")
      for columns in [[], ["--columns", "mx,my,mz"]] {
        let run = try CommandRun.lodestone(
          ["heading", folder + "/board.txt", "--profile", "none", "--field-unit", unit] + columns)
        #expect(run.exitCode == 0)
        #expect(run.errors.contains("in mG it would be: --field-unit mG") == isDoubted, "\(columns) \(run.errors)")
      }
    }
  }

  /// A chip of an unknown name is called by that name.
  @Test func anUnknownChipIsNamed() throws {
    let run = try CommandRun.lodestone(["heading", "sweep.csv?chip=bmm350"])
    let words = "Error: can't open sweep.csv?chip=bmm350: nothing is called 'bmm350'\n"
    #expect(run.errors.hasPrefix(words), "\(run.errors)")
  }

  /// A hint names what the command takes, and nothing else.
  @Test(arguments: [
    (["chip", "info", "sim:"], "it is not a bus with chips\nHint: name one, as in usb: or i2c:/dev/i2c-1\n"),
    (["replay", "sim:"], "can't replay 'sim:': it is not a file\nHint: lodestone simulate sim: offers"),
    (["heading", "/dev/null"], "not a serial port\nHint: lodestone devices lists the ports"),
    (["record", "sim:", "--raw", "/dev/null"], "it has no raw bytes\nHint: leave --raw out"),
    (["declination", "--at", "1,2", "--input", "x"], "exclude each other\nHint: leave one out"),
  ])
  func theHintFitsTheCommand(_ arguments: [String], _ words: String) throws {
    let run = try CommandRun.lodestone(arguments)
    #expect([64, 66].contains(run.exitCode) && run.errors.contains(words), "\(run.errors)")
  }

  /// What is written besides the output needs a name: none leaves a file called `-`.
  @Test(arguments: [
    ["record", "sim:", "--count", "1", "--raw", "-"], ["heading", "sim:", "--count", "1", "--truth", "-"],
    ["teslameter", "sim:", "--turns", "--count", "1", "--turns-file", "-"],
    ["heading", "sim:", "--count", "1", "--publish", "file:-"],
    ["teslameter", "sim:?speed=max", "--count", "1", "--json-summary", "-"], ["swing", "--marks", "x", "--card", "-"],
  ])
  func aFileBesidesTheOutputNeedsAName(_ arguments: [String]) throws {
    let run = try CommandRun.lodestone(arguments)
    #expect(run.exitCode == 64 && access("-", F_OK) != 0, "\(run.errors)")
  }

  @Test func emptyAndGarbageFiles() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("", to: "\(folder)/empty.csv")
      try CommandRun.write("the quick brown fox\n\u{1B}]0;evil\u{7}\n", to: "\(folder)/garbage.csv")
      let empty = try heading("\(folder)/empty.csv")
      #expect(empty.exitCode == 65)
      #expect(Self.isOneError(empty, "is empty"), "\(empty.errors)")
      let garbage = try heading("\(folder)/garbage.csv")
      #expect(garbage.exitCode == 65)
      #expect(Self.isOneError(garbage, "holds no samples"), "\(garbage.errors)")
      #expect(!garbage.errors.contains("\u{1B}"))
    }
  }

  /// A Hall probe of one axis of which nothing says so: the hint tells how it is read, and so it is.
  @Test(arguments: [
    ("Time (s),Magnetic Field x (mT)\n", true), ("Time (s),Total Field (mT)\n", true), ("", true), ("", false),
  ])
  func aProbeOfOneAxisIsToldHowToName(_ header: String, _ hasTime: Bool) throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<300).map { row in
        let field = (row < 150 ? 0.05 : 12.05) + Double(row % 3) * 0.01
        return (hasTime ? "\((Double(row) / 50).text(decimals: 2))," : "") + field.text(decimals: 3)
      }
      try CommandRun.write(header + rows.joined(separator: "\n") + "\n", to: "\(folder)/probe.txt")
      let device = ["--profile", "none", "--device", "\(folder)/probe.txt" + (hasTime ? "" : "?rate=50")]
      let refused = try CommandRun.lodestone(["teslameter"] + device)
      #expect(refused.exitCode == 65)
      let hint = "--columns t,probe or --columns probe, and the unit, --unit mT"
      #expect(refused.errors.contains(hint), "\(refused.errors)")
      let run = try CommandRun.lodestone(
        ["teslameter", "--columns", hasTime ? "t,probe" : "probe", "--unit", "mT", "--format", "csv"] + device)
      #expect(run.exitCode == 0, "\(run.errors)")
      let last = try #require(MainJobTests.rows(run.text).last)
      #expect(abs(try #require(last["dx_mT"].flatMap { Double($0) }) - 12) < 0.03, "\(last)")
    }
  }

  /// Rows that are no numbers are left out and counted, a cut-off last line is said; the rest is read.
  @Test func badRowsAreLeftOutAndCounted() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/sweep.csv"
      let good = (0..<8).map { "0.\($0),20,\($0),-43" }
      let bad = ["0.8,nan,0,-43", "0.8,20,0", "0.8,1e300,0,-43", "0.8,,,"]
      try CommandRun.write((["time_s,mx_uT,my_uT,mz_uT"] + good + bad + ["0.9,0,2"]).joined(separator: "\n"), to: path)
      let run = try heading(path)
      #expect(run.exitCode == 0)
      #expect(MainJobTests.rows(run.text).count == 8)
      #expect(run.errors.contains("malformed"))
      #expect(run.errors.contains("cut off"))
    }
  }

  @Test func aFullDiskIsSaid() throws {
    let run = try CommandRun.lodestone(
      ["heading", "--device", "sim:?speed=max", "--count", "5000", "--format", "csv", "--output", "/dev/full"])
    #expect(run.exitCode == 74)
    #expect(Self.isOneError(run, "disk is full"), "\(run.errors)")
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let run = try CommandRun.lodestone(
      ["heading", "--device", "sim:?speed=max", "--format", "csv", "--quiet"],
      shell: #""$@" | head -n 2; exit "${PIPESTATUS:-0}""#)
    #expect(run.text.split(separator: "\n").count == 2)
    #expect(!run.errors.contains("Error"))
  }

  @Test func aCorruptProfileIsRefused() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("{\"format\": \"lodestone-pro", to: "\(folder)/profile.json")
      let run = try CommandRun.lodestone([
        "heading", "--device", "sim:?speed=max", "--profile", "\(folder)/profile.json", "--count", "1",
      ])
      #expect(run.exitCode == 65)
      #expect(Self.isOneError(run, "profile.json"), "\(run.errors)")
      #expect(run.text.isEmpty)
    }
  }

  /// A hint is something to do, or the names to choose from.
  @Test func aKernelDeviceThatIsNotThereHasAHint() throws {
    let run = try CommandRun.lodestone(["heading", "--device", "iio:nowhere", "--count", "1"])
    #expect(run.exitCode == 66 && Self.isOneError(run, "the kernel has no such device"), "\(run.errors)")
    #expect(
      run.errors.contains("Hint: lodestone devices lists") || run.errors.contains("Hint: there are "), "\(run.errors)")
  }

  @Test func aPortThatIsNotOursIsNotPermitted() throws {
    let terminal = try PseudoTerminal()
    chmod(terminal.path, 0o600)
    let run = try CommandRun.lodestone(
      ["heading", "--device", terminal.path, "--count", "1"], shell: #"exec setpriv --reuid 65534 --clear-groups "$@""#)
    #expect(run.exitCode == 77)
    #expect(Self.isOneError(run, "permission denied"), "\(run.errors)")
  }

  @Test func anUnpluggedDeviceEndsTheStreamWhereNobodyWaits() throws {
    let board = try PtyBoard(
      rate: 100, lines: ["Raw:0,0,8192,0,0,0,200,0,-430\r\n", "Raw:0,0,8192,0,0,0,201,1,-431\r\n"])
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: ["heading", "--device", board.path, "--no-reconnect", "--format", "csv", "--profile", "none"],
        joinsErrors: true))
    while let line = program.line(), !line.contains("face-up") {}
    board.unplug()
    var words = ""
    while let line = program.line() { if line.hasPrefix("Error") { words = line } }
    #expect(words.contains("has gone"))
    #expect(program.exitCode() == 69)
  }

  @Test(arguments: [
    ("noise \u{1B}[2J noise\n", "there are no x, y and z of a field in what arrives"),
    ("noise \u{1}\u{1B}[2J noise\n", "can't read what arrives"),
  ])
  func garbageOnThePortIsToldAndNeverFatal(_ line: String, _ notice: String) throws {
    let board = try PtyBoard(rate: 200, lines: [line])
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", board.path, "--duration", "120", "--format", "csv"],
        joinsErrors: true))
    var told: String?
    while let line = program.line() {
      if line.contains(notice) {
        told = line
        break
      }
    }
    let words = try #require(told)
    #expect(words.contains("noise"))
    #expect(!words.contains("\u{1B}"))
    #expect(program.end(by: SIGINT) == 130)
  }
}
