import Glibc
import Support
import Testing

/// `lodestone calibrate`, through the built command, on the example sweeps and on damaged ones.
@Suite(.waiting) struct CalibrateTests {
  private static let examples =
    "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Calibration/examples"
  static let sweep = examples + "/figure-eight.csv"
  private static let planar = examples + "/planar-refused.csv"

  /// A folder of its own, and the path of a profile in it that is not there yet.
  private func scene(_ body: (_ folder: String, _ profile: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in try body(folder, folder + "/board.json") }
  }

  private func calibrate(_ device: String, _ profile: String, _ more: String...) throws -> CommandRun {
    try CommandRun.lodestone(["calibrate", "--device", device, "--profile", profile] + more)
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// A guided calibration ends after as many samples as were asked for: 30 are 0.6 s, too short for any.
  @Test func aCountEndsAGuidedCalibration() throws {
    try TemporaryFolder.with { folder in
      let run = try CommandRun.lodestone(
        ["calibrate", "sim:", "--plain", "--count", "30", "--profile", "\(folder)/board.json"])
      #expect(run.exitCode == 65 && run.errors.contains("no calibration: "), "\(run.errors)")
    }
  }

  /// 62 s at 50 samples a second, of which ten are taken.
  @Test(arguments: [["--rate", "10"], ["--every", "0.1"]]) func aRecordingIsThinned(_ options: [String]) throws {
    try scene { _, profile in
      let run = try CommandRun.lodestone(["calibrate", Self.sweep, "--profile", profile, "--json"] + options)
      #expect(run.exitCode == 0 && run.text.contains("\"samples\": 620"), "\(run.text)")
    }
  }

  @Test func profileHoldsEveryKey() throws {
    try scene { _, profile in
      let run = try calibrate(Self.sweep, profile, "--json")
      #expect(run.exitCode == 0 && run.errors == "")
      let quality = [
        "verdict", "kind", "heading_error_deg", "heading_error_level_deg", "misalignment", "samples", "rests",
        "coverage_percent", "residual_uT", "ignored", "warnings",
      ]
      let others = [
        "format", "version", "device", "created", "hard_iron_uT", "soft_iron", "field_uT", "inclination_deg", "axes",
        "noise_uT", "parameters", "covariance", "quality",
      ]
      let saved = String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
      for key in quality + others { #expect(saved.contains("\"\(key)\":"), "\(key)") }
      for key in quality { #expect(run.text.contains("\"\(key)\":"), "\(key)") }
      #expect(!run.text.contains("hard_iron_uT"))
      #expect(run.text.contains("\"verdict\": \"good\"") && run.text.contains("\"misalignment\": \"solved\""))
    }
  }

  @Test func reportIsForPeople() throws {
    try scene { _, profile in
      let run = try calibrate(Self.sweep, profile)
      #expect(run.text.hasPrefix("Calibration good: headings within ±0.4° (95 %)\n"))
      #expect(run.text.contains("8 rests") && run.text.contains("\nSaved as \(profile)\n"))
      #expect(run.text.contains("before       headings up to ") && run.text.contains("off (not calibrated)"))
      #expect(run.text.contains("now          predicted heading error 0.2"))
      #expect(run.text.hasSuffix("Try next: lodestone heading --device \(Self.sweep) --profile \(profile)\n"))
    }
  }

  /// The best calibration is not lost to a hasty one unawares.
  @Test func aWorseOneReplacesOnlyWhenAsked() throws {
    try scene { _, profile in
      #expect(try calibrate(Self.sweep, profile).exitCode == 0)
      let good = try CommandRun.contents(of: profile)
      let level = "sim:?motion=spin&sensor=3&seed=7&speed=max"
      func again(_ more: String...) throws -> CommandRun {
        try CommandRun.lodestone(
          ["calibrate", "--device", level, "--duration", "30", "--profile", profile] + more)
      }
      let kept = try again()
      #expect(kept.exitCode == 65 && kept.text == "")
      #expect(kept.errors.contains("Error: not saved: the active calibration is better (±0.4° against ±"))
      #expect(kept.errors.contains("Hint: --replace saves it all the same"))
      #expect(try CommandRun.contents(of: profile) == good)
      let replaced = try again("--replace")
      #expect(replaced.exitCode == 0 && replaced.text.contains("off (calibration of less than a minute ago)"))
      #expect(try CommandRun.contents(of: profile) != good)
    }
  }

  /// What was swept by hand is not lost to a disk that is full in the end, nor where nobody can be asked.
  @Test(arguments: [false, true]) func whatCannotBeSavedIsKept(isWorse: Bool) throws {
    try scene { folder, profile in
      if isWorse { #expect(try calibrate(Self.sweep, profile).exitCode == 0) }
      let target = isWorse ? profile : "/dev/full"
      let rows = isWorse ? "head -n 1500" : "cat"
      let run = try CommandRun.lodestone(
        ["calibrate", "--device", "-", "--profile", target],
        shell: "\(rows) '\(Self.sweep)' | TMPDIR='\(folder)' \"$@\"")
      #expect(run.exitCode == (isWorse ? 65 : 74) && run.text == "", "\(run.errors)")
      let kept = folder + "/lodestone-calibration-1.json"
      #expect(run.errors.contains("Hint: the calibration is kept in \(kept); to save it: "), "\(run.errors)")
      let saved = try CommandRun.lodestone(["profiles", "import", "--from", "json", kept, "--output", profile])
      #expect(saved.exitCode == 0, "\(saved.errors)")
      #expect(try CommandRun.contents(of: profile) == CommandRun.contents(of: kept))
    }
  }

  /// A simulation that is read as fast as it goes never ends by itself: the guide ends it. Without a terminal it says
  /// what it would have shown.
  @Test func endsAtTheTargetWithoutAScreen() throws {
    try scene { _, profile in
      let run = try calibrate("sim:?speed=max", profile)
      #expect(run.exitCode == 0 && run.text.hasPrefix("Calibration good"), "\(run.errors)")
      #expect(run.errors.hasPrefix("Turn the board slowly") && run.errors.contains("Rest 3 of 8 counted"))
      #expect(run.errors.hasSuffix("Done. The calibration is complete.\nYou can put the board down.\n"))
      let level = try calibrate("sim:?speed=max&rate=20", profile, "--level", "--replace", "--quiet")
      #expect(level.exitCode == 0 && level.errors == "", "\(level.errors)")
      #expect(level.text.contains("for use near level only"), "\(level.text)")
    }
  }

  /// A sweep that a signal ends is not lost: what is good enough is saved, and what was kept is said.
  @Test(arguments: ["INT", "TERM"], [true, false])
  func aSignalKeepsWhatIsGood(_ signal: String, isGood: Bool) throws {
    try scene { _, profile in
      let run = try CommandRun.lodestone(
        ["calibrate", "--device", "-", "--profile", profile],
        shell: """
          { cat '\(isGood ? Self.sweep : Self.planar)'; exec sleep 10; } | timeout --foreground --preserve-status -s \(signal) 7 "$@"
          """)
      #expect(run.exitCode == 130, "\(run.errors)")
      #expect(exists(profile) == isGood)
      let words = isGood ? "Stopped. The sweep so far was fitted and saved." : "Stopped. Nothing was saved: "
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.text.hasPrefix("Calibration good") == isGood)
    }
  }

  @Test func levelIsForLiveBoards() throws {
    try scene { _, profile in
      let run = try calibrate(Self.sweep, profile, "--level")
      #expect(run.exitCode == 64 && run.errors.contains("--level guides a live calibration") && !exists(profile))
    }
  }

  @Test func refusalLeavesNothing() throws {
    try scene { folder, profile in
      let refused = try calibrate(Self.planar, profile, "--json", "--plot", folder + "/sweep.svg")
      #expect(refused.exitCode == 65 && refused.text == "")
      #expect(refused.errors.hasPrefix("Error: no calibration: the sweep is planar"))
      #expect(refused.errors.contains("\nHint: ") && refused.errors.split(separator: "\n").count == 2)
      #expect(!exists(profile) && !exists(folder + "/sweep.svg"))
    }
  }

  /// A level turn is judged with the field of the place: that of another place makes a good one look bad. Dumont
  /// d'Urville lies near the south magnetic pole, where the field is nearly vertical.
  @Test func aPlaceThatMayBeWrongIsNamed() throws {
    try scene { _, profile in
      let refused = try calibrate(BatchTests.examples + "level.csv", profile, "--at", "-66.7,140")
      #expect(refused.exitCode == 65 && !exists(profile))
      #expect(refused.errors.contains("\nHint: check the place: the field there is "), "\(refused.errors)")
      #expect(!refused.errors.contains("needs the place"), "\(refused.errors)")
    }
  }

  /// One of a newer program, or a damaged one, may be all that its user has.
  @Test func anUnreadableCalibrationIsReplacedOnDemandAlone() throws {
    try scene { _, profile in
      #expect(try calibrate(Self.sweep, profile).exitCode == 0)
      for damage in [
        "{\"format\":\"lodestone-profile\",\"version\":9}", "{\n  \"format\": \"lodestone-profile\",\n  \"ver",
      ] {
        try CommandRun.write(damage, to: profile)
        let refused = try calibrate(Self.sweep, profile)
        #expect(refused.exitCode == 65 && refused.errors.contains("--replace"), "\(refused.errors)")
        #expect(try CommandRun.contents(of: profile) == Array(damage.utf8))
        let touched = try calibrate(Self.sweep, profile, "--touch-up")
        #expect(touched.exitCode == 65 && !touched.errors.contains("--replace"), "\(touched.errors)")
      }
      #expect(try calibrate(Self.sweep, profile, "--replace").exitCode == 0)
      try CommandRun.write("", to: profile)
      #expect(try calibrate(Self.sweep, profile).exitCode == 0, "an empty file holds nothing")
    }
  }

  /// A file that is no profile, or no drawing, is its user's: no option of a calibration replaces it.
  @Test(arguments: [["--profile"], ["--profile", "--replace"], ["--profile", "--force"], ["--plot"]])
  func whatIsOfAnotherKindIsNotReplaced(options: [String]) throws {
    try scene { folder, profile in
      let notes = folder + "/notes.txt"
      let more = options[0] == "--plot" ? ["--profile", profile] : []
      for text in ["Buy figs.\n", "time_s,mx,my,mz\n", "{\"a\": 1}", "[1]"] {
        try CommandRun.write(text, to: notes)
        let run = try CommandRun.lodestone(
          ["calibrate", "--device", Self.sweep, options[0], notes] + options.dropFirst() + more)
        #expect(run.exitCode == 65 && run.text == "", "\(run.errors)")
        #expect(
          run.errors.contains("notes.txt is not a") && run.errors.contains("\nHint: name a new file"), "\(run.errors)")
        #expect(!run.errors.contains("--replace") && !exists(profile), "\(run.errors)")
        #expect(try CommandRun.contents(of: notes) == Array(text.utf8))
      }
      #expect(try calibrate(Self.sweep, profile).exitCode == 0)
      let imported = try CommandRun.lodestone(["profiles", "import", "--from", "json", profile, "--output", notes])
      #expect(
        imported.exitCode == 65 && imported.errors.contains("notes.txt is not a calibration"), "\(imported.errors)")
      #expect(try CommandRun.contents(of: notes) == Array("[1]".utf8))
    }
  }

  /// Where a plot cannot be written, that is said before anything is turned, and nothing is saved.
  @Test func aPlotThatCannotBeIsSaidFirst() throws {
    try scene { folder, profile in
      let run = try calibrate(Self.sweep, profile, "--plot", folder + "/none/sweep.svg")
      #expect(run.exitCode == 66 && run.errors.contains("none/sweep.svg") && !exists(profile), "\(run.errors)")
    }
  }

  /// A refusal says by how much headings could be off as an accepted calibration says it: for 95 %.
  @Test func aRefusalCountsAsTheVerdictDoes() throws {
    try scene { _, profile in
      let run = try calibrate(Self.planar, profile, "--force")
      let within = try #require(run.text.firstMatch(of: /headings within ±(\d+\.\d)° \(95 %\)/)).1
      #expect(run.text.contains("headings could be off by \(within)°"), "\(run.text)")
    }
  }

  @Test func refusalKeepsWhatWasSaved() throws {
    try scene { _, profile in
      #expect(try calibrate(Self.sweep, profile).exitCode == 0)
      let before = try CommandRun.contents(of: profile)
      #expect(try calibrate(Self.planar, profile).exitCode == 65)
      #expect(try CommandRun.contents(of: profile) == before)
    }
  }

  /// The report of the calibration that stands is not lost to one that is refused.
  @Test func refusalKeepsTheReportThatIsThere() throws {
    try scene { folder, profile in
      let report = folder + "/report.json"
      #expect(try calibrate(Self.sweep, profile, "--json", "--output", report).text == "")
      let before = try CommandRun.contents(of: report)
      #expect(String(decoding: before, as: UTF8.self).contains("\"verdict\": \"good\""))
      #expect(try calibrate(Self.planar, profile, "--json", "--output", report).exitCode == 65)
      #expect(try CommandRun.contents(of: report) == before)
      #expect(try names(in: folder) == ["board.json", "report.json"])
    }
  }

  private func names(in folder: String) throws -> [String] {
    let list = try CommandRun.lodestone([], shell: "ls -A \(folder)")
    return list.text.split(separator: "\n").map(String.init)
  }

  @Test func forceSavesItAsPoor() throws {
    try scene { _, profile in
      let run = try calibrate(Self.planar, profile, "--force", "--json")
      #expect(run.exitCode == 0)
      #expect(run.text.contains("\"verdict\": \"poor\"") && run.text.contains("saved although refused"))
      let shown = try CommandRun.lodestone(["profiles", "show", profile])
      #expect(shown.exitCode == 0 && shown.text.contains("poor"))
    }
  }

  /// A turn on a table, seen by a magnetometer alone: there is no up that the field could dip from.
  @Test func withoutGravityTheInclinationIsNull() throws {
    try scene { folder, profile in
      let turn = try CommandRun.lodestone([
        "record", "-q", "--device", "sim:?motion=spin&sensor=3&seed=7&speed=max", "--duration", "30",
      ])
      let rows = turn.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      let blind = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[..<4].joined(separator: ",") }
      try #require(blind.first == "time_s,mx_uT,my_uT,mz_uT" && blind.count > 1000)
      try CommandRun.write(blind.joined(separator: "\n") + "\n", to: folder + "/turn.csv")
      let run = try calibrate(folder + "/turn.csv", profile, "--force")
      #expect(run.exitCode == 0 && run.text.contains("no accelerometer"), "\(run.text)\(run.errors)")
      let saved = String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
      #expect(saved.contains("\"kind\": \"level\"") && saved.contains("\"inclination_deg\": null"))
    }
  }

  @Test func plotIsWritten() throws {
    try scene { folder, profile in
      #expect(try calibrate(Self.sweep, profile, "--plot", folder + "/sweep.svg").exitCode == 0)
      let plot = String(decoding: try CommandRun.contents(of: folder + "/sweep.svg"), as: UTF8.self)
      #expect(plot.hasPrefix("<svg ") && plot.hasSuffix("</svg>\n"))
    }
  }

  /// Every fiftieth field is garbled, and the last line is cut off: the rest is fitted, and what is left out said.
  @Test func damagedRowsAreLeftOut() throws {
    try scene { folder, profile in
      let lines = String(decoding: try CommandRun.contents(of: Self.sweep), as: UTF8.self).split(separator: "\n")
      let damaged = lines.enumerated().map { number, line in
        guard number > 4, number % 50 == 0 else { return String(line) }
        let cells = line.split(separator: ",")
        return ([cells[0], "-2.4.75", "~", "4a"] + cells[4...]).joined(separator: ",")
      }
      try CommandRun.write(String(damaged.joined(separator: "\n").dropLast(9)), to: folder + "/damaged.csv")
      let run = try calibrate(folder + "/damaged.csv", profile, "--json")
      #expect(run.exitCode == 0 && run.text.contains("\"verdict\": \"good\""))
      #expect(run.errors.contains("the last line is cut off") && run.errors.contains("62 malformed"))
    }
  }

  /// A recording whose hard iron goes 8 µT along x while it is made.
  @Test func aDriftIsSaid() throws {
    try scene { folder, profile in
      let lines = String(decoding: try CommandRun.contents(of: Self.sweep), as: UTF8.self).split(separator: "\n")
      let drifting = lines.enumerated().map { number, line in
        let cells = line.split(separator: ",")
        guard cells.count > 3, let x = Double(cells[1]) else { return String(line) }
        let moved = String(x + 8 * Double(number) / Double(lines.count))
        return ([cells[0], moved[...]] + cells[2...]).joined(separator: ",")
      }
      try CommandRun.write(drifting.joined(separator: "\n"), to: folder + "/drifting.csv")
      let run = try calibrate(folder + "/drifting.csv", profile)
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect((run.text + run.errors).contains("the hard iron moved by 8."), "\(run.text)\(run.errors)")
    }
  }

  @Test(arguments: [
    ("empty.csv", 65, "empty.csv is empty"), ("text.csv", 65, "text.csv"), ("header.csv", 65, "holds no samples"),
    ("none.csv", 66, "no such"), ("", 66, "it is a folder"),
  ])
  func saysWhatIsNoSweep(_ name: String, _ exitCode: Int, _ message: String) throws {
    try scene { folder, profile in
      try CommandRun.write("", to: folder + "/empty.csv")
      try CommandRun.write("a letter\nto nobody\n", to: folder + "/text.csv")
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n", to: folder + "/header.csv")
      let run = try calibrate(folder + "/" + name, profile)
      #expect(run.exitCode == Int32(exitCode), "\(run.errors)")
      #expect(run.text == "" && run.errors.contains("Error: ") && run.errors.contains(message), "\(run.errors)")
      #expect(!exists(profile))
    }
  }

  @Test func profileThatCannotBeWrittenIsSaid() throws {
    let run = try calibrate(Self.sweep, "/nowhere/board.json")
    #expect(run.exitCode == 66 && run.text == "" && run.errors.contains("/nowhere/board.json"))
  }

  @Test func corruptProfileIsNoCalibration() throws {
    try scene { _, profile in
      try CommandRun.write("{\"format\": ", to: profile)
      let run = try CommandRun.lodestone(["heading", "--device", Self.sweep, "--profile", profile])
      #expect(run.exitCode == 65 && run.text == "")
      #expect(run.errors.hasPrefix("Error: can't read the profile \(profile): not JSON\n"))
      #expect(run.errors.split(separator: "\n").filter { !$0.hasPrefix("Hint: ") }.count == 1)
    }
  }

  /// Ctrl-C while there is nothing worth keeping: nothing is saved, not even a temporary file, and what was saved
  /// stands.
  @Test func interruptedCalibrationLeavesNothing() throws {
    try scene { folder, profile in
      let damaged = "{\"format\": \"lodestone-profile\", as it was"
      try CommandRun.write(damaged, to: profile)
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "calibrate", "--device", "sim:?motion=still&sensor=3", "--plain", "--profile", profile,
            "--output", folder + "/report.txt", "--replace",
          ], joinsErrors: true))
      #expect(program.line() != nil)
      #expect(program.end(by: SIGINT) == 130)
      #expect(try CommandRun.contents(of: profile) == Array(damaged.utf8))
      #expect(try names(in: folder) == ["board.json"])
    }
  }

  /// A board that is swept at twenty times the speed of a hand is guided to its end, sentence by sentence. The sweep
  /// goes on for longer than is needed, so that the board is still there when the guide has enough.
  @Test func guidesLineByLine() throws {
    try scene { folder, profile in
      let recorded = try CommandRun.lodestone([
        "record", "-q", "--device", "sim:?motion=figure-eight&sensor=3&seed=7&speed=max", "--duration", "180",
        "--output", folder + "/sweep.csv",
      ])
      try #require(recorded.exitCode == 0)
      let board = try #require(
        ChildProgram("lodestone", arguments: ["replay", folder + "/sweep.csv", "--speed", "20", "--pty", "-q"]))
      let path = try #require(board.line())
      let run = try calibrate(path, profile, "--plain", "--no-reconnect")
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.errors.contains("Done. The calibration is complete."))
      #expect(!run.errors.contains("\u{1B}") && !run.text.contains("\u{1B}"))
      #expect(run.text.hasPrefix("Calibration good") && exists(profile))
    }
  }
}
