import LodestoneCore
import Support
import Testing

/// A clock that cannot be right, through the built command: small boards boot in 1970 and learn the time later.
@Suite(.waiting) struct ClockTests {
  /// A script that starts its arguments where the system's clock stands at a moment in 1970. What another run with the
  /// same process number has left in shared memory, because it was killed, would stop it: "sem_open: File exists".
  private static let in1970 =
    #"rm -f /dev/shm/*faketime_s??_$$; exec faketime -f '@1970-01-02 12:00:00' "$@""#

  /// Runs the command with that clock.
  private func in1970(_ arguments: [String]) throws -> CommandRun {
    try CommandRun.lodestone(
      arguments, environment: ["FAKETIME_DONT_FAKE_MONOTONIC": "1"], shell: Self.in1970)
  }

  private static let still = "sim:?motion=still&heading=90&speed=max"

  @Test func givesNoTrueHeadings() throws {
    let run = try in1970(["heading", "--device", Self.still, "--at", "48.2,16.37", "--count", "3", "--format", "csv"])
    #expect(run.exitCode == 0)
    #expect(
      run.errors.contains("the system's clock says 1970-01-02, which can't be right, so there are no true headings"))
    let rows = run.text.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 3 && rows.allSatisfy { !$0[1].isEmpty && $0[2].isEmpty })
  }

  /// Times that nobody can know are left out, and that is said.
  @Test func aRecordingHasNoStart() throws {
    let run = try in1970(["record", "--device", "sim:?rate=50", "--count", "3"])
    #expect(run.exitCode == 0 && !run.text.contains("# start:"), "\(run.text)")
    #expect(run.errors.contains("the system's clock says 1970-01-02, which can't be right: times of day are left out"))
    let lines = try in1970(["heading", "--device", "sim:?rate=50&motion=still", "--count", "3", "--format", "influx"])
    // A point without a time has two parts.
    #expect(lines.text.split(separator: "\n").allSatisfy { $0.split(separator: " ").count == 2 }, "\(lines.text)")
  }

  /// A paced recording that has no times of day is not the clock's fault.
  @Test func aPacedRecordingWithoutAStartAccusesNoClock() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<5).map { "\(Double($0) / 50),20.\($0),1,-43,0,0,1\n" }.joined()
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows, to: folder + "/r.csv")
      for arguments in [["heading", "--format", "csv"], ["record"]] {
        let run = try CommandRun.lodestone(arguments + ["--device", folder + "/r.csv", "--realtime"])
        #expect(run.exitCode == 0 && !run.errors.contains("clock"), "\(run.errors)")
      }
    }
  }

  /// The clock is set while a stream runs: from then on its times are right.
  @Test func aClockThatIsSetLaterIsFollowed() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("@1970-01-02 12:00:00\n", to: folder + "/time")
      let program = try #require(
        ChildProgram(
          "/bin/sh",
          arguments: [
            "-c", Self.in1970, "sh", "/usr/bin/env", "-u", "FAKETIME", ChildProgram.folder + "/lodestone",
            "heading", "--device", "sim:?rate=20&motion=still", "--format", "influx", "--quiet",
          ],
          environment: [
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_TIMESTAMP_FILE": folder + "/time", "FAKETIME_NO_CACHE": "1",
          ]))
      let first = try #require(program.line())
      #expect(first.split(separator: " ").count == 2, "\(first)")
      try CommandRun.write("@2026-03-01 10:00:00\n", to: folder + "/time")
      var last = ""
      #expect(
        eventually {
          last = program.line() ?? ""
          return last.contains(" 17723")
        }, "\(last)")
    }
  }

  @Test func aDateHelps() throws {
    let run = try in1970([
      "heading", "--device", Self.still, "--at", "48.2,16.37", "--date", "2026.7", "--count", "1", "--format", "csv",
    ])
    let row = try #require(
      run.text.split(separator: "\n").last?.split(separator: ",", omittingEmptySubsequences: false))
    let (magnetic, trueNorth) = (try #require(Double(row[1])), try #require(Double(row[2])))
    #expect(run.exitCode == 0 && !run.errors.contains("clock") && abs(trueNorth - magnetic - 5.36) < 0.02)
  }

  /// The time of a receiver's fixes is believed: 68.49° at 80° S, 240° E on 2027-07-02 by the report on the WMM2025.
  @Test func aFixTellsTheTime() throws {
    try TemporaryFolder.with { folder in
      let fix = NMEASentenceText.sentence("GPRMC,120000.00,A,8000.000,S,12000.000,W,0.0,,020727,,,A")
      try CommandRun.write(fix, to: folder + "/fix.nmea")
      let run = try in1970([
        "heading", "--device", "sim:?motion=still&heading=90", "--location", "nmea:" + folder + "/fix.nmea",
        "--duration", "2",
        "--format", "csv",
      ])
      let row = try #require(
        run.text.split(separator: "\n").last?.split(separator: ",", omittingEmptySubsequences: false))
      let (magnetic, trueNorth) = (try #require(Double(row[1])), Double(row[2]))
      let declination = trueNorth.map { Angle.shortestTurn(from: magnetic, to: $0) }
      #expect(declination.map { abs($0 - 68.49) < 0.05 } == true, "\(run.errors)\(row)")
    }
  }

  @Test(arguments: [
    ["declination", "--at", "48.2,16.37"], ["calibrate", "--device", still, "--at", "48.2,16.37", "--duration", "5"],
  ])
  func whatNeedsTheDayAsksForIt(_ arguments: [String]) throws {
    let run = try in1970(arguments)
    #expect(
      run.exitCode == 64
        && run.errors
          == "Error: the system's clock says 1970-01-02, which can't be right\nHint: set the clock, or give --date\n"
    )
  }
}
