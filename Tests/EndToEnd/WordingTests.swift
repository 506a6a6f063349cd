import Support
import Testing

/// The sentences that people read where something is wrong, through the built command.
@Suite(.waiting) struct WordingTests {
  /// A command that is told to be typed works as it stands, though a file's name begins with a hyphen.
  @Test func aHintNamesAFileThatIsNoOption() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,20,1,-43\n0.1,20,1,-43\n", to: folder + "/-in.csv")
      let run = try CommandRun.lodestone(
        ["heading", "--", "-in.csv"], environment: ["XDG_DATA_HOME": folder], shell: "cd \(folder) && exec \"$@\"")
      #expect(run.errors.contains("Run lodestone calibrate ./-in.csv\n"), "\(run.errors)")
    }
  }

  @Test(arguments: [
    (
      ["heading", "--device", "sim:?speed=2"],
      "Error: can't open sim:?speed=2: '2' is not a valid value for speed\nHint: it takes max\n"
    ),
    (["heading", "--device", "foo:"], "Error: can't open 'foo:': unknown kind of device 'foo'\n"),
    (["heading", "--device", "sim:", "--rate", "0"], "--rate 0: must be more than 0 and at most 100000 Hz\n"),
    (["heading", "--device", "sim:", "--rate", "field=20,rotation=0"], "--rate 0: must be more than 0"),
    (
      ["heading", "--device", "sim:", "--rate", "50000"],
      "Error: can't open 'sim:': '50000' is not a valid value for rate\n"
    ),
    (["teslameter", "sim:", "--unit", "T"], "'--unit <unit>'. Please provide one of the following: nT, uT, mT, G, mG"),
    (
      ["heading", "--device", "sim:", "--rate", "field=20,mood=3"], "The value 'field=20,mood=3' is invalid for '--rate"
    ),
    (
      ["heading", "--device", "tcp://127.0.0.1:1", "--rate", "field=20,rotation=100"],
      "tcp://127.0.0.1:1 has one rate for all that it measures\nHint: as in --rate 50;"
    ),
    (["heading", "--device", "sim:", "--count", "-1"], "--count -1: must be at least 1\n"),
    (["heading", "--device", "sim:", "--at", "48.2"], "Error: '48.2' is not a valid place\n"),
    (
      ["heading", "--device", "sim:", "--count", "1", "--output", "/nowhere/at/all"], "Hint: check the name of the file"
    ),
    (["replay", "/nowhere/sweep.csv"], "Hint: check the name of the file"),
    (["profiles", "export", "--help"], "--for <program>"),
    (["profiles", "send", "--help"], "--to <port>"), (["profiles", "send", "--help"], "--baud <rate>"),
    (["profiles", "import", "--help"], "--field-strength <microtesla>"),
    (["profiles", "import", "--help"], "--device <address>"), (["profiles", "export", "--help"], "--output <file>"),
    (["headin"], "Error: there is no command 'headin'\nHint: did you mean lodestone heading?\n"),
    (["profiles", "lsit"], "Hint: did you mean lodestone profiles list?\n"),
    (["somersault"], "Error: there is no command 'somersault'\nHint: see lodestone --help\n"),
    (["help", "headin"], "Error: there is no command 'headin'\nHint: did you mean lodestone heading?\n"),
    (["swing", "--marks", "/nowhere/marks.csv"], "marks.csv: no such file\nHint: check the name of the file"),
    (["declination", "--input", "/tmp"], "it is a folder, not a file\nHint: give the name of a file"),
    (["heading", "udp://boat"], "is missing\nHint: addresses look like "),
    (["serve", "sim:", "--recordings", "/nowhere"], "can't use /nowhere: it is not a folder\nHint: --recordings "),
    (
      ["heading", "sim:?speed=max", "--count", "1", "--publish", "file:/dev/null", "--publish", "rotctl://:0"],
      " and rotctl at rotctl://127.0.0.1:"
    ),
    (["heading", "--fromat", "csv"], "Unknown option '--fromat'. Did you mean '--format'?\nHint: see "),
    (["heading", "--device", "sim:", "--cout", "3"], "Unknown option '--cout'. Did you mean '--count'?\n"),
    (["serve", "--device", "sim:", "--listn", "3"], "Unknown option '--listn'. Did you mean '--listen'?\n"),
    (["heading", "sim:", "--no-reconnect"], "--no-reconnect: the simulation"),
    (["heading", "sim:", "--probe"], "--probe: the simulation"),
    (["heading", "sim:", "--realtime"], "--realtime: only a recording"),
    (["heading", "sim:", "--columns", "mx,my,mz"], "--columns: the simulation"),
    (["heading", "sim:", "--field-unit", "counts"], "--field-unit: the simulation"),
    (["heading", "sim:", "--chip", "qmc5883l"], "--chip: the simulation"),
    (["heading", "usb:mcp2221/lis3mdl", "--chip", "qmc5883l"], "--chip: the chip's driver knows what it sends"),
    (["heading", "i2c:/dev/i2c-99/lis3mdl", "--field-unit", "mT"], "--field-unit: the chip's driver knows"),
    (["heading", "i2c:/dev/i2c-99/lis3mdl"], "Hint: lodestone devices lists the buses; with none, switch I²C on"),
    (["heading", "iio:lis3mdl", "--columns", "mx,my,mz"], "--columns: the kernel's driver says what it sends"),
    (
      ["teslameter", "sim:", "--ac", "--zero-seconds", "1"],
      "--zero-seconds is for what is measured against a zero-point"
    ),
    (
      ["teslameter", "sim:", "--turns", "--zero-seconds", "1"],
      "--zero-seconds is for what is measured against a zero-point"
    ),
    (["attitude", "sim:", "--format", "nmea", "--convention", "ned"], "--frame and --convention: sentences"),
    (["attitude", "sim:", "--format", "nmea", "--frame", "arbitrary"], "--frame and --convention: sentences"),
    (["heading", "sim:", "--device", "usb:"], "two devices: --device usb: and sim:\n"),
    (["level", "--device", "sim:", "--device", "usb:"], "two devices: --device sim: and --device usb:\n"),
    (["heading", "sim:", "--rate", "5", "--every", "1"], "--rate and --every say the same: choose one\n"),
    (["-V"], "0.1.0\n"), (["heading", "-V"], "0.1.0\n"), (["profiles", "list", "-V"], "0.1.0\n"),
    (["serve", "sim:", "-V"], "0.1.0\n"),
  ])
  func saysWhatHappenedAndWhatToDo(arguments: [String], words: String) throws {
    let run = try CommandRun.lodestone(arguments)
    #expect((run.errors + run.text).contains(words), "\(run.errors)\(run.text)")
  }

  /// The parser's lists are one line, and the hint names the command that was typed.
  @Test func usageErrorsAreOneLineAndNameTheCommand() throws {
    let run = try CommandRun.lodestone(["heading", "--device", "sim:", "--orientation", "sideways"])
    #expect(run.exitCode == 64 && run.errors.split(separator: "\n").count == 2, "\(run.errors)")
    #expect(!run.errors.contains("\\n") && !run.errors.contains("\\u{"), "\(run.errors)")
    #expect(run.errors.hasSuffix("Hint: see lodestone heading --help\n"))
  }

  @Test func noKindOfAddressIsListedTwice() throws {
    let run = try CommandRun.lodestone(["heading", "--device", "foo:"])
    #expect(run.exitCode == 64 && run.errors.components("sweep.csv") == 1, "\(run.errors)")
  }

  /// A new user's first command: a heading with an accuracy that is worth something, and without a warning.
  @Test func theSimulationIsCalibratedUnlessItIsToldNotToBe() throws {
    let first = try CommandRun.lodestone(["heading", "--device", "sim:?speed=max", "--count", "20", "--format", "csv"])
    #expect(first.exitCode == 0 && !first.errors.contains("not calibrated"), "\(first.errors)")
    let rows = first.text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 20)
    for row in rows { #expect(Double(row[3]).map { $0 < 6 } ?? false && row[4] != "uncalibrated", "\(row)") }
    let bare = try uncalibrated()
    #expect(bare.exitCode == 0 && bare.text.contains("uncalibrated"))
  }

  private func uncalibrated(shell: String = #"exec "$@""#) throws -> CommandRun {
    try CommandRun.lodestone(
      ["heading", "--device", "sim:?speed=max&calibrated=no", "--count", "20", "--format", "csv"], shell: shell)
  }

  /// The command line that calibrates names the device, so that it can be typed as it stands.
  @Test func theAdviceNamesTheDevice() throws {
    let run = try uncalibrated()
    #expect(
      run.errors.contains(
        "not calibrated: headings may be far off. Run lodestone calibrate 'sim:?speed=max&calibrated=no'\n"),
      "\(run.errors)")
    let unsaved = try CommandRun.lodestone(
      ["calibrate", "sim:?speed=max&calibrated=no", "--touch-up", "--profile", "/tmp/lodestone none.json"])
    #expect(
      unsaved.errors.contains(
        "Hint: calibrate it first: lodestone calibrate 'sim:?speed=max&calibrated=no' --profile '/tmp/lodestone none.json'"
      ), "\(unsaved.errors)")
    let learning = try CommandRun.lodestone(["heading", "sim:?speed=max&calibrated=no", "--learn"])
    #expect(learning.errors.contains("run lodestone calibrate 'sim:?speed=max&calibrated=no'\n"), "\(learning.errors)")
    let batch = try CommandRun.lodestone(["batch", "heading", BatchTests.examples + "figure-eight.csv"])
    #expect(batch.text.contains("Run lodestone calibrate \(BatchTests.examples)figure-eight.csv"), "\(batch.text)")
  }

  /// A service has the port that a calibration needs: systemd names the journal it writes to by device and inode
  /// (systemd.exec(5)).
  @Test func aServiceIsToBeStoppedFirst() throws {
    let journal = #"JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@""#
    let run = try uncalibrated(shell: journal)
    let words =
      "Stop this service, which has the device, run lodestone calibrate 'sim:?speed=max&calibrated=no' --profile FILE, "
      + "and start it again with --profile FILE\n"
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}

extension String {
  /// How often a text occurs in it.
  fileprivate func components(_ text: String) -> Int { ranges(of: text).count }
}
