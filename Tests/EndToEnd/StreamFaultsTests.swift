import Glibc
import LodestoneCore
import Support
import Testing

/// What happens in the course of a stream: sensors that speak in messages of their own, boards that begin anew, damaged
/// lines.
@Suite(.waiting) struct StreamFaultsTests {
  /// A board whose top edge is raised, and which turns about the vertical: the field is 48 µT at an inclination of 65°.
  private struct Board {
    var pitch = 20.0
    /// Clockwise, in degrees per second.
    var rate = 20.0

    func heading(at time: Double) -> Double { Angle.wrapped(degrees: 40.3 + rate * time) }

    /// Field in µT and specific force in g, with a little noise.
    func sample(_ number: Int, at time: Double) -> (field: Vector3, force: Vector3) {
      let (h, p) = (Angle.radians(heading(at: time)), Angle.radians(pitch))
      let (across, down) = (48 * cos(Angle.radians(65)), 48 * sin(Angle.radians(65)))
      let noise = Vector3(Double(number % 7) - 3, Double(number % 5) - 2, Double(number % 3) - 1)
      let field = Vector3(
        -across * sin(h), across * cos(p) * cos(h) - down * sin(p), -across * sin(p) * cos(h) - down * cos(p))
      return (field + noise * 0.05, Vector3(0, sin(p), cos(p)) + noise * 0.001)
    }
  }

  private static func text(_ vector: Vector3, _ decimals: Int) -> String {
    "\(vector.x.text(decimals: decimals)),\(vector.y.text(decimals: decimals)),\(vector.z.text(decimals: decimals))"
  }

  /// The run of `heading` over a recording without a calibration, and its rows: time in seconds and heading in degrees.
  private static func headings(
    _ recording: String, named name: String = "table.csv"
  ) throws -> (run: CommandRun, rows: [(time: Double, heading: Double?)]) {
    try TemporaryFolder.with { folder in
      try CommandRun.write(recording, to: "\(folder)/\(name)")
      let run = try CommandRun.lodestone([
        "heading", "--profile", "none", "--format", "csv", "--device", "\(folder)/\(name)",
      ])
      let rows = run.text.split(separator: "\n").dropFirst().map { line in
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        return (time: Double(fields[0]) ?? .nan, heading: fields.count > 1 ? Double(fields[1]) : nil)
      }
      return (run, rows)
    }
  }

  // MARK: Messages of their own

  /// Accelerometer and magnetometer have rows of their own, at the same times or not, and not as often: a board that
  /// leans by 20° was taken to be level, 60° off.
  @Test(arguments: [(0, 1), (4, 1), (4, 5)])
  func theForceOfAnotherRowTellsWhereUpIs(later: Int, every: Int) throws {
    let board = Board()
    var lines = ["Attribute,Time stamp,x,y,z"]
    for number in 0..<400 {
      let (field, force) = board.sample(number, at: Double(number) * 0.05)
      lines.append("Accelerometer,\(number * 50),\(Self.text(force, 4))")
      if number % every == 0 { lines.append("Magnetometer,\(number * 50 + later),\(Self.text(field, 2))") }
    }
    let (run, rows) = try Self.headings(lines.joined(separator: "\n") + "\n")
    #expect(run.exitCode == 0 && !run.errors.contains("no accelerometer"), "\(run.errors)")
    #expect(rows.count == 400 / every)
    for row in rows {
      let heading = try #require(row.heading)
      #expect(abs(Angle.shortestTurn(from: heading, to: board.heading(at: row.time))) < 2, "\(row)")
    }
  }

  /// A sweep in which force and rate have rows of their own makes the same calibration as one in which they stand
  /// beside the field, and under it headings are the same: the gyroscope carries them.
  @Test func aSweepInRowsOfTheirOwnIsTheSame() throws {
    try TemporaryFolder.with { folder in
      let (whole, split) = ("\(folder)/whole.csv", "\(folder)/split.csv")
      let device = "sim:?motion=figure-eight&calibrated=no&speed=max&rate=50&seed=3"
      let record = try CommandRun.lodestone([
        "record", "--quiet", "--device", device, "--count", "6000", "--output", whole,
      ])
      #expect(record.exitCode == 0, "\(record.errors)")
      let lines = String(decoding: try CommandRun.contents(of: whole), as: UTF8.self).split(separator: "\n")
      var own: [String] = []
      for line in lines {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 10, Double(fields[0]) != nil else {
          own.append(String(line))
          continue
        }
        let rest = String(repeating: ",", count: fields.count - 10)
        own.append("\(fields[0]),,,,,,,\(fields[7...9].joined(separator: ","))\(rest)")
        own.append("\(fields[0]),,,,\(fields[4...6].joined(separator: ",")),,,\(rest)")
        own.append("\(fields[0]),\(fields[1...3].joined(separator: ",")),,,,,,\(rest)")
      }
      try CommandRun.write(own.joined(separator: "\n") + "\n", to: split)
      let kinds = try [whole, split].map { sweep in
        let run = try CommandRun.lodestone(["calibrate", "--device", sweep, "--profile", "\(sweep).json", "--json"])
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.text.contains("\"full\"")
      }
      #expect(kinds == [true, true])
      let headings = try [whole, split].map { sweep in
        let run = try CommandRun.lodestone([
          "heading", "--device", sweep, "--profile", "\(whole).json", "--format", "csv",
        ])
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.text.split(separator: "\n").dropFirst().map { line in
          Double(line.split(separator: ",", omittingEmptySubsequences: false)[1])
        }
      }
      #expect(headings[0].count == headings[1].count && headings[0].count == 6000)
      let apart = zip(headings[0], headings[1]).compactMap { one, two in
        one.flatMap { one in two.map { abs(Angle.shortestTurn(from: one, to: $0)) } }
      }.sorted()
      #expect(apart.count > 5900 && apart[apart.count / 2] < 0.5 && apart[apart.count * 95 / 100] < 2)
    }
  }

  // MARK: Beginning anew

  /// Registers that are not filled yet, as they come after a reset, are no force that the board could be held by: the
  /// heading axis went to another edge, for good.
  @Test func aForceOfNothingTurnsNoAxis() throws {
    let board = Board(pitch: 5, rate: 0)
    var lines: [String] = []
    for number in 0..<60 {
      var (field, force) = board.sample(number, at: 0)
      if (20..<26).contains(number) { (field, force) = (.zero, Vector3(0.012, -0.004, 0.003)) }
      lines.append("Acc (g): \(Self.text(force, 4))")
      lines.append("Mag (uT): \(Self.text(field, 2))")
    }
    let rows = try Self.headings(lines.joined(separator: "\n") + "\n", named: "log.txt").rows
    #expect(rows.count == 60)
    for (number, row) in rows.enumerated() where !(20..<26).contains(number) {
      let heading = try #require(row.heading)
      #expect(abs(Angle.shortestTurn(from: heading, to: 40.3)) < 2, "\(number): \(heading)")
    }
  }

  // MARK: Damage

  /// One key of JSON that has lost a letter, and is the name of a unit then, says nothing of all others: every field
  /// but that was left out.
  @Test func oneDamagedKeyIsNoUnit() throws {
    let board = Board(pitch: 5)
    var lines: [String] = []
    for number in 0..<300 {
      let (field, force) = board.sample(number, at: Double(number) * 0.05)
      let name = number == 200 ? "mg" : "mag"
      lines.append(
        "{\"t\": \(number * 50), \"\(name)\": [\(Self.text(field, 2))], \"acc\": [\(Self.text(force, 4))]}")
    }
    let (run, rows) = try Self.headings(lines.joined(separator: "\n") + "\n", named: "log.jsonl")
    #expect(run.exitCode == 0 && run.errors.contains("assuming µT"), "\(run.errors)")
    #expect(rows.count >= 299)
    for row in rows where abs(row.time - 10) > 0.01 {
      let heading = try #require(row.heading)
      #expect(abs(Angle.shortestTurn(from: heading, to: board.heading(at: row.time))) < 2, "\(row)")
    }
  }

  /// Accelerations whose sign is lost made headings of 90° and more off, said to be good.
  @Test func accelerationsThatLostTheirSignAreRefused() throws {
    let board = Board(pitch: 0.3)
    var lines = ["mx_uT,my_uT,mz_uT,ax,ay,az"]
    for number in 0..<200 {
      let (field, force) = board.sample(number, at: Double(number) * 0.05)
      let counts = (0..<3).map { (Int((force[$0] * 16384).rounded()) + 65_536) % 65_536 }
      lines.append("\(Self.text(field, 2)),\(counts[0]),\(counts[1]),\(counts[2])")
    }
    let run = try Self.headings(lines.joined(separator: "\n") + "\n").run
    #expect(run.exitCode == 65 && run.errors.contains("lost their sign"), "\(run.errors)")
  }

  /// Sensors that measure nothing for the first minutes leave it open what bare columns are. In a file all rows are
  /// read; of a pipe those are told that were too many to keep by the time that it shows. Their zeros say nothing of
  /// the units.
  @Test func rowsBeforeASensorMeasuresAreReadOrTold() throws {
    let zero = "0.00,0.00,0.00,0.0000,0.0000,0.0000\n"
    let earth = Vector3(0, 20.3, -43.5)
    var rows = ""
    for number in 0..<400 {
      let time = Double(number) * 0.05
      let back = Ride.matrix(63 * time, 52 * sin(1.3 * time), 57 * sin(0.9 * time)).transposed
      let noise = Vector3(Double(number % 7) - 3, Double(number % 5) - 2, Double(number % 3) - 1)
      let (field, force) = (back * earth + noise * 0.1, back * Vector3(0, 0, 1) + noise * 0.001)
      rows += "\(Self.text(field, 2)),\(Self.text(force, 4))\n"
    }
    let late = try Self.headings(String(repeating: zero, count: 1750) + rows)
    #expect(late.rows.count == 2150 && late.rows.suffix(300).allSatisfy { $0.heading != nil }, "\(late.run.errors)")
    #expect(!late.run.errors.contains("left out"), "\(late.run.errors)")
    let piped = try CommandRun.lodestone(
      ["heading", "--profile", "none", "--format", "csv", "--device", "-"],
      input: String(repeating: zero, count: 8000) + rows)
    #expect(piped.exitCode == 0 && piped.errors.contains("kB were left out"), "\(piped.errors)")
  }

  // MARK: Lines as boards print them

  /// The lines of a board that turns, in µT, with what stands before and behind each.
  private static func lines(_ count: Int = 60, _ line: (Int, String) -> String) -> String {
    let board = Board()
    return (0..<count).map { line($0, text(board.sample($0, at: Double($0) * 0.05).field, 2)) }.joined()
  }

  /// Rows whose columns show after more than can be kept are all read where they can be read twice: a board that nodded
  /// for five minutes before it was turned left its order open, and 2713 of 6600 rows were left out.
  @Test func rowsBeforeTheirColumnsShowAreRead() throws {
    let rows = (0..<6600).map { number in
      let (time, turned) = (Double(number) * 0.05, Double(max(0, number - 6000)) * 0.05)
      let pitch = 20 + 5 * sin(0.7 * time)
      let (field, force) = Board(pitch: pitch, rate: 60).sample(number, at: turned)
      let rate = number > 6000 ? 60.0 : 0
      let (up, nod) = (Angle.radians(pitch), 3.5 * cos(0.7 * time))
      let rates =
        Vector3(nod + 3, 1 - rate * sin(up), -rate * cos(up)) + Vector3(0.05, 0.1, -0.05) * Double(number % 3 - 1)
      return "\(Self.text(field, 2)),\(Self.text(force, 4)),\(Self.text(rates, 2))\n"
    }
    try TemporaryFolder.with { folder in
      try CommandRun.write(rows.joined(), to: "\(folder)/late.csv")
      let run = try CommandRun.lodestone(["record", "--format", "json", "--device", "\(folder)/late.csv"])
      #expect(run.text.split(separator: "\n").count == 6600, "\(run.errors)")
      #expect(!run.errors.contains("left out"), "\(run.errors)")
    }
  }

  /// The zero that ends a string of C is sent along behind each line, or before its end: nothing was read.
  @Test(arguments: ["\r\n\0", "\n\0", "\0\r\n"])
  func aZeroBehindEachLineIsNothing(end: String) throws {
    let table = "mx_uT,my_uT,mz_uT" + end + Self.lines { $1 + end }
    let named = Self.lines { "Mag (uT): \($1)" + end }
    for text in [table, named] {
      let (run, rows) = try Self.headings(text)
      #expect(rows.count == 60 && run.exitCode == 0, "\(run.errors)")
      #expect(!run.errors.contains("left out"), "\(run.errors)")
    }
  }

  /// A number before the first name is the time where it rises as a clock does, and not where it counts lines or
  /// sensors.
  @Test func aNumberBeforeNamesMayBeTheTime() throws {
    func seconds(_ front: (Int) -> String) throws -> [Double] {
      try Self.headings(Self.lines { "\(front($0))Mag: \($1)\n" }).rows.map { $0.time }
    }
    let late = try seconds { "\($0 * 50 + 12_000) " }
    #expect(late.count == 60 && late.first == 12 && late.last == 14.95, "\(late)")
    let expected: [Double] = (0..<60).map { Double($0 * 50) / 1000 }
    for mark in [" ms, ", "] "] {
      let times = try seconds { (mark == "] " ? "[" : "") + "\($0 * 50)" + mark }
      #expect(times == expected)
    }
    let numbers: [Double] = (0..<60).map { Double($0) }
    for counts in [{ "\($0) " }, { "[\($0)] " }, { _ in "1 " }] as [(Int) -> String] {
      let times = try seconds(counts)
      #expect(times == numbers)
    }
  }

  /// Of two clocks the one that goes on with each row is the time: that of the day stood still for a second.
  @Test func theFinerOfTwoClocksIsTheTime() throws {
    let rows = Self.lines { "2026-03-01T10:00:0\(($0 + 7) / 20)Z,\($0 * 50 + 1200),\($1)\n" }
    let (run, found) = try Self.headings("timestamp,millis,mx_uT,my_uT,mz_uT\n" + rows)
    let expected: [Double] = (0..<60).map { Double($0 * 50 + 1200) / 1000 }
    let times = found.map { $0.time }
    #expect(times == expected, "\(run.errors)")
    // One that is as fine tells the date as well.
    let fine = Self.lines { "\(1_772_359_200 + $0 / 20).\(100 + $0 % 20 * 5),\($0 * 50 + 1200),\($1)\n" }
    let dated = try Self.headings("time_s,time_ms,mx_uT,my_uT,mz_uT\n" + fine).rows
    #expect(dated.count == 60 && dated.allSatisfy { $0.time > 1e9 })
  }

  /// The first line behind a byte order mark is read as any other.
  @Test func aByteOrderMarkHidesNoLine() throws {
    let objects = Self.lines { "{\"t\":\($0 * 50),\"mag_uT\":[\($1)]}\n" }
    #expect(try Self.headings("\u{FEFF}" + objects).rows.count == 60)
  }
}
