import Glibc
import LodestoneCore
import Support
import Testing

/// What happens in the course of a stream: sensors that speak in messages of their own, boards that begin anew, damaged lines.
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

  /// Accelerometer and magnetometer have rows of their own, at the same times or not, and not as often: a board that leans by 20°
  /// was taken to be level, 60° off.
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

  /// A sweep in which force and rate have rows of their own makes the same calibration as one in which they stand beside the field,
  /// and under it headings are the same: the gyroscope carries them.
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

  /// Registers that are not filled yet, as they come after a reset, are no force that the board could be held by: the heading axis
  /// went to another edge, for good.
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

  /// One key of JSON that has lost a letter, and is the name of a unit then, says nothing of all others: every field but that was
  /// left out.
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

  /// Sensors that measure nothing for the first minutes leave it open what bare columns are: rows that were too many to keep by
  /// the time that it shows were left out without a word.
  @Test func rowsThatCouldNotBeKeptAreTold() throws {
    let zeros = String(repeating: "0.00,0.00,0.00,0.0000,0.0000,0.0000\n", count: 1750)
    let earth = Vector3(0, 20.3, -43.5)
    var rows = ""
    for number in 0..<400 {
      let time = Double(number) * 0.05
      let back = Ride.matrix(63 * time, 52 * sin(1.3 * time), 57 * sin(0.9 * time)).transposed
      let noise = Vector3(Double(number % 7) - 3, Double(number % 5) - 2, Double(number % 3) - 1)
      let (field, force) = (back * earth + noise * 0.1, back * Vector3(0, 0, 1) + noise * 0.001)
      rows += "\(Self.text(field, 2)),\(Self.text(force, 4))\n"
    }
    let late = try Self.headings(zeros + rows)
    #expect(late.run.exitCode == 0 && late.rows.count > 100)
    #expect(late.run.errors.contains("kB were left out"), "\(late.run.errors)")
    #expect(try !Self.headings(rows).run.errors.contains("kB were left out"))
  }
}
