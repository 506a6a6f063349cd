import Glibc
import LodestoneCore
import Support
import Testing

/// Boards that send raw counts: their profile keeps the scale, and holds for it alone.
@Suite(.waiting) struct CountsTests {
  /// A recording of the simulated board, as rows of numbers without units.
  private struct Rows {
    let lines: [[Double]]

    init(_ query: String, seconds: Int, in folder: String) throws {
      let path = folder + "/\(query.hashValue).csv"
      let run = try CommandRun.lodestone([
        "record", "-q", "--device", "sim:?\(query)&sensor=3&gyro=no&speed=max", "--duration", "\(seconds)", "--output",
        path,
      ])
      try #require(run.exitCode == 0, "\(run.errors)")
      let text = String(decoding: try CommandRun.contents(of: path), as: UTF8.self)
      lines = text.split(separator: "\n").filter { $0.first?.isNumber == true }
        .map { $0.split(separator: ",", omittingEmptySubsequences: false).prefix(7).map { Double($0) ?? .nan } }
    }

    /// Writes them with the field in counts, so many to the µT, or those counts in µT; with a temperature in each row.
    func write(
      to path: String, countsPerMicrotesla scale: Double, inMicrotesla: Bool = false, temperature: Double? = nil
    ) throws {
      let unit = inMicrotesla ? "_uT" : ""
      var text = "time_s,mx\(unit),my\(unit),mz\(unit),ax_g,ay_g,az_g" + (temperature == nil ? "\n" : ",temp\n")
      for line in lines {
        let field = line[1...3].map { ($0 * scale).rounded() / (inMicrotesla ? scale : 1) }
        let cells = [line[0]] + field + line[4...6] + (temperature.map { [$0] } ?? [])
        text += cells.map { "\($0)" }.joined(separator: ",") + "\n"
      }
      try CommandRun.write(text, to: path)
    }
  }

  private static func headings(_ path: String, _ profile: String) throws -> [Double] {
    let run = try CommandRun.lodestone(["heading", "-q", "--device", path, "--profile", profile, "--format", "csv"])
    try #require(run.exitCode == 0, "\(run.errors)")
    return run.text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return cells.count > 1 ? Double(cells[1]) ?? .nan : .nan
    }
  }

  /// LIS3MDL at ±4 G (6842 counts to the gauss), QMC5883L at ±8 G (3000), MPU-9250 (0.15 µT a count), by their data
  /// sheets: calibrated from one recording, another of the same board reads as in µT.
  @Test(arguments: [68.42, 30, 1 / 0.15])
  func countsHeadAsMicroteslaDo(_ scale: Double) throws {
    try TemporaryFolder.with { folder in
      let sweep = try Rows("motion=figure-eight&seed=7", seconds: 62, in: folder)
      let walk = try Rows("motion=walk&seed=9", seconds: 20, in: folder)
      var headings: [[Double]] = []
      for (name, inMicrotesla) in [("counts", false), ("uT", true)] {
        let (first, second, profile) = (folder + "/a.csv", folder + "/b.csv", folder + "/\(name).json")
        try sweep.write(to: first, countsPerMicrotesla: scale, inMicrotesla: inMicrotesla)
        try walk.write(to: second, countsPerMicrotesla: scale, inMicrotesla: inMicrotesla)
        let run = try CommandRun.lodestone(["calibrate", "--device", first, "--profile", profile])
        try #require(run.exitCode == 0, "\(run.errors)")
        headings.append(try Self.headings(second, profile))
      }
      try #require(headings[0].count == headings[1].count && headings[0].count > 900)
      let worst = zip(headings[0], headings[1]).map { abs(($0 - $1 + 540).truncatingRemainder(dividingBy: 360) - 180) }
      #expect(try #require(worst.max()) < 0.3)
    }
  }

  /// The summary tells how many counts are 1 µT, and how that is known. The same sweep in µT has the same iron: its
  /// mean gain is the rest of the scale, in the model's field of that place (WMM2025).
  @Test func theScaleThatWasFoundIsTold() throws {
    try TemporaryFolder.with { folder in
      let (board, profile) = (folder + "/a.csv", folder + "/board.json")
      let sweep = try Rows("motion=figure-eight&seed=7", seconds: 62, in: folder)
      try sweep.write(to: board, countsPerMicrotesla: 68.42, inMicrotesla: true)
      let calibrate = ["calibrate", "--device", board, "--profile", profile]
      #expect(try CommandRun.lodestone(calibrate + ["--at", "48.2,16.37"]).exitCode == 0)
      let known = String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
      #expect(!known.contains("counts_per_uT"))
      let rest = try #require(known.firstRange(of: "\"soft_iron\"").map { known[$0.upperBound...] })
      let numbers = rest.prefix { $0 != "\"" }.split { !"-+.eE0123456789".contains($0) }.compactMap { Double($0) }
      try #require(numbers.count >= 9)
      let rows = stride(from: 0, to: 9, by: 3).map { Vector3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2]) }
      let volume: Double = rows[0].dot(rows[1].cross(rows[2]))
      let name = try #require(known.firstRange(of: "\"field_uT\": "))
      let strength = try #require(Double(known[name.upperBound...].prefix { $0 != "," }))
      let gain = cbrt(abs(volume)) * 49.13 / strength
      try sweep.write(to: board, countsPerMicrotesla: 68.42)
      for (more, words) in [
        (["--at", "48.2,16.37"], "by the Earth's field of 49.1 µT at the place"), ([], "as assumed"),
      ] {
        let run = try CommandRun.lodestone(calibrate + more)
        let line = try #require(run.text.split(separator: "\n").first { $0.contains("counts are 1 µT") }, "\(run.text)")
        #expect(run.exitCode == 0 && line.contains(words), "\(line)")
        let told = line.split(separator: " ").lazy.compactMap { Double($0) }.first ?? .nan
        // Without a place the field is taken for 47 µT and its like.
        #expect(abs(told / (68.42 / gain) - 1) < (more.isEmpty ? 0.05 : 0.005), "\(line), \(68.42 / gain)")
      }
    }
  }

  /// Sketches print the temperature's register as well, unscaled: it is none, and the calibration is saved without.
  @Test(arguments: [(21_345, false), (24.5, true)])
  func temperaturesInCountsAreNone(_ temperature: Double, isOne: Bool) throws {
    try TemporaryFolder.with { folder in
      let (board, profile) = (folder + "/a.csv", folder + "/board.json")
      let sweep = try Rows("motion=figure-eight&seed=7", seconds: 62, in: folder)
      try sweep.write(to: board, countsPerMicrotesla: 30, temperature: temperature)
      let run = try CommandRun.lodestone(["calibrate", "--device", board, "--profile", profile])
      try #require(run.exitCode == 0, "\(run.errors)")
      let saved = String(decoding: try CommandRun.contents(of: profile), as: UTF8.self)
      #expect(saved.contains("\"temperature_C\": 24.5") == isOne && saved.contains("temperature_C") == isOne)
      let recorded = try CommandRun.lodestone(["record", "-q", "--device", board, "--count", "3"])
      #expect(recorded.text.contains("temperature_C") == isOne && recorded.exitCode == 0)
    }
  }

  /// What was just said is not asked for again.
  @Test func countsThatAreSaidToBeCountsAreNoQuestion() throws {
    try TemporaryFolder.with { folder in
      let board = folder + "/a.csv"
      try Rows("motion=still&seed=7", seconds: 4, in: folder).write(to: board, countsPerMicrotesla: 30)
      let heading = ["heading", "--device", board, "--format", "csv", "--profile", "none"]
      let asked = try CommandRun.lodestone(heading)
      #expect(asked.exitCode == 0 && asked.errors.contains("--field-unit counts"), "\(asked.errors)")
      let said = try CommandRun.lodestone(heading + ["--field-unit", "counts"])
      #expect(said.exitCode == 0 && said.text == asked.text)
      #expect(said.errors.contains("counts of unknown scale"), "\(said.errors)")
      #expect(!said.errors.contains("--field-unit"), "\(said.errors)")
    }
  }

  /// A first field with its unit, and all that come after without: they are counts, and were read as µT. Accelerations
  /// that come first with theirs say nothing of the field either: it was not found.
  @Test(arguments: [
    [#"{"mx_uT":-12.92,"my_uT":15.70,"mz_uT":-43.49}"#], ["X: -12.92 uT Y: 15.70 uT Z: -43.49 uT"],
    [#"{"ax_g":0.001,"ay_g":0.002,"az_g":0.998}"#, #"{"ax_g":0.002,"ay_g":0.001,"az_g":0.999}"#],
  ])
  func aUnitHoldsForItsOwnNumbers(first: [String]) throws {
    try TemporaryFolder.with { folder in
      let isJSON = first[0].hasPrefix("{")
      // 30 counts to the µT, as a QMC5883L at ±8 G has, with a digit of noise.
      let rest = (0..<200).map { row in
        let (x, y) = (-388 + row % 3, 471 - row % 2)
        return isJSON ? #"{"mx":\#(x),"my":\#(y),"mz":-1305}"# : "X: \(x) Y: \(y) Z: -1305"
      }
      try CommandRun.write((first + rest).joined(separator: "\n") + "\n", to: "\(folder)/log.txt")
      let run = try CommandRun.lodestone([
        "heading", "--device", "\(folder)/log.txt", "--profile", "none", "--format", "csv",
      ])
      #expect(run.exitCode == 0 && run.errors.contains("unknown unit"), "\(run.errors)")
      let rows = MainJobTests.rows(run.text)
      #expect(rows.count > 130, "\(rows.count)")
      for row in rows {
        if let field = row["field_uT"].flatMap({ Double($0) }) { #expect(abs(field - 48) < 1) }
        let heading = try #require(row["magnetic_heading_deg"].flatMap { Double($0) })
        #expect(abs(heading - 39.5) < 1)
      }
    }
  }

  @Test func anotherScaleIsRefused() throws {
    try TemporaryFolder.with { folder in
      let (board, profile) = (folder + "/a.csv", folder + "/board.json")
      let sweep = try Rows("motion=figure-eight&seed=7", seconds: 62, in: folder)
      try sweep.write(to: board, countsPerMicrotesla: 68.42)
      #expect(try CommandRun.lodestone(["calibrate", "--device", board, "--profile", profile]).exitCode == 0)
      #expect(String(decoding: try CommandRun.contents(of: profile), as: UTF8.self).contains("\"counts_per_uT\": "))
      for (scale, inMicrotesla) in [(34.21, false), (68.42, true)] {
        try sweep.write(to: board, countsPerMicrotesla: scale, inMicrotesla: inMicrotesla)
        let run = try CommandRun.lodestone(["heading", "--device", board, "--profile", profile, "--format", "csv"])
        #expect(run.exitCode == 65 && run.errors.contains("made for counts"), "\(run.errors)")
        #expect(run.errors.contains("\nHint: "))
      }
    }
  }

  /// Nobody knows how strong a field in counts is: no number of a teslameter would be true. The chip's name tells, and
  /// so does a calibration where the place is known, of which the wrong field would be 2 % off.
  @Test(arguments: [[], ["--ac"], ["--spectrum"]]) func aStrengthInCountsIsNotMadeUp(_ mode: [String]) throws {
    try TemporaryFolder.with { folder in
      let (board, profile) = (folder + "/a.csv", folder + "/board.json")
      try Rows("motion=still&seed=7", seconds: 20, in: folder).write(to: board, countsPerMicrotesla: 30)
      let teslameter = ["teslameter", "--device", board, "--format", "csv"] + mode
      let run = try CommandRun.lodestone(teslameter + ["--profile", "none"])
      #expect(run.exitCode == 65 && run.errors.contains("counts of unknown scale"), "\(run.exitCode) \(run.errors)")
      #expect(MainJobTests.rows(run.text).isEmpty && run.errors.contains("--chip"))
      let named = try CommandRun.lodestone(teslameter + ["--profile", "none", "--chip", "qmc5883l"])
      #expect(named.exitCode == 0 && named.text.hasPrefix("time_s,"), "\(named.errors)")
      // A field at rest has no line in its spectrum.
      if mode != ["--spectrum"] {
        #expect(MainJobTests.rows(named.text).count > (mode.isEmpty ? 500 : 5), "\(named.text)")
      }
      guard mode.isEmpty else { return }
      let sweep = folder + "/sweep.csv"
      try Rows("motion=figure-eight&seed=7", seconds: 62, in: folder).write(to: sweep, countsPerMicrotesla: 30)
      let made = try CommandRun.lodestone(["calibrate", "--device", sweep, "--profile", profile, "--at", "48.2,16.37"])
      #expect(made.exitCode == 0, "\(made.errors)")
      let read = try CommandRun.lodestone(teslameter + ["--profile", profile])
      let rows = MainJobTests.rows(read.text)
      let end = try #require(rows.last)
      let axes = ["bx_uT", "by_uT", "bz_uT"].compactMap { end[$0] }.compactMap(Double.init)
      let field = axes.reduce(0) { $0 + $1 * $1 }.squareRoot()
      // The model's field there, WMM2025.
      #expect(abs(field - 49.1) < 1, "\(field)")
      // Calibrated without a place it heads as well, and claims no strength.
      let placeless = try CommandRun.lodestone(["calibrate", "--device", sweep, "--profile", profile])
      #expect(
        placeless.exitCode == 0 && placeless.text.contains("assumed: the device sends counts"), "\(placeless.text)")
      #expect(try CommandRun.lodestone(teslameter + ["--profile", profile]).exitCode == 65)
      let headings = try CommandRun.lodestone(["heading", "--device", board, "--format", "csv", "--profile", profile])
      let last = try #require(MainJobTests.rows(headings.text).last)
      #expect(last["field_uT"] == "" && last["magnetic_heading_deg"] != "" && last["quality"] != "uncalibrated")
    }
  }

  /// A board of 30 counts to the µT at rest, beside which a magnet adds 1000 counts across and 2000 down after three
  /// seconds.
  private static func writeMagnet(to path: String) throws {
    var text = "time_s,mx,my,mz\n"
    for index in 0..<300 {
      let (time, noise, magnet) = (Double(index) / 50, (index * 7) % 5 - 2, index < 150 ? 0 : 1000)
      text += "\(time),\(-388 + noise + magnet),\(471 - noise),\(-1305 + noise - 2 * magnet)\n"
    }
    try CommandRun.write(text, to: path)
  }

  /// Where counts are asked for they are shown, by their name, as the board sends them.
  @Test func countsAreShownAsCounts() throws {
    try TemporaryFolder.with { folder in
      let (board, summary) = (folder + "/a.csv", folder + "/summary.json")
      try Self.writeMagnet(to: board)
      let teslameter = ["teslameter", "--device", board, "--unit", "counts"]
      let run = try CommandRun.lodestone(teslameter + ["--format", "csv", "--json-summary", summary])
      let last = try #require(MainJobTests.rows(run.text).last, "\(run.errors)")
      for (name, expected) in [("dx", 1000.0), ("dy", 0), ("dz", -2000), ("magnitude", 2236), ("bx", 612)] {
        let value = try #require(last["\(name)_counts"].flatMap(Double.init), "\(last)")
        #expect(abs(value - expected) < 4, "\(name) \(value)")
      }
      #expect(run.exitCode == 0 && !run.text.contains("uT") && run.errors.contains("shown in counts"))
      let uncertainty = try #require(last["uncertainty_counts"].flatMap(Double.init))
      // Without a calibration an axis may measure a tenth too much.
      #expect((150.0..<300).contains(uncertainty))
      let kept = String(decoding: try CommandRun.contents(of: summary), as: UTF8.self)
      #expect(kept.contains("\"zero_x_counts\":-388,") && !kept.contains("uT"), "\(kept)")
      let words = try CommandRun.lodestone(teslameter + ["--on", "above:2200", "/bin/true", "--events"])
      #expect(
        words.exitCode == 0 && words.text.contains(" counts ±") && words.text.contains("above"),
        "\(words.text) \(words.errors)")
      let more = try CommandRun.lodestone(teslameter + ["--on", "above:2300", "/bin/true", "--events"])
      #expect(more.exitCode == 0 && !more.text.contains("above"), "\(more.text)")
    }
  }

  /// What has a unit is not in counts, and what needs a strength does not take them.
  @Test func countsAreShownOnlyWhereTheyMeanSomething() throws {
    try TemporaryFolder.with { folder in
      let (board, stated) = (folder + "/a.csv", folder + "/b.csv")
      try Self.writeMagnet(to: board)
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,1,2,3\n0.1,1,2,3\n0.2,1,2,3\n", to: stated)
      for (arguments, code, words) in [
        (["teslameter", stated], Int32(64), "not in counts: its unit is known"),
        (["teslameter", "sim:"], 64, "not in counts"),
        (["heading", board], 64, "is for lodestone teslameter"),
        (["attitude", board], 64, "is for lodestone teslameter"),
        (["teslameter", board, "--chip", "qmc5883l"], 64, "not in counts"),
        (["teslameter", board + "?chip=qmc5883l"], 64, "not in counts"),
        (["teslameter", board, "--field-unit", "mG"], 64, "not in counts"),
        (["teslameter", board, "--distance"], 64, "needs a field's strength"),
        (["teslameter", board, "--format", "iaga2002"], 64, "counts have no place in it"),
        (["teslameter", board, "--profile", "x.json"], 64, "leave --profile out"),
        (["batch", "teslameter", board], 64, "is for one recording"),
      ] {
        let run = try CommandRun.lodestone(arguments + ["--unit", "counts"])
        #expect(run.exitCode == code && run.errors.contains(words), "\(arguments) \(run.exitCode) \(run.errors)")
        #expect(!run.text.contains("0"))
      }
      let asked = try CommandRun.lodestone(["teslameter", board, "--field-unit", "counts"])
      #expect(asked.exitCode == 65 && asked.errors.contains("--unit counts shows the counts"), "\(asked.errors)")
    }
  }

  /// A unit or a chip that the data contradicts is an error; the same unit again is none.
  @Test func whatTheDataContradictsIsRefused() throws {
    try TemporaryFolder.with { folder in
      let stated = folder + "/a.csv"
      let rows = (0..<200).map { "\(Double($0) / 50),20.\($0 % 3),0.\($0 % 5),-43\n" }.joined()
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n" + rows, to: stated)
      for given in [["--field-unit", "mT"], ["--field-unit", "counts"], ["--chip", "qmc5883l"]] {
        for command in ["heading", "teslameter", "record"] {
          let run = try CommandRun.lodestone([command, stated] + given)
          #expect(run.exitCode == 64 && run.errors.contains("is in µT: it says so itself\nHint: "), "\(run.errors)")
        }
      }
      #expect(try CommandRun.lodestone(["heading", stated, "--field-unit", "uT"]).exitCode == 0)
    }
  }

  /// Time stamps that hardly go on, and numbers in no unit that is known, of which one never changes.
  @Test func theRealReasonIsGiven() throws {
    try TemporaryFolder.with { folder in
      let (board, profile) = (folder + "/a.csv", folder + "/board.json")
      var text = "time_s,mx_uT,my_uT,mz_uT\n"
      for index in 0..<600 {
        let turn = Double(index) / 9
        text += "\(Double(index) * 1e-12),\(20 + 30 * sin(turn)),\(30 * cos(turn)),\(index % 7)\n"
      }
      try CommandRun.write(text, to: board)
      #expect(
        [0, 65].contains(try CommandRun.lodestone(["calibrate", "--device", board, "--profile", profile]).exitCode))
      text = "time_s,mx,my,mz\n"
      for index in 0..<400 { text += "\(Double(index) / 50),0.\(index % 3),0.\(index % 5),5.5\n" }
      try CommandRun.write(text, to: board)
      let run = try CommandRun.lodestone(["calibrate", "--device", board, "--profile", profile])
      #expect(run.exitCode == 65 && run.errors.contains("axis z is stuck"), "\(run.errors)")
    }
  }
}
