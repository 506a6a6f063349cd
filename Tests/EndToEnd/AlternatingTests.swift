import Glibc
import Support
import Synchronization
import Testing

/// Readings of `teslameter` in alternating fields, and of a magnet at several distances.
@Suite(.waiting) struct AlternatingTests {
  /// 3 µT at 12.34 Hz and 1 µT at 50 Hz, 200 samples a second for twenty seconds.
  private static let table: String = {
    var random = SeededGenerator(seed: 4)
    func noise() -> Double { Double.random(in: -0.3...0.3, using: &random) }
    let rows = (0..<4000).map { index in
      let time = Double(index) / 200
      let field = 3 * sin(2 * .pi * 12.34 * time) + sin(2 * .pi * 50 * time)
      return "\(time),\(10 + 0.6 * field + noise()),\(20 + 0.8 * field + noise()),\(-43 + noise())"
    }
    return "time_s,mx_uT,my_uT,mz_uT\n" + rows.joined(separator: "\n") + "\n"
  }()

  private func teslameter(_ arguments: String...) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.table, to: folder + "/hum.csv")
      return try CommandRun.lodestone(["teslameter", "--device", folder + "/hum.csv"] + arguments)
    }
  }

  @Test func theLinesOfTheSpectrumAreRight() throws {
    let run = try teslameter("--spectrum", "--format", "csv")
    let rows = MainJobTests.rows(run.text)
    #expect(rows.count == 4, "\(run.text)")
    for (row, expected) in zip(rows, [(12.34, 3.0), (50.0, 1.0), (12.34, 3.0), (50.0, 1.0)]) {
      #expect(abs((row["frequency_hz"].flatMap(Double.init) ?? 0) - expected.0) < 0.01)
      #expect(abs((row["amplitude_uT"].flatMap(Double.init) ?? 0) - expected.1) < 0.03)
    }
    #expect(rows.count == 4 && rows[1]["name"]?.contains("mains") == true)
    let words = try teslameter("--spectrum", "--count", "1").text
    #expect(words.contains("show up to 100.0 Hz") && words.contains("mains, 50 Hz"), "\(words)")
    let object = try teslameter("--spectrum", "--count", "1", "--format", "json", "--unit", "nT").text
    #expect(object.contains("\"nyquist_hz\":100,") && object.contains("\"amplitude_nT\":"), "\(object)")
  }

  /// A window is longer than anybody waits without a word; a recording's needs no waiting.
  @Test func theWaitForTheFirstLineIsTold() throws {
    for mode in ["--spectrum", "--ac"] {
      let arguments = ["teslameter", mode, "--window", "4", "--count", "1", "--device"]
      let run = try CommandRun.lodestone(arguments + ["sim:"])
      #expect(run.errors.contains("lodestone: the first line comes after a window of 4 s\n"), "\(run.errors)")
    }
    #expect(!(try teslameter("--spectrum", "--count", "1").errors.contains("the first line comes")))
  }

  /// √(3² / 2 + 1² / 2 + 3 · 0.3² / 3) µT.
  @Test func theRootMeanSquareIsRight() throws {
    let rows = MainJobTests.rows(try teslameter("--ac", "--window", "2", "--format", "csv").text)
    #expect(rows.count == 10)
    for row in rows {
      #expect(abs((row["rms_uT"].flatMap(Double.init) ?? 0) - 2.256) < 0.03)
      #expect(abs((row["frequency_hz"].flatMap(Double.init) ?? 0) - 12.34) < 0.03)
    }
  }

  /// Sixteen samples are the least that a spectrum takes.
  @Test func aShortWindowTakesSixteenSamples() throws {
    #expect(MainJobTests.rows(try teslameter("--ac", "--window", "0.001", "--format", "csv").text).count == 250)
  }

  /// A unit in which the field is a small number has as many digits of it, and a frequency those of its ±.
  @Test func digitsFollowTheUnitAndTheUncertainty() throws {
    let object = try teslameter("--spectrum", "--count", "1", "--format", "json", "--unit", "mT").text
    #expect(abs((value("amplitude_mT", object) ?? 0) - 0.003) < 0.000_03, "\(object)")
    #expect((value("amplitude_uncertainty_mT", object) ?? 0) > 0, "\(object)")
    let words = try teslameter("--spectrum", "--count", "1").text
    #expect(words.contains("±0.0") && !words.contains("±0.000 Hz"), "\(words)")
  }

  /// A window that cannot be as long as it was asked for, or tells no lines, is told once.
  @Test func theLimitsOfAWindowAreSaid() throws {
    let long = try teslameter("--spectrum", "--window", "15").errors
    #expect(long.contains("2048 samples at most, 10.2 s"), "\(long)")
    let short = try teslameter("--ac", "--window", "0.001").errors
    #expect(short.contains("too few samples in a window"), "\(short)")
  }

  /// 50 Hz sampled 50 times a second is no line at all: nothing but words can tell.
  @Test(arguments: [(50, true), (45, false)]) func humThatHidesIsSaid(_ rate: Int, _ isHidden: Bool) throws {
    let rows = (0..<10 * rate).map { index in
      let time = Double(index) / Double(rate)
      let hum = 5 * sin(2 * .pi * 50 * time + 1)
      return "\(time),\(10 + hum),\(20 + Double(index % 3) / 10),-43"
    }
    let run = try CommandRun.lodestone(
      ["teslameter", "--ac", "--device", "-"],
      input: "time_s,mx_uT,my_uT,mz_uT\n" + rows.joined(separator: "\n") + "\n")
    #expect(run.errors.contains("the hum of 50 Hz mains looks like") == isHidden, "\(run.errors)")
  }

  /// A cable was out for five seconds: no window reaches over that, and the frequency stays right.
  @Test func aGapBeginsAWindowAnew() throws {
    let rows = Self.table.split(separator: "\n")
    let left = rows.prefix(501) + rows.dropFirst(1501)
    let run = try CommandRun.lodestone(
      ["teslameter", "--ac", "--window", "2", "--format", "csv", "--device", "-"],
      input: left.joined(separator: "\n") + "\n")
    let frequencies = MainJobTests.rows(run.text).compactMap { $0["frequency_hz"].flatMap(Double.init) }
    #expect(frequencies.count == 7 && frequencies.allSatisfy { abs($0 - 12.34) < 0.03 }, "\(run.text)")
  }

  @Test func whatCannotWorkIsSaid() throws {
    let few = try CommandRun.lodestone(
      ["teslameter", "--ac", "--device", "-"], input: "time_s,mx_uT,my_uT,mz_uT\n0,1,2,3\n0.1,1,2,3\n0.2,1,2,3\n")
    #expect(few.exitCode == 65 && few.errors.contains("less than a window of 1 s"), "\(few.errors)")
    for (arguments, words) in [
      (["--ac", "--spectrum"], "choose one"), (["--window", "3"], "--window is for"),
      (["--ac", "--smooth", "1"], "against a zero-point"), (["--spectrum", "--format", "influx"], "text, csv or json"),
      (["--distance", "--format", "csv"], "text or json"), (["--distance", "--smooth", "1"], "--smooth is for fields"),
      (["--distance", "--json-summary", "/dev/null"], "--json-summary is for fields"),
      (["--distance", "--count", "3"], "--distance gives one answer"),
      (["--distance", "--publish", "udp://127.0.0.1:9"], "--distance gives one answer"),
      (["--distance", "--window", "3"], "--window is for"),
      (["--ac", "--zero-seconds", "1"], "--zero-seconds is for what is measured against a zero-point"),
      (["--turns", "--zero-seconds", "1"], "--zero-seconds is for what is measured against a zero-point"),
      (["--turns", "--smooth", "1", "--still-to", "2"], "--smooth and --still-to are for fields against a zero-point"),
      (["--turns", "--unit", "mT"], "--unit mT is for fields"), (["--per-turn", "1L"], "--per-turn is for --turns"),
      (["--interval", "3"], "--interval needs --on"),
    ] {
      let run = try CommandRun.lodestone(["teslameter", "--device", "sim:?speed=max"] + arguments)
      #expect(run.exitCode == 64 && run.errors.contains(words), "\(run.errors)")
    }
  }

  /// A dipole of 1.2 A·m² on the sensor's z axis, 6 mm of case between: 0.2 µT·m³ for each A·m², over the cube.
  private final class Magnet: Sendable {
    let millimetres = Mutex<Double?>(nil)
    let said = Atomic(0)

    func message(_ number: Int) -> [UInt8] {
      let distance = millimetres.withLock { $0 }
      let field = distance.map { 0.2 * 1.2 / pow(($0 + 6) / 1000, 3) } ?? 0
      said.add(1, ordering: .relaxed)
      let noise = [0.05, -0.05, 0.02, -0.02][number % 4]
      return Array("\(10 + noise),\(20 - noise),\(-43 + field + noise)\n".utf8)
    }
  }

  /// Runs `teslameter --distance` up to the last distance that is typed.
  private func measure(_ distances: [Double], _ body: (ChildProgram) throws -> Void) throws {
    let magnet = Magnet()
    let board = try PtyBoard(rate: 50) { magnet.message($0) }
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "teslameter", "--distance", "--device", board.path, "--columns", "mx,my,mz", "--unit", "uT", "--zero-seconds",
          "1", "--format", "json",
        ], joinsErrors: true))
    #expect(program.line(holding: "from the case to the middle of the magnet in mm") != nil)
    for distance in distances {
      magnet.millimetres.withLock { $0 = distance }
      // A second of readings is averaged: two seconds of messages, and all of them are of this distance.
      let before = magnet.said.load(ordering: .relaxed)
      #expect(eventually { magnet.said.load(ordering: .relaxed) > before + 100 })
      program.send("\(distance)")
      #expect(program.line(holding: "so far") != nil)
    }
    try body(program)
  }

  @Test func aMagnetsMomentComesOut() throws {
    try measure([60, 80, 110, 150]) { program in
      program.send("")
      let answer = try #require(program.line(holding: "moment_Am2"))
      let moment = try #require(value("moment_Am2", answer))
      let depth = try #require(value("depth_m", answer))
      #expect(abs(moment - 1.2) < 0.03 && abs(depth - 0.006) < 0.001, "\(answer)")
      #expect(abs(moment - 1.2) < (value("moment_uncertainty_Am2", answer) ?? 0))
      // The gain is the same at each distance, and makes the depth no less certain: with it in each point ±8.7 mm.
      #expect(try #require(value("depth_uncertainty_m", answer)) < 0.0077, "\(answer)")
      #expect(program.exitCode() == 0)
    }
  }

  /// Each distance took a magnet that was moved by hand: Ctrl-C gives the answer by those that there are.
  @Test(arguments: [3, 2]) func ctrlCLosesNoDistances(count: Int) throws {
    try measure(Array([60.0, 90, 130].prefix(count))) { program in
      #expect(program.end(by: SIGINT) == 130)
      var rest = ""
      while let line = program.line(within: 0) { rest += line + "\n" }
      #expect(rest.contains("moment_Am2") == (count == 3), "\(rest)")
      #expect(rest.contains(count == 3 ? "the answer is by 3 distances" : "2 distances are too few"), "\(rest)")
    }
  }

  /// The answer goes where --output says: what was there stays where there is none.
  @Test func aMomentThatIsNotFoundLeavesTheFile() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("old\n", to: folder + "/moment.txt")
      let run = try CommandRun.lodestone(
        ["teslameter", "--distance", "--device", "sim:", "--output", folder + "/moment.txt"], input: "q\n")
      #expect(run.exitCode == 65 && run.errors.contains("0 distances are too few"), "\(run.errors)")
      #expect(try CommandRun.contents(of: folder + "/moment.txt") == Array("old\n".utf8))
    }
  }

  private func value(_ key: String, _ line: String) -> Double? {
    guard let start = line.firstRange(of: "\"\(key)\":") else { return nil }
    return Double(line[start.upperBound...].prefix { !",}".contains($0) })
  }
}
