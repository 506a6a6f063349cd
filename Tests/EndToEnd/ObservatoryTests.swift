import Glibc
import Support
import Testing

/// Minute means of an observatory, as lines and as a file a day.
@Suite struct ObservatoryTests {
  /// A sample each two seconds of a level board whose top edge points to the true north, where the field is 20 µT to
  /// the north, 1 µT to the east and 44 µT down.
  private static func recording(from start: String, _ seconds: [Int], at path: String) throws {
    let rows = seconds.map { "\($0),\(1 + 0.1 * Double($0 % 4 - 1)),20,-44" }
    let header = "# lodestone recording 1\n# device: board\n# start: \(start)\ntime_s,mx_uT,my_uT,mz_uT\n"
    try CommandRun.write(header + rows.joined(separator: "\n") + "\n", to: path)
  }

  private static func lines(of path: String) throws -> [Substring] {
    String(decoding: try CommandRun.contents(of: path), as: UTF8.self).split(separator: "\n")
  }

  private static func run(_ folder: String, _ more: [String]) throws -> CommandRun {
    try CommandRun.lodestone(
      ["record", "--device", "\(folder)/in.csv"] + more, environment: ["XDG_DATA_HOME": folder + "/data"])
  }

  @Test func aRecordIsAMinute() throws {
    try TemporaryFolder.with { folder in
      // Minutes 10:00 to 10:03; the third lacks 8 s.
      let seconds = Array(stride(from: 0, to: 240, by: 2)).filter { !(130..<138).contains($0) }
      try Self.recording(from: "2026-03-01T10:00:00Z", seconds, at: "\(folder)/in.csv")
      let run = try Self.run(folder, ["--format", "iaga2002"])
      #expect(run.exitCode == 0 && run.errors == "", "\(run.errors)")
      let lines = run.text.split(separator: "\n")
      #expect(lines.allSatisfy { $0.utf8.count == 70 })
      #expect(lines.prefix(13).allSatisfy { $0.hasPrefix(" ") && $0.hasSuffix("|") })
      #expect(lines.dropFirst(13).first?.hasPrefix("DATE       TIME         DOY     X ") == true)
      // 48342.53 = |(20000, 1000, 44000)|; the 1st of March is the 60th day.
      let whole = "060     20000.00   1000.00  44000.00  48342.53"
      let records = ["00", "01", "02", "03"].map {
        "2026-03-01 10:\($0):00.000 " + ($0 == "02" ? "060     99999.00  99999.00  99999.00  99999.00" : whole)
      }
      #expect(lines.dropFirst(14).map { String($0) } == records)
      // And back: another command takes them for a board.
      try CommandRun.write(run.text, to: "\(folder)/in.min")
      let back = try CommandRun.lodestone(
        ["heading", "--device", "\(folder)/in.min", "--profile", "none", "--format", "csv"]
          + ["--orientation", "portrait"])
      let headings = MainJobTests.rows(back.text).compactMap { $0["magnetic_heading_deg"] }
      #expect(headings == ["357.14", "357.14", "357.14"], "\(back.errors)")  // atan(1 / 20) west of the magnetic north
    }
  }

  /// Around midnight, and started again after a while: each day has its file, and a day that is over is whole.
  @Test func eachDayHasItsFile() throws {
    try TemporaryFolder.with { folder in
      let sink = ["--publish", "iaga:\(folder)/days?code=NGK&name=Niemegk&at=52.072,12.675,78", "-o", "/dev/null"]
      try Self.recording(from: "2026-03-01T23:57:00Z", Array(stride(from: 0, to: 300, by: 2)), at: "\(folder)/in.csv")
      let first = try Self.run(folder, sink)
      #expect(first.exitCode == 0, "\(first.errors)")
      let day = try Self.lines(of: "\(folder)/days/ngk20260301vmin.min")
      #expect(day.count == 14 + 1440 && day.allSatisfy { $0.utf8.count == 70 })
      #expect(day.contains(" IAGA CODE              NGK                                          |"))
      #expect(day.contains(" Geodetic Latitude      52.072                                       |"))
      #expect(day[13] == "DATE       TIME         DOY     NGKX      NGKY      NGKZ      NGKF   |")
      #expect(day.last?.hasPrefix("2026-03-01 23:59:00.000 060     20000.00") == true)
      #expect(day.count { $0.contains(" 99999.00 ") } == 1437)
      #expect(try Self.lines(of: "\(folder)/days/ngk20260302vmin.min").count == 14 + 2)
      // The program was away from 00:02 to 00:05.
      try Self.recording(from: "2026-03-02T00:05:00Z", Array(stride(from: 0, to: 60, by: 2)), at: "\(folder)/in.csv")
      #expect(try Self.run(folder, sink).exitCode == 0)
      let next = try Self.lines(of: "\(folder)/days/ngk20260302vmin.min").dropFirst(14)
      #expect(next.map { $0.dropFirst(11).prefix(5) } == ["00:00", "00:01", "00:02", "00:03", "00:04", "00:05"])
      #expect(next.map { $0.contains(" 99999.00 ") } == [false, false, true, true, true, false])
    }
  }

  /// The sensor or the program is away around midnight: the day that is over is whole all the same.
  @Test(arguments: [true, false]) func aDayThatIsOverIsWhole(inOneRun: Bool) throws {
    try TemporaryFolder.with { folder in
      let sink = ["--publish", "iaga:\(folder)/days?code=NGK", "-o", "/dev/null", "--quiet"]
      let (evening, morning) = (Array(stride(from: 0, to: 60, by: 2)), Array(stride(from: 900, to: 960, by: 2)))
      if inOneRun {
        try Self.recording(from: "2026-03-01T23:50:00Z", evening + morning, at: "\(folder)/in.csv")
        #expect(try Self.run(folder, sink).exitCode == 0)
      } else {
        for seconds in [evening, morning] {
          try Self.recording(from: "2026-03-01T23:50:00Z", seconds, at: "\(folder)/in.csv")
          #expect(try Self.run(folder, sink).exitCode == 0)
        }
      }
      let days = try ["01", "02"].map { try Self.lines(of: "\(folder)/days/ngk202603\($0)vmin.min").dropFirst(14) }
      #expect(days.map { $0.count } == [1440, 6])
      for day in days { #expect(day.count { !$0.contains(" 99999.00 ") } == 1) }
      #expect(days.map { $0.last?.dropFirst(11).prefix(5) } == ["23:59", "00:05"])
    }
  }

  /// An earlier recording of the same day, one that overlaps, and a line that is none of the day's: each minute has its
  /// record, in order, and what was measured stays.
  @Test func recordsGoToTheirPlaces() throws {
    try TemporaryFolder.with { folder in
      let sink = ["--publish", "iaga:\(folder)/days?code=NGK", "-o", "/dev/null", "--quiet"]
      let path = "\(folder)/days/ngk20260301vmin.min"
      let minute = Array(stride(from: 0, to: 60, by: 2))
      try Self.recording(from: "2026-03-01T00:08:00Z", minute, at: "\(folder)/in.csv")
      #expect(try Self.run(folder, sink).exitCode == 0)
      let file = try #require(fopen(path, "a"))
      fputs("2099-01-01 00:00:00.000 001     20000.00   1000.00  44000.00  48342.53\n", file)
      fclose(file)
      for start in ["00:03", "00:09", "00:08"] {
        try Self.recording(from: "2026-03-01T\(start):00Z", minute, at: "\(folder)/in.csv")
        #expect(try Self.run(folder, sink).exitCode == 0)
      }
      let day = try Self.lines(of: path).dropFirst(14).filter { !$0.hasPrefix("2099") }
      #expect(day.map { String($0.dropFirst(14).prefix(2)) } == (0...9).map { "0\($0)" })
      #expect(day.map { $0.contains(" 99999.00 ") } == (0...9).map { ![3, 8, 9].contains($0) })
    }
  }

  /// A clock that jumps three minutes ahead and back, within one recording.
  @Test func aClockThatJumpsLosesNothing() throws {
    try TemporaryFolder.with { folder in
      let sink = ["--publish", "iaga:\(folder)/days?code=NGK", "-o", "/dev/null", "--quiet"]
      let seconds = Array(stride(from: 0, to: 60, by: 2)) + Array(stride(from: 240, to: 300, by: 2))
      try Self.recording(
        from: "2026-03-01T00:00:00Z", seconds + Array(stride(from: 60, to: 180, by: 2)), at: "\(folder)/in.csv")
      #expect(try Self.run(folder, sink).exitCode == 0)
      let day = try Self.lines(of: "\(folder)/days/ngk20260301vmin.min").dropFirst(14)
      #expect(day.map { $0.contains(" 99999.00 ") } == [false, false, false, true, false])
    }
  }

  @Test func oneProgramAtATimeWritesAStation() throws {
    try TemporaryFolder.with { folder in
      let sink = ["--publish", "iaga:\(folder)/days?code=NGK", "-o", "/dev/null"]
      let first = try #require(
        ChildProgram("lodestone", arguments: ["record", "sim:?rate=10"] + sink, joinsErrors: true))
      #expect(first.line(holding: "publishing") != nil)
      let second = try CommandRun.lodestone(["record", "sim:?rate=10"] + sink)
      #expect(second.exitCode == 75 && second.errors.contains("in use"), "\(second.errors)")
      // Another station's files are others.
      let other = try CommandRun.lodestone([
        "record", "sim:?rate=10", "--publish", "iaga:\(folder)/days?code=WIC", "-o", "/dev/null", "--count", "3",
      ])
      #expect(other.exitCode == 0, "\(other.errors)")
      kill(first.process, SIGKILL)
      _ = first.exitCode()
      let third = try CommandRun.lodestone(["record", "sim:?rate=10"] + sink + ["--count", "3"])
      #expect(third.exitCode == 0, "\(third.errors)")
    }
  }

  /// What cannot be written is named, be the disk full or a file too large; a recording without times is not silent.
  @Test func whatCannotBeWrittenIsNamed() throws {
    try TemporaryFolder.with { folder in
      let seconds = Array(stride(from: 0, to: 1200, by: 2))
      try Self.recording(from: "2026-03-01T00:00:00Z", seconds, at: "\(folder)/in.csv")
      for sink in ["iaga:\(folder)/days", "file:\(folder)/lines.json"] {
        let run = try CommandRun.lodestone(
          ["record", "--device", "\(folder)/in.csv", "-o", "/dev/null", "--publish", sink],
          shell: #"ulimit -f 1; exec "$@""#)
        #expect(run.exitCode == 74 && run.errors.contains("can't write \(sink): file too large"), "\(run.errors)")
      }
      let long = try CommandRun.lodestone(
        ["record", "--device", "\(folder)/in.csv", "-o", "\(folder)/out.csv"], shell: #"ulimit -f 1; exec "$@""#)
      #expect(long.exitCode == 74 && long.errors.contains("file too large"), "\(long.exitCode) \(long.errors)")
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,1,20,-44\n1,1,20,-44\n", to: "\(folder)/in.csv")
      let run = try Self.run(folder, ["--publish", "iaga:\(folder)/days", "-o", "/dev/null"])
      #expect(run.errors.contains("nothing was written to iaga:\(folder)/days: iaga2002 takes"), "\(run.errors)")
    }
  }

  @Test func whatHasNoMinutesIsSaid() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,1,20,-44\n1,1,20,-44\n", to: "\(folder)/in.csv")
      let run = try Self.run(folder, ["--format", "iaga2002"])
      #expect(run.exitCode == 0)
      #expect(run.errors.contains("nothing was written: iaga2002 takes whole minutes of fields, and the time of day"))
      let motion = try CommandRun.lodestone(["motion", "--device", "sim:", "--publish", "iaga:\(folder)/days"])
      #expect(motion.exitCode == 64 && motion.errors.contains("iaga2002 has no place for motion"), "\(motion.errors)")
      for address in ["iaga:", "iaga:\(folder)?code=TOOLONG", "iaga:\(folder)?at=91,0", "iaga:\(folder)?where=x"] {
        #expect(try Self.run(folder, ["--publish", address]).exitCode == 64)
      }
    }
  }
}
