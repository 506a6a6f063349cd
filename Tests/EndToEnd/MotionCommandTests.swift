import Support
import Testing

/// Attitude, level and motion through the built command.
@Suite(.waiting) struct MotionCommandTests {
  private static func run(_ arguments: [String]) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.lodestone(arguments, environment: ["XDG_DATA_HOME": folder])
    }
  }

  @Test func attitudesHaveTheNamesThatProgramsRead() throws {
    let run = try Self.run(
      ["attitude", "--device", "sim:?speed=max", "--duration", "3", "--format", "json", "--matrix"])
    #expect(run.exitCode == 0)
    let line = try #require(run.lines.last)
    for key in [
      "time_s", "qw", "qx", "qy", "qz", "yaw_deg", "pitch_deg", "roll_deg", "rate_x_dps", "gravity_z_g", "user_x_g",
      "bx_uT", "field_accuracy", "yaw_accuracy_deg", "inclination_accuracy_deg", "at_rest", "frame", "m11", "m33",
    ] {
      #expect(line.contains("\"\(key)\":"), "\(key)")
    }
    #expect(line.contains("\"frame\":\"magnetic\""))
  }

  /// A calibration that left the accelerometer out, as that of another board, takes no tilt from `level`, no movements
  /// from `motion`, and headings do not say that there is none.
  @Test func anAccelerometerThatWasLeftOutStillTellsTilts() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      let source = "sim:?motion=figure-eight&lever=0&gyro=no&calibrated=no&speed=max"
      let recorded = try CommandRun.lodestone(["record", source, "--duration", "60"])
      let rows = recorded.lines.filter { $0.first?.isNumber == true }.map { $0.split(separator: ",") }
      let mixed = zip(rows, rows.reversed()).map { ($0[..<4] + $1[4..<7]).joined(separator: ",") }
      let header = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g"
      try CommandRun.write(([header] + mixed).joined(separator: "\n") + "\n", to: sweep)
      let made = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile])
      #expect(made.exitCode == 0 && made.text.contains("the accelerometer was left out"), "\(made.text)\(made.errors)")
      let board = "sim:?motion=still&pitch=20&roll=30&gyro=no&calibrated=no&speed=max"
      func run(_ command: String) throws -> CommandRun {
        try CommandRun.lodestone([command, board, "--profile", profile, "--count", "200", "--format", "csv"])
      }
      let (tilt, motion, heading) = (try run("level"), try run("motion"), try run("heading"))
      #expect(tilt.exitCode == 0 && motion.exitCode == 0, "\(tilt.errors)\(motion.errors)")
      let told = try #require(tilt.lines.last).split(separator: ",").compactMap { Double($0) }
      #expect(told.count > 3 && abs(told[1] - 20) < 0.5 && abs(told[2] - 30) < 0.5, "\(told)")
      let words = "the calibration left the accelerometer out: the device is assumed to be level"
      #expect(heading.errors.contains(words) && !heading.errors.contains("no accelerometer"), "\(heading.errors)")
    }
  }

  /// A board with its top edge up and its right edge down, as each sentence documents its fields; 105.4 is the heading
  /// of 100° with the declination of Vienna, 5.4° E.
  @Test(arguments: [
    ("pashr", "$PASHR,", [nil, 105.4, nil, 30, 20, nil]), ("att", "$INATT,", [nil, 105.4, 30, 20, nil]),
    ("gpatt", "$PFEC,GPatt,", [105.4, 20, 30]),
  ])
  func anAttitudeIsToldInTheSentenceThatIsAskedFor(_ name: String, _ start: String, _ fields: [Double?]) throws {
    let board = "sim:?speed=max&motion=still&heading=100&pitch=20&roll=30"
    let run = try Self.run([
      "attitude", "--device", board, "--at", "48.2,16.37", "--count", "40", "--format", "nmea", "--talker", "IN",
      "--sentence", name,
    ])
    let sentences = run.text.split { $0.isNewline }
    #expect(run.exitCode == 0 && sentences.contains { $0.hasPrefix("$INHDT,105.") }, "\(run.errors)")
    let starts = ["$PASHR,", "$INATT,", "$PFEC,"]
    let attitudes = sentences.filter { line in starts.contains { line.hasPrefix($0) } }
    #expect(attitudes.count >= 10 && attitudes.allSatisfy { $0.hasPrefix(start) })
    let last = try #require(attitudes.last).dropFirst(start.count).prefix { $0 != "*" }
    let values = last.split(separator: ",", omittingEmptySubsequences: false)
    #expect(values.count >= fields.count, "\(last)")
    for (value, expected) in zip(values, fields) {
      guard let expected else { continue }
      #expect(Double(value).map { abs($0 - expected) < 0.3 } == true, "\(last)")
    }
  }

  /// Without a place there is no true heading, and its field is empty.
  @Test(arguments: [("pashr", ",,T,"), ("att", ",,"), ("gpatt", "GPatt,,")])
  func aHeadingThatIsNotKnownIsLeftOutOfTheSentence(_ name: String, _ part: String) throws {
    let run = try Self.run([
      "attitude", "--device", "sim:?speed=max&motion=still", "--count", "40", "--format", "nmea", "--sentence", name,
    ])
    let line = try #require(run.text.split { $0.isNewline }.last { $0.hasPrefix("$P") || $0.hasPrefix("$HCATT") })
    #expect(line.contains(part))
  }

  @Test func trueNorthNeedsAPlace() throws {
    let run = try Self.run(["attitude", "--device", "sim:?speed=max", "--frame", "true", "--duration", "1"])
    #expect(run.exitCode == 64 && run.errors.contains("--at"))
    let placed = try Self.run(
      ["attitude", "--device", "sim:?speed=max", "--frame", "true", "--at", "48.2,16.37", "--duration", "2"])
    #expect(placed.exitCode == 0 && !placed.lines.isEmpty)
  }

  /// A receiver that is set follows live devices alone: it does not tell where a recording was made.
  @Test func aReceiverThatIsSetDoesNotPlaceARecording() throws {
    let recording = PackageFolder.root + "Calibration/examples/figure-eight.csv"
    let arguments = ["attitude", "--device", recording, "--frame", "true", "--profile", "none"]
    let run = try CommandRun.lodestone(arguments, environment: ["LODESTONE_LOCATION": "gpsd://127.0.0.1"])
    #expect(run.exitCode == 64 && run.text.isEmpty && run.errors.contains("--at"), "\(run.errors)")
  }

  @Test func withoutAGyroscopeThereIsNoAttitudeButALine() throws {
    let run = try Self.run(
      ["attitude", "--device", "sim:?gyro=no&speed=max", "--duration", "3", "--format", "csv"])
    #expect(run.errors.contains("gyroscope"))
    #expect(MainJobTests.rows(run.text).allSatisfy { $0["qw"] == "" })
  }

  @Test func aLevelReadsItsTilt() throws {
    let run = try Self.run(
      [
        "level", "--device", "sim:?motion=still&pitch=12&roll=-7&speed=max", "--duration", "4", "--format", "csv",
      ])
    let rows = MainJobTests.rows(run.text)
    let last = try #require(rows.last)
    #expect(abs((last["pitch_deg"].flatMap(Double.init) ?? 0) - 12) < 0.3)
    #expect(abs((last["roll_deg"].flatMap(Double.init) ?? 0) + 7) < 0.3)
    // Zeros of 50 mg.
    #expect((2.8...4.5).contains(last["accuracy_deg"].flatMap(Double.init) ?? 0), "\(last)")
    let zeroed = try Self.run(
      ["level", "--zero", "--device", "sim:?motion=still&pitch=12&speed=max", "--duration", "4", "--format", "csv"])
    let level = try #require(MainJobTests.rows(zeroed.text).last)
    #expect(abs(level["pitch_deg"].flatMap(Double.init) ?? 9) < 0.3)
    #expect((level["accuracy_deg"].flatMap(Double.init) ?? 9) < 2.7, "\(level)")
  }

  @Test func shakesStartAProgram() throws {
    try TemporaryFolder.with { folder in
      let mark = folder + "/shaken"
      let run = try CommandRun.lodestone(
        [
          "motion", "--device", "sim:?motion=shake&gestures=shakes&strength=2&rate=100&speed=max", "--duration", "20",
          "--events", "--on", "shake", "touch \(mark)",
        ], environment: ["XDG_DATA_HOME": folder])
      #expect(run.exitCode == 0 && run.text.contains("shake"))
      #expect(eventually { (try? CommandRun.contents(of: mark)) != nil })
    }
  }

  @Test func eventsThatAreNoneAreRefused() throws {
    let run = try Self.run(["motion", "--device", "sim:?speed=max", "--on", "dance", "true"])
    #expect(run.exitCode == 64 && run.errors.contains("movement"))
  }
}
