import LodestoneCore
import Support
import Testing

/// Beginnings of a recording, as editors, mail and Windows leave it.
@Suite struct RecordingHeaderTests {
  private static let lines = [
    "# lodestone recording 1", "# device: usb-239a:800b-ONE", "# start: 2026-03-01T10:00:00Z",
    "time_s,mx_uT,my_uT,mz_uT",
    "0.0,20.0,1.0,-43.0", "0.1,20.1,1.1,-43.1", "0.2,20.0,1.0,-43.0",
  ]

  /// The line ends of Unix, Windows and old Macs, with and without the mark of UTF-8 in front.
  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"]) func deviceAndStartAreRead(end: String, mark: String) throws
  {
    try TemporaryFolder.with { folder in
      let text = mark + Self.lines.map { $0 + end }.joined()
      try CommandRun.write(text, to: folder + "/in.csv")
      for (device, input) in [(folder + "/in.csv", ""), ("-", text)] {
        let run = try CommandRun.lodestone(
          ["heading", "--device", device, "--profile", "none", "--format", "influx"], input: input)
        // 2026-03-01T10:00:00Z is 1772359200.
        let points = run.text.split(separator: "\n")
        #expect(points.count == 3, "\(run.errors)")
        #expect(points.first?.hasPrefix("heading,device=usb-239a:800b-ONE ") == true, "\(run.text)")
        #expect(points.last?.hasSuffix(" 1772359200200000000") == true, "\(run.text)")
      }
    }
  }

  /// The declination of a recording is that of its day: 68.78° at 80° S, 240° E on 2025-01-01 by the report on the
  /// WMM2025, and 0.12° less each year.
  @Test func trueHeadingsAreOfTheDayOfTheRecording() throws {
    let text = Self.lines.map { $0 + "\n" }.joined().replacing("2026-03-01T10", with: "2025-01-01T00")
    for (more, declination) in [([], 68.78), (["--date", "2027.5"], 68.49)] {
      let run = try CommandRun.lodestone(
        ["heading", "--device", "-", "--profile", "none", "--format", "csv", "--at", "-80,240"] + more, input: text)
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count == 3, "\(run.errors)")
      for row in rows {
        let truth = try #require(row["true_heading_deg"].flatMap(Double.init))
        let magnetic = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(Angle.shortestTurn(from: magnetic + declination, to: truth)) < 0.03, "\(row)")
      }
    }
  }

  /// So is the field that a calibration is told of: a board that lay at a true heading of 90° is calibrated so that it
  /// shows that, thirty years of declination apart.
  @Test(arguments: ["1996-06-01", "2026-06-01"]) func calibrationsAreOfTheDayOfTheRecording(day: String) throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<200).map { "\(Double($0) / 50),-20.\($0 % 3),5.\($0 % 2),-43.\($0 % 4),0,0,1\n" }.joined()
      try CommandRun.write(
        "# lodestone recording 1\n# start: \(day)T10:00:00Z\ntime_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows,
        to: folder + "/in.csv")
      let board = ["--device", folder + "/in.csv", "--profile", folder + "/board.json", "--at", "48.2,16.37"]
      let made = try CommandRun.lodestone(["calibrate", "--facing", "90"] + board)
      #expect(made.exitCode == 0, "\(made.errors)")
      let run = try CommandRun.lodestone(["heading", "--format", "csv"] + board)
      let row = try #require(MainJobTests.rows(run.text).last, "\(run.errors)")
      let truth = try #require(row["true_heading_deg"].flatMap(Double.init))
      #expect(abs(Angle.shortestTurn(from: 90, to: truth)) < 0.3, "\(row)")
    }
  }

  /// The same through a pipe, whose writer takes its time.
  @Test func aPipeTellsItToo() throws {
    let text = Self.lines.map { $0 + "\n" }.joined()
    let run = try CommandRun.lodestone(
      ["heading", "--device", "-", "--profile", "none", "--format", "influx"], input: text,
      shell: #"(head -c 30; sleep 0.2; cat) | exec "$@""#)
    #expect(
      run.text.contains("device=usb-239a:800b-ONE ") && run.text.hasSuffix(" 1772359200200000000\n"), "\(run.text)")
  }

  /// A first row without a time costs itself alone.
  @Test func anEmptyTimeDoesNotTakeTheOthersAway() throws {
    try TemporaryFolder.with { folder in
      let rows =
        ["time_s,mx_uT,my_uT,mz_uT", ",20.0,1.0,-43.0"] + (0..<5).map { "\(100 + Double($0) / 10),20.\($0),1,-43" }
      try CommandRun.write(rows.map { $0 + "\n" }.joined(), to: folder + "/in.csv")
      let run = try CommandRun.lodestone(
        ["heading", "--device", folder + "/in.csv", "--profile", "none", "--format", "csv"])
      #expect(
        MainJobTests.rows(run.text).compactMap { $0["time_s"].flatMap(Double.init) } == [
          100, 100.1, 100.2, 100.3, 100.4,
        ])
    }
  }
}
