import LodestoneCore
import Support
import Testing

/// Each command's own formats as an input: read as what they are, or refused.
@Suite(.waiting) struct OwnOutputsTests {
  /// A board that was never calibrated and is waved about: at times the field gives no heading.
  private static let waved = "sim:?motion=figure-eight&rate=50&noise=0.3&seed=7&calibrated=no&speed=max"

  /// Runs a command in a folder, without the user's calibrations.
  private func run(_ arguments: [String], exit code: Int32 = 0, in folder: String) throws -> CommandRun {
    let run = try CommandRun.lodestone(
      arguments, environment: ["XDG_DATA_HOME": folder + "/data"], shell: "cd \(folder) && exec \"$@\"")
    #expect(run.exitCode == code, "\(arguments) \(run.errors)")
    return run
  }

  /// Commands that need a field or motion say what the file holds.
  private func othersRefuse(_ file: String, in folder: String) throws {
    for command in ["teslameter", "level", "motion", "calibrate", "record"] {
      let run = try run([command, "--device", file], exit: 65, in: folder)
      #expect(run.errors.contains("headings of its own, and this needs"), "\(command) \(run.errors)")
    }
  }

  /// A line without a heading is none of a field: two thousand headings became thirty that were worked out of those
  /// lines.
  @Test(arguments: ["csv", "json", "influx"]) func absentHeadingsAreLeftOut(_ format: String) throws {
    try TemporaryFolder.with { folder in
      _ = try run(["record", "--device", Self.waved, "--duration", "20", "-o", "in.csv"], in: folder)
      let heading = ["heading", "--profile", "none", "--at", "48.2,16.37", "--device"]
      let own = MainJobTests.rows(try run(heading + ["in.csv", "--format", "csv"], in: folder).text)
      let told = own.filter { $0["magnetic_heading_deg"] != "" }
      #expect(told.count > 500 && told.count < own.count, "\(told.count) of \(own.count)")
      _ = try run(heading + ["in.csv", "--format", format, "-o", "out"], in: folder)
      let again = MainJobTests.rows(try run(["heading", "--format", "csv", "--device", "out"], in: folder).text)
      #expect(again.count == told.count)
      for (row, before) in zip(again, told) {
        for name in ["magnetic_heading_deg", "true_heading_deg", "accuracy_deg", "pitch_deg", "roll_deg"] {
          #expect(row[name] == before[name], "\(row)")
        }
        #expect(row["quality"] == "device" && row["field_uT"] == "", "\(row)")
      }
      try othersRefuse("out", in: folder)
    }
  }

  /// The field of an attitude is corrected already, and along the axes of the convention: its heading is passed on.
  @Test(arguments: ["csv", "json", "influx"], [[], ["--convention", "ned", "--matrix"]])
  func attitudesAreHeadings(_ format: String, _ options: [String]) throws {
    try TemporaryFolder.with { folder in
      _ = try run(["record", "--device", Self.waved, "--duration", "10", "-o", "in.csv"], in: folder)
      let attitude = ["attitude", "--device", "in.csv", "--at", "48.2,16.37"] + options + ["--format"]
      let own = MainJobTests.rows(try run(attitude + ["csv"], in: folder).text)
        .filter { $0["magnetic_heading_deg"] != "" }
      _ = try run(attitude + [format, "-o", "out"], in: folder)
      let again = MainJobTests.rows(try run(["heading", "--format", "csv", "--device", "out"], in: folder).text)
      #expect(again.count == own.count && own.count > 300)
      for (row, before) in zip(again, own) {
        for name in ["magnetic_heading_deg", "true_heading_deg"] { #expect(row[name] == before[name], "\(row)") }
        #expect(row["quality"] == "device" && row["field_uT"] == "" && row["pitch_deg"] == "", "\(row)")
      }
      try othersRefuse("out", in: folder)
    }
  }

  /// A track in the formats of `location` is the same track: a minute of arc a second to the north from 48° N 16° E.
  @Test(arguments: ["csv", "json", "influx"]) func locationsComeBack(_ format: String) throws {
    try TemporaryFolder.with { folder in
      let log = (0..<20).map { second in
        let (clock, place) = ("1200\(10 + second).00", "4800.\(100 + second)0,N,01600.0000,E")
        return NMEASentenceText.sentence("GPRMC,\(clock),A,\(place),3.6,0.0,221126,,,A")
          + NMEASentenceText.sentence("GPGGA,\(clock),\(place),1,08,1.0,\(200 + 2 * second).0,M,44.0,M,,")
      }
      try CommandRun.write(log.joined(), to: folder + "/track.nmea")
      let own = try run(["location", "track.nmea", "--format", "csv"], in: folder)
      _ = try run(["location", "track.nmea", "--format", format, "-o", "out"], in: folder)
      let rows = MainJobTests.rows(own.text)
      let again = MainJobTests.rows(try run(["location", "out", "--format", "csv"], in: folder).text)
      #expect(rows.count == 20 && again.count == 20)
      for (row, before) in zip(again, rows) {
        // Distances and bearings are worked out anew, of places that were rounded to a millimetre.
        for (name, value) in before where !["distance_m", "bearing_deg"].contains(name) {
          #expect(row[name] == value, "\(name) \(row)")
        }
      }
      let heading = try run(["heading", "--device", "out"], exit: 65, in: folder)
      #expect(heading.errors.contains("lodestone location reads it"), "\(heading.errors)")
    }
  }

  /// Places that somebody has asked the model about are none where a receiver was.
  @Test(arguments: ["csv", "json"]) func otherPlacesAreNoFixes(_ format: String) throws {
    try TemporaryFolder.with { folder in
      let place = ["--at", "48.2,16.37", "--date", "2026.5"]
      _ = try run(["declination", "--format", format, "-o", "out"] + place, in: folder)
      for command in ["location", "heading"] { _ = try run([command, "--device", "out"], exit: 65, in: folder) }
    }
  }

  /// InfluxDB's lines tell the end of the sensor's range, the temperature and causes: a saturated number passed for the
  /// field.
  @Test func samplesAsInfluxLinesAreWhole() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<40).map { row in
        (row % 5 == 3 ? "# saturated\n" : "") + "\(Double(row) / 10),20.\(row % 7),5,-40,21.\(row % 3)0,1.\(row % 4)\n"
      }
      let top = "# lodestone recording 1\n# device: a b\n# start: 2026-03-01T10:00:00Z\n"
      try CommandRun.write(
        top + "time_s,mx_uT,my_uT,mz_uT,temperature_C,current_A\n" + rows.joined(), to: folder + "/in.csv")
      let record = ["record", "--cause", "current_A", "--device"]
      _ = try run(record + ["in.csv", "--format", "influx", "-o", "out"], in: folder)
      let own = try run(record + ["in.csv", "--format", "json"], in: folder).lines
      let again = try run(record + ["out", "--format", "json"], in: folder).lines
      #expect(again.count == 40 && own[3].contains(#""flags":["saturated"],"current_A":1.300000"#), "\(own)")
      func behindTime(_ line: Substring) -> Substring { line.drop { $0 != "," } }
      #expect(again.map(behindTime) == own.map(behindTime))
      // The device that it is of is told, too.
      #expect(try run(["record", "--device", "out"], in: folder).lines.prefix(2).last == "# device: a b")
      // 2026-03-01T10:00:00Z is 1772359200.
      #expect(again.first?.hasPrefix(#"{"time_s":1772359200.000000,"#) == true, "\(again)")
    }
  }

  /// A teslameter's table tells the end of the range in its flags.
  @Test func flagsOfATableAreRead() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<40).map { "\(Double($0) / 10),20.\($0 % 9),5,-40,\($0 == 7 ? "below-noise saturated" : "")\n" }
      try CommandRun.write("time_s,bx_uT,by_uT,bz_uT,flags\n" + rows.joined(), to: folder + "/in.csv")
      let lines = try run(["record", "--device", "in.csv", "--format", "json"], in: folder).lines
      #expect(lines.count == 40 && lines.indices.filter { lines[$0].contains("saturated") } == [7], "\(lines)")
    }
  }

  /// Programs that expect one header get told of a second one.
  @Test func aLaterHeaderIsTold() throws {
    try TemporaryFolder.with { folder in
      for late in [0, 40] {
        let lines = (0..<80).map { row in
          "{\"time_s\":\(Double(row) / 10),\"mx_uT\":20.\(row % 7),\"my_uT\":5,\"mz_uT\":-40"
            + (row < late ? "}\n" : ",\"ax_g\":0,\"ay_g\":0,\"az_g\":1}\n")
        }
        try CommandRun.write(lines.joined(), to: folder + "/in.json")
        let run = try run(["record", "--device", "in.json", "-o", "out.csv"], in: folder)
        let told = run.errors.contains("a sensor came later than the others: its columns begin below another header")
        #expect(told == (late == 40), "\(run.errors)")
        let own = try self.run(["record", "--device", "in.json", "--format", "json"], in: folder)
        #expect(try self.run(["record", "--device", "out.csv", "--format", "json"], in: folder).text == own.text)
      }
    }
  }

  /// Hall probes of laboratories measure more than a tesla.
  @Test func aStrongMagnetIsMeasured() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<200).map { "\(Double($0) / 50),\($0 < 120 ? "1.0" : "2350.0")\n" }
      try CommandRun.write("time_s,probe_mT\n" + rows.joined(), to: folder + "/in.csv")
      let read = try run(["teslameter", "--device", "in.csv", "--format", "csv"], in: folder)
      #expect(MainJobTests.rows(read.text).last?["bx_uT"] == "2350000.000", "\(read.errors)")
    }
  }

  /// Recordings in each format that tells numbers are read back as they were, with their times, which tell no date.
  @Test(arguments: ["csv", "json", "influx", "text"]) func recordingsComeBack(_ format: String) throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<60).map { row in
        "\(Double(row) / 10 + 1.2),20.\(row % 7),5.\(row % 3),-40.2,0.0\(row % 4),0.1,0.99,1.\(row % 5),-2,3\n"
      }
      let header = "time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g,gx_dps,gy_dps,gz_dps\n"
      try CommandRun.write(header + rows.joined(), to: folder + "/in.csv")
      _ = try run(["record", "--device", "in.csv", "--format", format, "-o", "out"], in: folder)
      let own = try run(["record", "--device", "in.csv", "--format", "json"], in: folder)
      let again = try run(["record", "--device", "out", "--format", "json"], in: folder)
      #expect(again.lines.count == 60 && again.text == own.text, "\(again.errors)")
    }
  }
}
