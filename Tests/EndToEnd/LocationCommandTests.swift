import Glibc
import LodestonePorts
import Support
import Testing

/// `lodestone location` through the built command: logs, receivers, gpsd and the screen.
@Suite(.waiting) struct LocationCommandTests {
  private static let hasGPSD = access("/usr/sbin/gpsd", X_OK) == 0

  /// A receiver that goes north from 48° N 16° E on 2026-11-22, an arc minute (1853.0 m there) each second, and climbs
  /// 2 m/s; in its fourth second without a fix.
  private static func log(seconds: Int = 20, date: String = "221126", lost: Int? = 3) -> String {
    (0..<seconds).map { second in
      let clock = "\(120_000 + second / 60 * 100 + second % 60).00"
      let place = "4800.\(String(1000 + second).dropFirst())0,N,01600.0000,E"
      guard second != lost else {
        return NMEASentenceText.sentence("GPRMC,\(clock),V,,,,,,,\(date),,,N")
          + NMEASentenceText.sentence("GPGGA,\(clock),,,,,0,00,99.99,,,,,,")
      }
      return [
        "GPRMC,\(clock),A,\(place),3.6,0.0,\(date),,,A",
        "GPGGA,\(clock),\(place),1,08,1.0,\(200 + 2 * second).0,M,44.0,M,,",
        "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.5,1.0,1.1",
      ].map { NMEASentenceText.sentence($0) }.joined()
    }.joined()
  }

  private func run(_ arguments: [String], log: String = log()) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(log, to: folder + "/track.nmea")
      return try CommandRun.lodestone(
        ["location", folder + "/track.nmea"] + arguments, environment: ["XDG_CONFIG_HOME": folder])
    }
  }

  /// A lost fix ends a segment; half an hour later another trip begins.
  @Test func aLogBecomesATrack() throws {
    let run = try run(["--format", "gpx"])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.lines.first == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>" && run.lines.last == "</gpx>")
    let text = run.text
    #expect(text.components(of: "<trk>") == 1 && text.components(of: "</trk>") == 1)
    #expect(text.components(of: "<trkseg>") == 2 && text.components(of: "</trkseg>") == 2)
    #expect(text.components(of: "<trkpt ") == 19)
    #expect(text.contains("<ele>200.00</ele><time>2026-11-22T12:00:00.000Z</time></trkpt>"))
  }

  /// A log of a compass and a receiver: nothing is said of headings that come first, nor of times that positions have.
  @Test func aLogThatBeginsWithHeadingsIsRead() throws {
    let compass = (0..<20).map { NMEASentenceText.sentence("HCHDG,\(100 + $0).0,,,,") }.joined()
    let run = try run(["--format", "csv"], log: compass + Self.log(lost: nil))
    #expect(run.exitCode == 0 && run.lines.count == 21 && run.errors == "", "\(run.errors)")
  }

  /// Lines that are no receiver's are told as that, and not as a field without axes.
  @Test func linesWithoutPositionsAreTold() throws {
    let run = try run([], log: String(repeating: "hello world\n", count: 50))
    #expect(run.exitCode == 65 && run.errors.contains("holds no positions"), "\(run.errors)")
    let pipe = #"(for i in 1 2 3 4 5 6 7 8 9; do echo hello world; sleep 0.5; done) | "$@""#
    let piped = try CommandRun.lodestone(["location", "-"], shell: pipe)
    #expect(piped.errors.contains("there are no positions in what arrives: hello world"), "\(piped.errors)")
    #expect(!piped.errors.contains("mx:"), "\(piped.errors)")
  }

  /// The track is read again: the same places at the same times.
  @Test func aTrackIsReadAgain() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(try run(["--format", "gpx"]).text, to: folder + "/track.gpx")
      let track = try CommandRun.lodestone(["location", folder + "/track.gpx", "--format", "csv"])
      #expect(track.exitCode == 0, "\(track.errors)")
      let rows = MainJobTests.rows(track.text)
      let fixes = MainJobTests.rows(try run(["--format", "csv"]).text).filter { $0["latitude_deg"] != "" }
      #expect(rows.count == 19)
      for key in ["latitude_deg", "longitude_deg", "fix_time_s", "sea_level_altitude_m"] {
        #expect(rows.map { $0[key] } == fixes.map { $0[key] }, "\(key)")
      }
    }
  }

  @Test func badFixesAreLeftOutAndWhatIsLeftOfAClimbIsShown() throws {
    let none = try run(["--format", "csv", "--accuracy", "0.1"])
    #expect(MainJobTests.rows(none.text).allSatisfy { $0["latitude_deg"] == "" })
    #expect(none.exitCode == 65 && none.errors.contains("no fix is accurate to 0.1 m: the best is accurate to "))
    #expect(none.errors.contains("fixes are left out"))
    let some = try run(["--format", "csv", "--accuracy", "1000"])
    #expect(some.exitCode == 0 && !some.errors.contains("left out"), "\(some.errors)")
    let climb = MainJobTests.rows(try run(["--format", "csv", "--to-altitude", "300"]).text)
    #expect(climb.first?["climb_left_m"] == "100.0" && climb.first?["trip"] == "1")
  }

  @Test func aLogBecomesATable() throws {
    let run = try run(["--format", "csv"])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(
      run.lines.first.map { String($0) }
        == "time_s,latitude_deg,longitude_deg,horizontal_accuracy_m,altitude_m,sea_level_altitude_m,vertical_accuracy_m,"
        + "fix_time_s,course_deg,speed_m_per_s,distance_m,bearing_deg,climb_m_per_s,accuracy_basis,climb_left_m,trip")
    let rows = MainJobTests.rows(run.text)
    #expect(rows.count == 20)
    // 2026-11-22 12:00:00 UTC (date -u +%s).
    #expect(rows.first?["time_s"] == "1795348800.000000" && rows.first?["fix_time_s"] == "1795348800.000")
    #expect(rows.first?["altitude_m"] == "244.00" && rows.first?["sea_level_altitude_m"] == "200.00")
    #expect(rows.first?["distance_m"] == "0.00" && rows.first?["bearing_deg"] == "")
    // A fix that is lost: a line without values, and a word on standard error.
    #expect(rows[3].filter { $0.key != "time_s" && $0.value != "" } == [:])
    #expect(run.errors.contains("the receiver has no fix"))
    // 0.019 arc minutes of latitude at 48° are 35.21 m (an arc minute there is 1853.0 m).
    let last = try #require(rows.last)
    #expect(abs(try #require(last["distance_m"].flatMap { Double($0) }) - 35.21) < 0.02)
    #expect(last["bearing_deg"] == "0.00" && last["accuracy_basis"] == "dilution")
    #expect(abs(try #require(last["climb_m_per_s"].flatMap { Double($0) }) - 2) < 0.01)
    #expect(last["speed_m_per_s"] == "1.85")
  }

  @Test func everyFormatHasTheSameNamesAndUnits() throws {
    for (unit, name) in [("m", "distance_m"), ("km", "distance_km"), ("mi", "distance_mi"), ("nmi", "distance_nmi")] {
      for format in ["json", "csv", "influx"] {
        let run = try run(["--format", format, "--unit", unit])
        #expect(run.exitCode == 0 && run.text.contains(name), "\(format) \(unit) \(run.errors)")
      }
    }
    let json = try run(["--format", "json"])
    #expect(json.lines[3].contains("\"latitude_deg\":null,") && json.lines[3].contains("\"accuracy_basis\":null"))
    let influx = try run(["--format", "influx"])
    #expect(influx.lines.first?.hasSuffix(" 1795348800000000000") == true)
    #expect(influx.lines.count == 19)
  }

  /// JFK to London, 5 551 759.400 m at 51.198883° (documentation of GeographicLib), in nautical miles of 1852 m.
  @Test func distancesCountFromThePlaceThatIsGiven() throws {
    let sentence = NMEASentenceText.sentence("GPRMC,120000,A,5136.000,N,00030.000,W,,,221126,,,A")
    let run = try run(["--from", "40.6,-73.8", "--unit", "nmi", "--format", "csv"], log: sentence)
    let row = try #require(MainJobTests.rows(run.text).first)
    #expect(row["distance_nmi"] == "2997.71026" && row["bearing_deg"] == "51.20", "\(run.text)\(run.errors)")
    #expect(row["altitude_m"] == "" && row["horizontal_accuracy_m"] == "")
  }

  /// Sentences of a receiver whose checksums are wrong are no reason to ask for samples of a magnetometer.
  @Test func wrongChecksumsAreTold() throws {
    let sentence = "$GPRMC,120000,A,5136.000,N,00030.000,W,,,221126,,,A*00\r\n"
    let run = try run(["--format", "csv"], log: String(repeating: sentence, count: 20))
    #expect(run.exitCode == 65 && run.errors.contains("the checksum of every sentence is wrong"), "\(run.errors)")
    #expect(!run.errors.contains("mx:"), "\(run.errors)")
  }

  @Test func smallMovesAreLeftOut() throws {
    let run = try run(["--distance", "10", "--format", "csv"], log: Self.log(lost: nil))
    let distances = MainJobTests.rows(run.text).compactMap { $0["distance_m"].flatMap { Double($0) } }
    #expect(distances.count == 4, "\(distances)")
    for (before, after) in zip(distances, distances.dropFirst()) { #expect(after - before >= 10) }
  }

  @Test func linesForPeopleSayIt() throws {
    let run = try run([])
    let last = try #require(run.lines.last)
    #expect(
      last
        == "2026-11-22T12:00:19Z   48.000317,16.000000 ±15.0 m   238.0 m above the sea ±25.3 m   distance 35.2 m at 0.0°   "
        + "1.9 m/s towards 0.0°   climbing 2.0 m/s", "\(last)")
    #expect(run.lines[3] == "no fix")
  }

  @Test func theClockOfALogCountsForDurationAndRate() throws {
    #expect(try run(["--duration", "5", "--format", "csv"]).lines.count == 6)
    #expect(try run(["--every", "5", "--format", "csv"]).lines.count == 5)
    #expect(try run(["--count", "2", "--format", "csv"]).lines.count == 3)
  }

  @Test func aReportOfGPSDIsReadFromStandardInput() throws {
    let text = """
      {"class":"VERSION","release":"3.22"}
      {"class":"TPV","mode":3,"time":"2026-11-22T12:00:00.000Z","lat":48.2,"lon":16.37,"altHAE":244.1,"altMSL":200.1,\
      "eph":4.2,"epv":6.1,"track":10.5,"speed":1.2,"climb":0.4,"epc":0.2}

      """
    let run = try CommandRun.lodestone(["location", "-", "--format", "json"], input: text)
    #expect(run.exitCode == 0, "\(run.errors)")
    let line = try #require(run.lines.first)
    for part in [
      "\"latitude_deg\":48.20000000,\"longitude_deg\":16.37000000,\"horizontal_accuracy_m\":4.20,\"altitude_m\":244.10",
      "\"vertical_accuracy_m\":6.10", "\"course_deg\":10.50", "\"climb_m_per_s\":0.40",
      "\"accuracy_basis\":\"receiver\"",
    ] {
      #expect(line.contains(part), "\(line)")
    }
  }

  /// A compass in the same log, in a unit that nothing tells.
  @Test func samplesBetweenPositionsDoNotMatter() throws {
    let compass = NMEASentenceText.sentence("HCXDR,G,367,,MAGX,G,2420,,MAGY,G,-8984,,MAGZ")
    let log = Self.log(seconds: 40, lost: nil).replacing("\r\n", with: "\r\n" + compass)
    let run = try run(["--format", "csv"], log: log)
    #expect(run.exitCode == 0 && MainJobTests.rows(run.text).count == 40, "\(run.errors)")
  }

  // MARK: What cannot be

  @Test func whatIsNoReceiverIsRefused() throws {
    let simulated = try CommandRun.lodestone(["location", "sim:"])
    #expect(simulated.exitCode == 64 && simulated.errors.contains("not a GNSS receiver"), "\(simulated.errors)")
    let sweep = try CommandRun.lodestone(["location", PackageFolder.root + "Calibration/examples/figure-eight.csv"])
    #expect(sweep.exitCode == 65 && sweep.errors.contains("holds no positions"), "\(sweep.errors)")
  }

  @Test(arguments: [
    ["--mount", "x,y,z"], ["--columns", "mx,my,mz"], ["--field-unit", "uT"], ["--probe"], ["--at", "48,16"],
    ["--profile", "none"], ["--unit", "furlong"], ["--from", "48"], ["--from", "91,0"], ["--from", "48,16,200"],
    ["--distance", "-1"], ["--format", "nmea"],
  ]) func whatCannotWorkIsAnError(_ arguments: [String]) throws {
    let run = try run(arguments)
    #expect(run.exitCode == 64 && run.text.isEmpty, "\(run.errors)")
  }

  @Test func aJumpAndAWrongDateAreSaid() throws {
    let far = NMEASentenceText.sentence("GPRMC,120020,A,0100.000,N,00000.000,E,,,221126,,,A")
    let jumped = try run(["--format", "csv"], log: Self.log(lost: nil) + far + far)
    #expect(jumped.lines.count == 21 && jumped.errors.contains("left out a fix"), "\(jumped.errors)")
    let early = try run(["--format", "csv"], log: Self.log(date: "060180"))
    #expect(early.errors.contains("the receiver says it is 1980-01-06"), "\(early.errors)")
    #expect(MainJobTests.rows(early.text).allSatisfy { $0["fix_time_s"] == "" })
    #expect(MainJobTests.rows(early.text).count == 20)
  }

  /// Garbage between sentences, sentences cut and flipped: what is read is right, and what is not is counted.
  @Test func hostileBytesBreakNothing() throws {
    var random = SeededGenerator(seed: 11)
    var bytes = Array(Self.log(seconds: 59, lost: nil).utf8)
    for _ in 0..<60 {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: bytes, to: folder + "/track.nmea")
      let run = try CommandRun.lodestone(["location", folder + "/track.nmea", "--format", "csv"])
      #expect(run.exitCode == 0 && run.errors.contains("left out"), "\(run.errors)")
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count > 30)
      for row in rows {
        let latitude = row["latitude_deg"].flatMap { Double($0) }
        #expect(latitude.map { abs($0 - 48) < 0.002 } ?? true, "\(row)")
      }
    }
  }

  // MARK: Live

  /// A receiver behind a TCP port that says where it is, as often as asked.
  private struct Receiver {
    let server: TCPPublisher
    private var poller = Poller()
    private var lines: [Substring]

    init(_ log: String) throws {
      server = try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
      lines = log.split(separator: "\r\n")
    }

    /// The next moment of the log.
    mutating func say() throws {
      server.watch(with: &poller)
      try poller.wait(until: .now)
      server.service(poller)
      guard server.clientCount > 0, lines.count >= 3 else { return }
      let text = lines.prefix(3).joined(separator: "\r\n") + "\r\n"
      lines.removeFirst(3)
      Array(text.utf8).withUnsafeBytes { server.publish($0) }
    }
  }

  @Test func aReceiverBehindAPortIsFollowedAndPublished() throws {
    var receiver = try Receiver(Self.log(seconds: 600, lost: nil))
    try TemporaryFolder.with { folder in
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "location", "nmea:tcp://\(receiver.server.endpoint)", "--format", "json", "--count", "5", "--publish",
            "file:" + folder + "/published.json", "--unit", "km",
          ]))
      var lines: [String] = []
      #expect(
        eventually {
          try? receiver.say()
          while let line = program.line(within: 50) { lines.append(line) }
          return lines.count >= 5
        })
      #expect(lines.count == 5 && lines.allSatisfy { $0.contains("\"distance_km\":0.") })
      let published = String(decoding: try CommandRun.contents(of: folder + "/published.json"), as: UTF8.self)
      #expect(published.split(separator: "\n").map { String($0) }.prefix(5) == lines.prefix(5))
    }
  }

  /// A receiver that goes away leaves no value on the screen, and q ends it.
  @Test func aScreenFollowsAReceiverAndLosesIt() throws {
    let screen = try TestTerminal()
    var receiver: Receiver? = try Receiver(Self.log(seconds: 600, lost: nil))
    let address = "nmea:tcp://\(try #require(receiver).server.endpoint)"
    let program = try #require(ChildProgram("lodestone", arguments: ["location", address], terminal: screen.path))
    var text = ""
    #expect(
      eventually {
        try? receiver?.say()
        text += screen.drawn()
        return text.contains("Latitude") && text.contains("° N")
      })
    receiver = nil
    #expect(
      eventually {
        text += screen.drawn()
        return text.contains("waiting for tcp://")
      })
    screen.press("q")
    #expect(program.exitCode() == 0)
  }

  @Test(.enabled(if: hasGPSD)) func gpsdIsFollowed() throws {
    var receiver = try Receiver(Self.log(seconds: 600, lost: nil))
    let port = try freePort()
    let gpsd = try #require(
      ChildProgram("/usr/sbin/gpsd", arguments: ["-N", "-n", "-S", "\(port)", "tcp://\(receiver.server.endpoint)"]))
    #expect(eventually { (try? TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: port))) == nil })
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["location", "gpsd://127.0.0.1:\(port)", "--format", "csv", "--from", "48,16", "-q"]))
    var rows: [[String]] = []
    #expect(
      eventually {
        try? receiver.say()
        while let line = program.line(within: 50) {
          rows.append(line.split(separator: ",", omittingEmptySubsequences: false).map { String($0) })
        }
        return rows.contains { $0.count == 16 && Double($0[1]) != nil && Double($0[4]) != nil }
      })
    let row = try #require(rows.last { $0.count == 16 && Double($0[1]) != nil && Double($0[4]) != nil })
    #expect(abs(try #require(Double(row[1])) - 48) < 0.02)
    #expect(row[13] == "receiver")
    #expect(program.end(by: SIGINT) == 130)
    _ = gpsd.end(by: SIGTERM)
  }
}

extension String {
  /// How often a text is in this one.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
