import LodestoneCore
import Support
import Testing

/// Lodestone's own outputs, read again: what was written comes back.
@Suite(.waiting) struct RoundTripTests {
  /// Runs a command in a folder, without the user's calibrations.
  private func run(_ arguments: [String], in folder: String) throws -> CommandRun {
    let run = try CommandRun.lodestone(
      arguments, environment: ["XDG_DATA_HOME": folder + "/data"], shell: "cd \(folder) && exec \"$@\"")
    #expect(run.exitCode == 0, "\(arguments) \(run.errors)")
    return run
  }

  private func rows(_ path: String) throws -> [[String: String]] {
    MainJobTests.rows(String(decoding: try CommandRun.contents(of: path), as: UTF8.self))
  }

  /// A table, labelled lines or a bus may tell one sensor before another, or a temperature now and then.
  @Test func aSensorThatComesLaterIsRecorded() throws {
    try TemporaryFolder.with { folder in
      let table = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,temperature_C\n"
      let rows = ["0.0,,,,0.01,0.02,1,", "0.1,20.5,5.5,-40.25,0.01,0.02,1,", "0.2,20.6,5.5,-40.25,0.01,0.02,1,21.5"]
      try CommandRun.write(table + rows.map { $0 + "\n" }.joined(), to: folder + "/in.csv")
      for (input, output) in [("in.csv", "a.csv"), ("a.csv", "b.csv")] {
        _ = try run(["record", "--device", input, "--output", output], in: folder)
      }
      let again = try run(["record", "--device", "b.csv", "--format", "json"], in: folder).text.split(separator: "\n")
      #expect(again.count == 3 && again[0].contains("\"mx_uT\":null"), "\(again)")
      #expect(again[1].contains("\"mx_uT\":20.5000,\"my_uT\":5.5000,\"mz_uT\":-40.2500"), "\(again)")
      #expect(again[2].contains("\"mx_uT\":20.6000") && again[2].contains("\"temperature_C\":21.50"), "\(again)")
    }
  }

  /// To the last digit, as another machine gets them through a broker.
  @Test func samplesComeBackAsJSON() throws {
    try TemporaryFolder.with { folder in
      let sim = ["record", "--device", "sim:?motion=figure-eight&speed=max&seed=3", "--count", "50"]
      _ = try run(sim + ["--output", "a.csv"], in: folder)
      _ = try run(sim + ["--format", "json", "--output", "a.json"], in: folder)
      _ = try run(["record", "--device", "a.json", "--output", "b.csv"], in: folder)
      #expect(try rows(folder + "/b.csv") == rows(folder + "/a.csv") && rows(folder + "/a.csv").count == 50)
    }
  }

  /// The field along a probe of one axis, with its sign, in a recording and as JSON.
  @Test(arguments: [["--output", "b.csv"], ["--format", "json", "--output", "b.csv"]])
  func aProbeIsRecorded(_ options: [String]) throws {
    try TemporaryFolder.with { folder in
      let values = (0..<200).map {
        "\((Double($0) * 0.02).text(decimals: 2)),\($0 < 120 ? "-0.25\($0 % 3)" : "4.75")\n"
      }
      try CommandRun.write("Time (s),Magnetic Field (mT)\n" + values.joined(), to: folder + "/probe.csv")
      _ = try run(["record", "--device", "probe.csv"] + options, in: folder)
      let meter = ["teslameter", "--profile", "none", "--format", "csv", "--device"]
      let read = try run(meter + ["probe.csv"], in: folder), again = try run(meter + ["b.csv"], in: folder)
      #expect(MainJobTests.rows(read.text).last?["bx_uT"] == "4750.000", "\(read.text.suffix(200))")
      #expect(again.text == read.text)
    }
  }

  /// Counts of no known scale stay what they are: no strength is shown of them, and the board's calibration fits them.
  @Test func countsStayCounts() throws {
    try TemporaryFolder.with { folder in
      // 30 counts to the µT, as a sketch prints them.
      let sweep = try rows(BatchTests.examples + "figure-eight.csv").map { row in
        let counts = ["mx_uT", "my_uT", "mz_uT"].compactMap { row[$0].flatMap { Double($0) } }.map {
          Int(($0 * 30).rounded())
        }
        return ([row["time_s"] ?? ""] + counts.map { "\($0)" }).joined(separator: ",") + "\n"
      }
      try CommandRun.write("time_s,mx,my,mz\n" + sweep.joined(), to: folder + "/counts.csv")
      _ = try run(["calibrate", "--device", "counts.csv", "--force"], in: folder)
      let recorded = try run(["record", "--device", "counts.csv", "--output", "r.csv"], in: folder)
      #expect(try rows(folder + "/r.csv").first?["mx_counts"] != nil, "\(recorded.errors)")
      let heading = ["heading", "--format", "csv", "--device"]
      let read = try run(heading + ["counts.csv"], in: folder), again = try run(heading + ["r.csv"], in: folder)
      #expect(MainJobTests.rows(read.text).allSatisfy { $0["field_uT"] == "" })
      #expect(again.text == read.text && MainJobTests.rows(read.text).count > 10)
      let bare = try run(heading + ["r.csv", "--profile", "none"], in: folder)
      #expect(MainJobTests.rows(bare.text).allSatisfy { $0["field_uT"] == "" }, "\(bare.text.prefix(300))")
    }
  }

  /// Headings are passed on as the device's own: the field beside them has been corrected, and is none of a chip.
  @Test(arguments: ["csv", "json", "influx"]) func headingsComeBack(_ format: String) throws {
    try TemporaryFolder.with { folder in
      let device = "sim:?motion=figure-eight&speed=max&seed=3"
      let heading = ["heading", "--count", "40", "--format"]
      _ = try run(
        heading + [format, "--device", device, "--at", "48.2,16.37", "--output", "out"], in: folder)
      let own = MainJobTests.rows(
        try run(heading + ["csv", "--device", device, "--at", "48.2,16.37"], in: folder).text)
      let again = MainJobTests.rows(try run(heading + ["csv", "--device", "out"], in: folder).text)
      #expect(again.count == own.count)
      let told = format == "influx" ? [] : ["accuracy_deg", "pitch_deg", "roll_deg"]
      for (row, before) in zip(again, own) {
        for name in ["magnetic_heading_deg", "true_heading_deg"] + told { #expect(row[name] == before[name], "\(row)") }
        #expect(row["quality"] == "device" && row["field_uT"] == "", "\(row)")
      }
      let times = again.compactMap { $0["time_s"].flatMap { Double($0) } }
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.02) < 1e-4 }, "\(times)")
    }
  }

  /// An axis at the end of the sensor's range is told in the table that is asked for by its format, too.
  @Test func theTableByItsFormatIsARecording() throws {
    try TemporaryFolder.with { folder in
      let rows = ["# saturated\n0.0,20,5,-40\n", "0.1,20,5,-40\n"]
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n" + rows.joined(), to: folder + "/in.csv")
      let plain = try run(["record", "--device", "in.csv"], in: folder)
      let named = try run(["record", "--device", "in.csv", "--format", "csv"], in: folder)
      #expect(plain.text.contains("\n# saturated\n0.000000,20.0000,") && named.text == plain.text, "\(named.text)")
    }
  }
}
