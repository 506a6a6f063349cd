import Glibc
import LodestoneCore
import Support
import Testing

/// A newcomer's steps: sweep, calibrate, stream headings, measure a magnet; all through the built command.
@Suite(.waiting) struct MainJobTests {
  /// The rows of a CSV text by their header's names.
  static func rows(_ text: String) -> [[String: String]] {
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
    guard let header = lines.first?.split(separator: ",").map(String.init) else { return [] }
    return lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(zip(header, fields), uniquingKeysWith: { first, _ in first })
    }
  }

  /// Headings of `headings` that agree with `truth` within what each line states, and how many were compared.
  private static func agreement(_ headings: String, _ truth: String) -> (within: Int, compared: Int, largest: Double) {
    let truths = Dictionary(
      rows(truth).compactMap { row in row["time_s"].map { ($0, row) } }, uniquingKeysWith: { first, _ in first })
    var result = (within: 0, compared: 0, largest: 0.0)
    for row in rows(headings) {
      guard let time = row["time_s"], let true_ = truths[time]?["magnetic_heading_deg"].flatMap(Double.init),
        let heading = row["magnetic_heading_deg"].flatMap(Double.init),
        let accuracy = row["accuracy_deg"].flatMap(Double.init)
      else { continue }
      let error = abs(Angle.shortestTurn(from: true_, to: heading))
      result.compared += 1
      result.largest = max(result.largest, error)
      if error <= accuracy { result.within += 1 }
    }
    return result
  }

  /// What a program wants to know in the end is written whatever the end is.
  @Test(arguments: [SIGINT, SIGTERM]) func aSignalLeavesTheSummary(_ signal: Int32) throws {
    try TemporaryFolder.with { folder in
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "teslameter", "--device", "sim:?motion=still", "--zero-seconds", "0.5", "--format", "csv",
            "--json-summary", folder + "/summary.json",
          ], joinsErrors: true))
      while let line = program.line(), !line.hasPrefix("time_s") {}
      for _ in 1...5 { #expect(program.line() != nil) }
      #expect(program.end(by: signal) == 130)
      var words = ""
      while let line = program.line(within: 0) { words = line }
      #expect(words.hasPrefix("lodestone: stopped; the summary of "), "\(words)")
      let summary = String(decoding: try CommandRun.contents(of: folder + "/summary.json"), as: UTF8.self)
      #expect(summary.contains("\"zero_x_uT\":") && summary.contains("\"peak_uT\":"))
    }
  }

  @Test func aSweepCalibratesTheHeadingsOfAnotherRun() throws {
    try TemporaryFolder.with { folder in
      let environment = ["XDG_DATA_HOME": folder]
      let calibrated = try CommandRun.lodestone(
        ["calibrate", "--device", "sim:?motion=figure-eight&seed=3&speed=max", "--duration", "75"],
        environment: environment)
      #expect(calibrated.exitCode == 0)
      #expect(calibrated.text.hasPrefix("Calibration good"))
      for motion in ["spin", "still&heading=200"] {
        let run = try CommandRun.lodestone(
          [
            "heading", "--device", "sim:?motion=\(motion)&seed=8&speed=max", "--duration", "40", "--format", "csv",
            "--truth", "\(folder)/truth.csv",
          ], environment: environment)
        #expect(run.exitCode == 0)
        let truth = try String(decoding: CommandRun.contents(of: "\(folder)/truth.csv"), as: UTF8.self)
        let (within, compared, largest) = Self.agreement(run.text, truth)
        #expect(compared == 2000)
        #expect(Double(within) >= 0.9 * Double(compared))
        #expect(largest < 6)
      }
    }
  }

  @Test func anUncalibratedDeviceIsMarkedAndSaid() throws {
    let run = try CommandRun.lodestone([
      "heading", "--device", "sim:?speed=max", "--profile", "none", "--count", "5", "--format", "csv",
    ])
    #expect(run.exitCode == 0)
    let rows = Self.rows(run.text)
    #expect(rows.count == 5)
    #expect(rows.allSatisfy { $0["quality"] == "uncalibrated" && $0["true_heading_deg"] == "" })
    #expect(run.errors.contains("not calibrated"))
  }

  /// Vienna in 2026.7: 5.43° east by the World Magnetic Model 2025.
  @Test func aPlaceGivesTrueHeadings() throws {
    let run = try CommandRun.lodestone([
      "heading", "--device", "sim:?speed=max", "--profile", "none", "--count", "20", "--format", "csv", "--at",
      "48.2,16.37,200", "--date", "2026.7",
    ])
    #expect(run.exitCode == 0)
    for row in Self.rows(run.text) {
      let magnetic = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
      let trueHeading = try #require(row["true_heading_deg"].flatMap(Double.init))
      #expect(abs(Angle.shortestTurn(from: magnetic, to: trueHeading) - 5.43) < 0.1)
    }
  }

  @Test func aRecordingIsADevice() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/walk.csv"
      let device = "sim:?motion=walk&speed=max&seed=4"
      let recorded = try CommandRun.lodestone(["record", "--device", device, "--count", "200", "--output", path])
      #expect(recorded.exitCode == 0)
      let live = try CommandRun.lodestone(
        ["heading", "--device", device, "--count", "200", "--format", "csv", "--profile", "none"])
      let replayed = try CommandRun.lodestone(["heading", "--device", path, "--format", "csv", "--profile", "none"])
      let pairs = zip(Self.rows(live.text), Self.rows(replayed.text))
      #expect(Self.rows(replayed.text).count == 200)
      for (one, other) in pairs {
        #expect(one["time_s"] == other["time_s"])
        let first = try #require(one["magnetic_heading_deg"].flatMap(Double.init))
        let second = try #require(other["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(Angle.shortestTurn(from: first, to: second)) < 0.02)
      }
    }
  }

  /// A field past the sensor's range is a bound in the recording too, and in objects.
  @Test(arguments: [[], ["--format", "json"]])
  func aRecordingKeepsWhatIsSaturated(format: [String]) throws {
    try TemporaryFolder.with { folder in
      let device = "sim:?motion=still&speed=max&rate=20&range=300&magnet=0,0,400@5"
      let path = folder + "/strong"
      let recorded = try CommandRun.lodestone(
        ["record", "--device", device, "--duration", "8", "--output", path] + format)
      #expect(recorded.exitCode == 0)
      let run = try CommandRun.lodestone(["teslameter", path, "--format", "csv", "--profile", "none"])
      let rows = Self.rows(run.text)
      let bounds = rows.filter { $0["flags"] == "saturated" }
      #expect(!bounds.isEmpty && bounds.allSatisfy { $0["magnitude_uT"] == "" && $0["at_least_uT"] != "" })
      #expect(rows.last?["peak_uT"] == "" && rows.last?["peak_at_least_uT"] != "")
    }
  }

  /// The virtual magnet adds its field as it comes near; the truth is the corrected field's own change.
  @Test func aMagnetIsMeasuredAgainstTheZeroPoint() throws {
    let run = try CommandRun.lodestone([
      "teslameter", "--device", "sim:?motion=still&speed=max&magnet=0,0,400@10&soft=0&misalignment=0", "--duration",
      "20", "--zero-seconds", "1", "--format", "csv", "--profile", "none",
    ])
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("zero-point"))
    let last = try #require(Self.rows(run.text).last)
    let peak = try #require(last["peak_uT"].flatMap(Double.init))
    #expect(abs(peak - 400) < 4)
    let quiet = Self.rows(run.text).filter { $0["flags"]?.contains("below-noise") == true }
    #expect(quiet.count > 10)
  }

  /// A field whose numbers never change is steady as far as its digits go, and is not said to be known to 0.000 µT.
  @Test func aZeroPointIsNotCalledExact() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<150).map { "\(Double($0) / 50),20,1,-43,0,0,1\n" }.joined()
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows, to: folder + "/still.csv")
      let run = try CommandRun.lodestone(["teslameter", folder + "/still.csv", "--format", "csv"])
      #expect(run.exitCode == 0 && run.errors.contains(", the same in all "), "\(run.errors)")
      #expect(!run.errors.contains(" 0.000 µT over"), "\(run.errors)")
    }
  }

  @Test func aMovingFieldGivesNoZeroPoint() throws {
    let run = try CommandRun.lodestone(["teslameter", "--device", "sim:?motion=walk&speed=max", "--profile", "none"])
    #expect(run.exitCode == 65)
    #expect(run.text.isEmpty)
    #expect(run.errors.contains("no zero-point: the field moves by"))
  }

  @Test func theUnitIsInTheNames() throws {
    let run = try CommandRun.lodestone([
      "teslameter", "--device", "sim:?motion=still&speed=max", "--count", "1", "--format", "csv", "--unit", "mT",
    ])
    #expect(
      run.text.hasPrefix(
        "time_s,dx_mT,dy_mT,dz_mT,magnitude_mT,uncertainty_mT,peak_mT,bx_mT,by_mT,bz_mT,flags,"
          + "at_most_mT,at_least_mT,peak_uncertainty_mT,peak_at_least_mT\n"))
  }

  @Test func filterSmoothAndFormatsWork() throws {
    let device = "sim:?motion=spin&speed=max"
    let filtered = try CommandRun.lodestone([
      "heading", "--device", device, "--duration", "20", "--filter", "10", "--format", "csv", "--profile", "none",
    ])
    #expect((20...120).contains(Self.rows(filtered.text).count))
    for format in ["text", "json", "nmea", "signalk"] {
      let run = try CommandRun.lodestone([
        "heading", "--device", device, "--count", "3", "--smooth", "1", "--format", format, "--profile", "none",
      ])
      #expect(run.exitCode == 0)
      #expect(!run.text.isEmpty)
    }
  }
}
