import Glibc
import Support
import Testing

/// `lodestone calibrate` where there is no sweep: positions held, a touch-up, one heading; through the built command.
@Suite(.waiting) struct CalibrateWaysTests {
  private func scene(_ body: (_ profile: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in try body(folder + "/board.json") }
  }

  private func calibrate(_ device: String, _ profile: String, _ more: String...) throws -> CommandRun {
    try CommandRun.lodestone(["calibrate", "--device", device, "--profile", profile] + more)
  }

  private func saved(_ profile: String) throws -> String {
    String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
  }

  /// A calibration that says that it is better says so of the time when it was made: a battery of 17 µT came onto the
  /// board since, and by the shorter sweep with it headings of the old one are wrong. Nobody is there to be asked.
  @Test func whatIsOutOfDateIsReplaced() throws {
    let sweep = CalibrateTests.sweep
    try scene { profile in
      #expect(try calibrate(sweep, profile).exitCode == 0)
      let old = try saved(profile)
      let run = try CommandRun.lodestone(
        ["calibrate", "--device", "-", "--profile", profile],
        shell: "head -n 1500 '\(sweep)' | awk -F, 'BEGIN { OFS = \",\" } /^[0-9]/ { $2 += 17 } 1' | \"$@\"")
      #expect(run.exitCode == 0 && run.errors.contains("its headings are now up to "), "\(run.errors)")
      #expect(run.errors.contains("it is replaced") && run.text.contains("Saved as "), "\(run.errors)")
      #expect(try saved(profile) != old)
    }
  }

  /// A recording of positions is recognized by itself, and an instrument of its kind can be given the result.
  @Test(.enabled(if: Recordings.areHere)) func positionsAreRecognized() throws {
    try scene { profile in
      let run = try calibrate(Recordings.folder + "/held/HC.csv", profile)
      #expect(run.exitCode == 0 && run.text.contains("from positions held: headings within ±"), "\(run.errors)")
      #expect(run.text.contains("positions    24 held"))
      #expect(try saved(profile).contains("\"method\": \"held\""))
      let export = try CommandRun.lodestone(["profiles", "export", profile, "--for", "sap6"])
      #expect(export.exitCode == 0 && export.text.contains("\"dip_avg\""), "\(export.errors)")
    }
  }

  /// A real instrument in counts, as a DistoX sends them: the laser is found, and what it is given is the size of its
  /// memory. The same in µT has no counts to be given.
  @Test(.enabled(if: Recordings.areHere)) func aLaserAndCountsMakeADistoX() throws {
    try TemporaryFolder.with { folder in
      let (recording, profile, file) = (folder + "/counts.csv", folder + "/counts.json", folder + "/counts.bin")
      let source = Recordings.folder + "/held/HC.csv"
      let rows = String(decoding: try CommandRun.contents(of: source), as: UTF8.self).split(separator: "\n").dropFirst()
      let counts = rows.map { row in
        let cells = row.split(separator: ",")
        let whole = cells.dropFirst().enumerated().map { index, cell in
          "\(Int(((Double(cell) ?? .nan) * (index < 3 ? 400 : 13_960)).rounded()))"
        }
        return ([String(cells[0])] + whole).joined(separator: ",")
      }
      try CommandRun.write("time_s,mx,my,mz,ax,ay,az\n" + counts.joined(separator: "\n") + "\n", to: recording)
      let run = try calibrate(recording, profile, "--field-unit", "counts")
      #expect(run.exitCode == 0 && run.text.contains("from positions held"), "\(run.errors)")
      #expect(run.text.contains("a laser or sight points 2.6 ± 0.1° beside the accelerometer's x axis"), "\(run.text)")
      #expect(try saved(profile).contains("\"counts_per_g\": 139"))
      let shown = try CommandRun.lodestone(["profiles", "show", profile])
      #expect(shown.text.contains("2.5") && shown.text.contains("from +x"), "\(shown.text)")
      let export = try CommandRun.lodestone(["profiles", "export", profile, "--for", "distox", "--output", file])
      #expect(export.exitCode == 0 && export.errors.contains("x along the laser"), "\(export.errors)")
      #expect(try CommandRun.contents(of: file).count == 48)
      #expect(try calibrate(source, profile).exitCode == 0)
      let refused = try CommandRun.lodestone(["profiles", "export", profile, "--for", "distox", "--output", file])
      #expect(refused.exitCode == 65 && refused.errors.contains("can't export"), "\(refused.errors)")
      #expect(refused.errors.contains("it is not in counts\nHint: calibrate from a recording of the raw counts"))
    }
  }

  /// The guide asks for twelve positions and nothing else.
  @Test func theGuideAsksForPositions() throws {
    try scene { profile in
      let run = try calibrate("sim:?speed=max", profile, "--held")
      #expect(run.exitCode == 0 && run.text.contains("from positions held"), "\(run.errors)")
      #expect(run.errors.contains("Rest 12 of 12 counted") && !run.errors.contains("figure-eights"), "\(run.errors)")
    }
  }

  /// With a laser the guide asks for rolled shots too, and ends once its axis is known; without, the result names the
  /// option.
  @Test func theGuideAsksForRolledShots() throws {
    try scene { profile in
      let device = "sim:?speed=max&laser=2&miss=10&tremor=0.01"
      let run = try calibrate(device, profile, "--held", "--laser")
      #expect(run.exitCode == 0 && run.text.contains("a laser or sight points "), "\(run.errors)")
      #expect(run.errors.contains("Mark 1: 4 of 4.\nAim at a second mark, upright (12 o'clock)"), "\(run.errors)")
      #expect(
        run.errors.contains("Mark 2: 4 of 4; laser ") && run.errors.contains("from the top (95 %)."), "\(run.errors)")
      #expect(try saved(profile).contains("\"laser_axis\""))
      let without = try calibrate(device, profile, "--held", "--replace")
      #expect(
        without.exitCode == 0 && without.text.contains("calibrate --held --laser asks for them"), "\(without.text)")
      #expect(!without.errors.contains("Aim at") && !without.errors.contains("Mark"), "\(without.errors)")
      let alone = try calibrate(device, profile, "--laser")
      #expect(alone.exitCode == 64 && alone.errors.contains("--laser needs --held"), "\(alone.errors)")
    }
  }

  /// A recording is not guided: its shots are recognized, and the option is refused.
  @Test func aRecordingIsNotAskedForShots() throws {
    try TemporaryFolder.with { folder in
      let (recording, profile) = (folder + "/positions.csv", folder + "/board.json")
      try CommandRun.write("time_s,mx,my,mz,ax,ay,az\n0,20,0,-43,0,0,1\n", to: recording)
      let run = try calibrate(recording, profile, "--held", "--laser")
      #expect(run.exitCode == 64 && run.errors.contains("--laser guides a live calibration"), "\(run.errors)")
      #expect(run.errors.contains("rolled shots in a recording are recognized"), "\(run.errors)")
    }
  }

  /// A hard iron that has moved is found by turning the board forth and back; the guide ends by itself.
  @Test func aTouchUpMovesTheHardIron() throws {
    try scene { profile in
      let before = "sim:?speed=max&sensor=7&hard=10,20,-15"
      let missing = try calibrate(before, profile, "--touch-up")
      #expect(missing.exitCode == 65 && missing.errors.contains("has no saved calibration to touch up"))
      #expect(try calibrate(before, profile).exitCode == 0)
      let run = try calibrate(
        "sim:?speed=max&sensor=7&hard=25,20,-15&motion=wiggle&swing=60", profile, "--touch-up")
      #expect(run.exitCode == 0 && run.text.contains(", touched up: headings within ±"), "\(run.errors)")
      #expect(run.text.contains(", moved by 15.") || run.text.contains(", moved by 14."), "\(run.text)")
      #expect(run.errors.contains("by 30° and more") && run.errors.contains("Done. The calibration is refined."))
    }
  }

  /// A touch-up that is less accurate than the calibration it refines replaces it where that does not hold any more;
  /// else on demand alone, as any calibration does.
  @Test func aWorseTouchUpReplacesWhatNoLongerHolds() throws {
    try scene { profile in
      let board = "sim:?speed=max&sensor=7&hard=10,20,-15", hand = "&motion=wiggle&swing=35&gyro=no"
      #expect(try calibrate(board, profile, "--target", "0.3", "--quiet").exitCode == 0)
      let full = try saved(profile)
      let kept = try calibrate(board + hand, profile, "--touch-up", "--quiet")
      #expect(kept.exitCode == 65 && kept.text == "", "\(kept.errors)")
      #expect(kept.errors.contains("the active calibration is better (±"), "\(kept.errors)")
      #expect(kept.errors.contains("\nHint: --replace"), "\(kept.errors)")
      #expect(try saved(profile) == full)
      #expect(try calibrate(board + hand, profile, "--touch-up", "--replace", "--quiet").exitCode == 0)
      #expect(try calibrate(board, profile, "--target", "0.3", "--quiet", "--replace").exitCode == 0)
      let moved = "sim:?speed=max&sensor=7&hard=25,20,-15" + hand
      let run = try calibrate(moved, profile, "--touch-up", "--quiet")
      #expect(run.exitCode == 0 && run.text.contains(", touched up: headings within ±"), "\(run.errors)")
    }
  }

  /// One heading and the place give the hard iron, with what that is worth.
  @Test func oneHeadingIsWorthWhatItSays() throws {
    try scene { profile in
      let device = "sim:?speed=max&motion=still&heading=90"
      let placeless = try calibrate(device, profile, "--facing", "94")
      #expect(placeless.exitCode == 64 && placeless.errors.contains("--facing needs the place"))
      let run = try calibrate(device, profile, "--facing", "94", "--at", "48.2,16.37")
      #expect(run.exitCode == 0 && run.text.contains("from one heading: headings within ±"), "\(run.errors)")
      #expect(run.text.contains("only the hard iron was found"))
    }
  }

  @Test func waysExcludeEachOther() throws {
    try scene { profile in
      let run = try calibrate("sim:", profile, "--held", "--touch-up")
      #expect(run.exitCode == 64 && run.errors.contains("--touch-up and --held exclude each other"), "\(run.errors)")
    }
  }

  /// A dead axis of the accelerometer was taken for gravity: the calibration was "fair", and headings 40° and more off.
  @Test func aDeadAxisOfTheAccelerometerIsNoCalibration() throws {
    try TemporaryFolder.with { folder in
      let profile = folder + "/board.json"
      let dead = folder + "/dead.csv"
      let sweep = String(decoding: try CommandRun.contents(of: CalibrateTests.sweep), as: UTF8.self)
      let rows = sweep.split(separator: "\n").map {
        let cells = $0.split(separator: ",")
        let isRow = cells.count == 7 && cells[0] != "time_s"
        return isRow ? (cells[..<5] + ["0.000000", cells[6]]).joined(separator: ",") : String($0)
      }
      try CommandRun.write(rows.joined(separator: "\n") + "\n", to: dead)
      let run = try calibrate(dead, profile)
      #expect(run.exitCode == 65 && access(profile, F_OK) != 0, "\(run.text)")
      #expect(run.errors.contains("axis y of the accelerometer is stuck at 0.00 g"), "\(run.errors)")
      #expect(run.errors.contains("Hint: check the wiring and the driver"), "\(run.errors)")
    }
  }
}
