import Calibration
import Glibc
import LodestoneCore
import Support
import Synchronization
import Testing

/// The deviation of an installed compass: found, kept beside its calibration, told to plotters, added when asked for.
@Suite(.waiting) struct SwingTests {
  /// A worked example: deviations at every 45° of compass heading from north.
  private static let table =
    "compass,right\n0,10.5\n45,65\n90,101.5\n135,133.8\n180,174.5\n225,217\n270,257.5\n315,308.2\n"

  private func lodestone(_ arguments: String...) throws -> CommandRun { try CommandRun.lodestone(arguments) }

  private func withSwing(_ body: (_ folder: String, _ table: String, _ profile: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.table, to: folder + "/swing.csv")
      try CommandRun.write(bytes: Profile.example.json(), to: folder + "/boat.json")
      try body(folder, folder + "/swing.csv", folder + "/boat.json")
    }
  }

  @Test func theWorkedExampleComesOut() throws {
    try withSwing { folder, table, _ in
      let run = try lodestone("swing", "--marks", table, "--format", "json", "--card", folder + "/card.svg")
      #expect(run.exitCode == 0)
      #expect(run.text.contains(#""coefficients_deg":{"A":1,"B":11.94,"C":7.96,"D":5,"E":1.5}"#), "\(run.text)")
      let rows = MainJobTests.rows(try lodestone("swing", "--marks", table, "--format", "csv").text)
      #expect(rows.count == 24 && rows[3]["compass_heading_deg"] == "45" && rows[3]["deviation_deg"] == "20.07")
      let words = try lodestone("swing", "--marks", table).text
      #expect(words.contains("  B +11.94° ±0.13°") && words.contains("   045°     20.1° E       065°"), "\(words)")
      let card = String(decoding: try CommandRun.contents(of: folder + "/card.svg"), as: UTF8.self)
      #expect(card.hasPrefix("<svg ") && card.contains("20.1° E"))
    }
  }

  /// The report goes to a file, as that of any other command.
  @Test func theReportGoesToAFile() throws {
    try withSwing { folder, table, _ in
      let shown = try lodestone("swing", "--marks", table, "--format", "csv")
      let run = try lodestone("swing", "--marks", table, "--format", "csv", "-o", folder + "/card.csv")
      #expect(run.exitCode == 0 && run.text == "", "\(run.errors)")
      #expect(try String(decoding: CommandRun.contents(of: folder + "/card.csv"), as: UTF8.self) == shown.text)
      let full = try lodestone("swing", "--marks", table, "-o", "/dev/full")
      #expect(full.exitCode == 74 && full.errors.contains("can't write /dev/full"), "\(full.errors)")
      let card = try lodestone("swing", "--marks", table, "--card", "-")
      #expect(card.exitCode == 64 && card.text == "" && card.errors.contains("--card -: this is written besides"))
    }
  }

  /// A swing by a second compass that never completes the circle ends, and says what is missing.
  @Test func aSwingEndsWithItsDuration() throws {
    let run = try CommandRun.lodestone(["swing", "sim:", "--duration", "2"], shell: #"sleep 5 | "$@""#)
    #expect(run.exitCode == 65 && run.errors.contains("no deviation: 0 headings are too few"), "\(run.errors)")
  }

  /// A report that cannot be written loses nothing of the swing.
  @Test func theResultIsKeptWhateverBecomesOfTheReport() throws {
    try withSwing { folder, table, profile in
      let run = try CommandRun.lodestone(
        ["swing", "--marks", table, "--profile", profile], shell: #"exec "$@" > /dev/full"#)
      #expect(run.exitCode == 74 && run.errors.contains("kept in \(folder)/boat.deviation.json"), "\(run.errors)")
      #expect(access(folder + "/boat.deviation.json", F_OK) == 0)
    }
  }

  /// Iron that was moved after the eighth of sixteen headings turns the others by up to 8°.
  @Test func ironThatMovedIsTold() throws {
    let noise = [0.3, -0.4, 0.1, 0.5, -0.2, -0.5, 0.4, 0.2, -0.3, 0.1, -0.1, 0.3, -0.4, 0.5, -0.2, 0.1]
    func run(_ moved: Double) throws -> CommandRun {
      let rows = noise.enumerated().map { index, off in
        let compass = Double(index * 67 % 360)
        return "\(compass) \(compass + 4 * sin(compass * .pi / 180) * (index < 8 ? 1 : moved) + off)"
      }
      return try CommandRun.lodestone(
        ["swing", "--marks", "-", "--dry-run"], input: rows.joined(separator: "\n") + "\n")
    }
    let (sound, moved) = (try run(1), try run(3))
    #expect(sound.exitCode == 0 && !sound.errors.contains("iron near the compass moved"), "\(sound.errors)")
    #expect(
      moved.exitCode == 0 && moved.errors.contains("do not fit those: iron near the compass moved"), "\(moved.errors)")
  }

  /// A compass whose own soft iron has a strong term in 4ψ, swung once round in steps of 15°: 1 in 3 of such swings
  /// told iron that had moved.
  @Test func aFourthHarmonicIsNoIronThatMoved() throws {
    for phase in stride(from: 0.0, to: 360, by: 30) {
      let rows = (0..<24).map { index in
        let compass = Double(index * 15 + (index * 7) % 5)
        let off = 0.3 * sin(Double(index * index) * 1.7)
        return "\(compass) \(compass + 3 * sin(compass * .pi / 180) + 3 * sin((4 * compass + phase) * .pi / 180) + off)"
      }
      let run = try CommandRun.lodestone(
        ["swing", "--marks", "-", "--dry-run"], input: rows.joined(separator: "\n") + "\n")
      #expect(run.exitCode == 0 && !run.errors.contains("iron near the compass moved"), "\(phase): \(run.errors)")
    }
  }

  @Test func whatIsNoSwingIsRefused() throws {
    for (text, words) in [
      ("0 1\n90 91\n", "no deviation: 2 headings are too few"),
      ("0 1\n10 11\n20 21\n30 31\n40 41\n50 51\n60 61\n70 71\n", "no headings between 070° and 000°"),
      (String(repeating: "10 12\n", count: 9), "no deviation: all headings are 010°\nHint: a swing needs 8, spread"),
      ("0 1\nnorth 3\n", "line 2: not two headings in degrees"), ("0 1\n4 nan\n", "line 2: not two headings"),
      ("", "no deviation: 0 headings are too few"),
    ] {
      let run = try CommandRun.lodestone(["swing", "--marks", "-"], input: text)
      #expect(run.exitCode == 65 && run.text == "" && run.errors.contains(words), "\(run.errors)")
    }
    for (option, words) in [
      (["--rate", "5"], "--rate is for a device, not for --marks"), (["--mount", "-y,x,z"], "--mount is for a device"),
      (["--chip", "qmc5883l", "--probe"], "--chip and --probe are for a device"),
      (["--location", "gpsd://127.0.0.1"], "--location is for a device"),
      (["--duration", "9"], "--duration is for a device"), (["--at", "48,16"], "add --true"),
    ] {
      let run = try CommandRun.lodestone(["swing", "--marks", "-"] + option, input: Self.table)
      #expect(run.exitCode == 64 && run.text == "" && run.errors.contains(words), "\(run.errors)")
    }
    let run = try lodestone("swing", "--marks", "-", "--true")
    #expect(run.exitCode == 64 && run.errors.contains("--true needs the place"))
  }

  /// Columns may stand in any order, with others beside them, where a header names them.
  @Test func columnsAreFoundByTheirNames() throws {
    let lines = Self.table.split(separator: "\n").dropFirst().enumerated().map { number, line in
      let pair = line.split(separator: ",")
      return "\(number),\(pair[1]),\(pair[0])\n"
    }
    let text = "mark,right_heading,compass_heading\n" + lines.joined()
    let run = try CommandRun.lodestone(["swing", "--marks", "-", "--format", "json"], input: text)
    #expect(run.text.contains(#""coefficients_deg":{"A":1,"B":11.94,"C":7.96,"D":5,"E":1.5}"#), "\(run.text)")
    let north = try CommandRun.lodestone(["swing", "--marks", "-"], input: "compass true_heading\n0 1\n")
    #expect(north.exitCode == 64 && north.errors.contains("--true and --at"), "\(north.errors)")
    let mixed = (0..<12).map { "\($0 * 30),\($0 * 30 + ($0 % 2 == 0 ? 44 : -44))\n" }.joined()
    let refused = try CommandRun.lodestone(["swing", "--marks", "-"], input: mixed)
    #expect(refused.exitCode == 65 && refused.errors.contains("contradict each other"), "\(refused.errors)")
  }

  /// The names of both columns decide, wherever they stand; a header that does not tell them is refused.
  @Test func namesDecideWhichHeadingIsRight() throws {
    let pairs = Self.table.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    let place = ["--true", "--at", "48.2,16.37,200", "--date", "2026.7"]
    for (header, arguments) in [
      ("magnetic,steered", []), ("reference,heading", []), ("true,magnetic,compass", []),
      ("magnetic,true,compass", place),
    ] {
      let others = header.split(separator: ",").count == 3 ? ["0"] : []
      // The declination of this place is 5.36° E: a true heading is as much more.
      let text = pairs.map { pair -> String in
        let right = (Double(pair[1]) ?? 0) + (arguments.isEmpty ? 0 : 5.364)
        return (others + ["\(right)", String(pair[0])]).joined(separator: ",")
      }
      let run = try CommandRun.lodestone(
        ["swing", "--marks", "-", "--format", "json"] + arguments,
        input: ([header] + text).joined(separator: "\n") + "\n")
      #expect(run.text.contains(#""B":11.94,"C":7.96,"D":5,"E":1.5"#), "\(header) \(run.text) \(run.errors)")
    }
    for header in ["a,b", "compass,magnetic", "compass,speed", "magnetic_heading_deg,true_heading_deg"] {
      let arguments = header == "compass,magnetic" ? place : []
      let unclear = try CommandRun.lodestone(["swing", "--marks", "-"] + arguments, input: "\(header)\n0,1\n")
      #expect(
        unclear.exitCode == 65 && unclear.errors.contains("line 1: the columns are not named"), "\(unclear.errors)")
    }
  }

  /// Names of several words, columns beside, cells that are empty, decimal commas and the mark of a text file: a cell
  /// is what stands between separators.
  @Test func cellsAreReadAsTheyStand() throws {
    let pairs = Self.table.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    let commas = pairs.map { "\($0[0]);\($0[1].replacing(".", with: ","))\n" }.joined()
    let tables = [
      "compass heading,right heading,speed\n" + pairs.map { "\($0[0]),\($0[1]),3.5\n" }.joined(),
      "compass;right\n" + commas, "\u{FEFF}" + commas, "\u{FEFF}" + Self.table,
      pairs.map { "\($0[0]),\t\($0[1])\n" }.joined().replacing(",\t", with: ", "),
    ]
    for table in tables {
      let run = try CommandRun.lodestone(["swing", "--marks", "-", "--format", "json"], input: table)
      let isFound = run.text.contains(#""coefficients_deg":{"A":1,"B":11.94,"C":7.96,"D":5,"E":1.5}"#)
      #expect(isFound, "\(table) \(run.text) \(run.errors)")
    }
    let missing = "compass,right,speed\n" + pairs.map { "\($0[0]),\($0[1]),3\n" }.joined() + "10,,12\n"
    let run = try CommandRun.lodestone(["swing", "--marks", "-"], input: missing)
    #expect(run.exitCode == 65 && run.errors.contains("line 10: not two headings"), "\(run.errors)")
  }

  @Test func aTurnOfTheMountingIsTold() throws {
    let backwards = stride(from: 0, to: 360, by: 30).map { "\($0),\(($0 + 185) % 360)\n" }.joined()
    let run = try CommandRun.lodestone(["swing", "--marks", "-"], input: backwards)
    #expect(run.exitCode == 0 && run.text.contains("A -175.00°"), "\(run.text)")
    #expect(run.errors.contains("A is -175°: the compass points that far to the right of the bow"), "\(run.errors)")
    let usual = try CommandRun.lodestone(["swing", "--marks", "-"], input: Self.table)
    #expect(!usual.errors.contains("bow"), "\(usual.errors)")
  }

  @Test func trueHeadingsLoseTheDeclination() throws {
    try withSwing { _, table, _ in
      let run = try lodestone(
        "swing", "--marks", table, "--format", "json", "--true", "--at", "48.2,16.37,200", "--date", "2026.7")
      // 5.36° of declination in Vienna.
      #expect(run.text.contains(#""coefficients_deg":{"A":-4.36,"#), "\(run.text)")
    }
  }

  @Test func itIsAddedOnlyWhereItIsAskedFor() throws {
    try withSwing { folder, table, profile in
      func heading(_ more: String...) throws -> CommandRun {
        try CommandRun.lodestone(
          [
            "heading", "--device", "sim:?motion=still&heading=40&speed=max", "--profile", profile, "--fusion", "off",
            "--count", "1",
          ] + more)
      }
      let before = try heading("--deviation", "on")
      #expect(before.exitCode == 66 && before.errors.contains("no deviation is kept"), "\(before.errors)")
      #expect(try lodestone("swing", "--marks", table, "--profile", profile, "--dry-run").exitCode == 0)
      #expect(try heading("--deviation", "on").exitCode == 66)
      let swing = try lodestone("swing", "--marks", table, "--profile", profile)
      #expect(swing.exitCode == 0 && swing.errors.contains("kept in \(folder)/boat.deviation.json"), "\(swing.errors)")
      let plain = try #require(value("magnetic_heading_deg", try heading("--format", "csv")))
      let corrected = try #require(value("magnetic_heading_deg", try heading("--format", "csv", "--deviation", "on")))
      let deviation = Angle.shortestTurn(from: plain, to: corrected)
      #expect(abs(deviation) > 1)
      let sentence = try heading("--format", "nmea").text
      let told = abs(deviation).text(decimals: 1) + (deviation < 0 ? ",W" : ",E")
      #expect(sentence.hasPrefix("$HCHDG,\(plain.text(decimals: 1)),\(told),,*"), "\(sentence)")
      let added = try heading("--format", "nmea", "--deviation", "on").text
      #expect(added.hasPrefix("$HCHDG,\(corrected.text(decimals: 1)),,,,*"), "\(added)")
      // A boat's own true heading turns with its magnetic one: the variation stays 2° E. The worked example has 20.07°
      // at 45°.
      try CommandRun.write(
        String(repeating: NMEASentenceText.sentence("HCHDG,45.0,,,2.0,E"), count: 2), to: folder + "/boat.nmea")
      let boat = try lodestone(
        "heading", "--device", folder + "/boat.nmea", "--profile", profile, "--deviation", "on", "--format", "csv")
      #expect(
        value("magnetic_heading_deg", boat) == 65.07 && value("true_heading_deg", boat) == 67.07,
        "\(boat.text) \(boat.errors)")
      // One that tells true headings alone has none to add it to.
      try CommandRun.write(
        String(repeating: NMEASentenceText.sentence("HEHDT,47.0,T"), count: 2), to: folder + "/satellites.nmea")
      let satellites = try lodestone(
        "heading", "-d", folder + "/satellites.nmea", "--profile", profile, "--deviation", "on", "--format", "csv")
      #expect(value("true_heading_deg", satellites) == 47, "\(satellites.text)")
      #expect(satellites.errors.contains("the deviation is not added"), "\(satellites.errors)")
      // Another calibration has another deviation.
      var other = Profile.example
      other.created += 1
      try CommandRun.write(bytes: other.json(), to: profile)
      #expect(try heading("--deviation", "on").exitCode == 66)
      #expect(try heading("--format", "nmea").text.contains(",,,,*"))
      // One that cannot be read is an error, not none.
      try CommandRun.write("{}", to: folder + "/boat.deviation.json")
      #expect(try heading("--format", "nmea").exitCode == 65)
    }
  }

  /// A compass that sends headings cannot be calibrated, and its deviation not kept: a card can be drawn.
  @Test func withoutACalibrationTheHintLeadsOn() throws {
    let sentences = String(repeating: NMEASentenceText.sentence("HCHDG,45.0,,,2.0,E"), count: 2)
    func heading(_ device: String, _ input: String) throws -> CommandRun {
      try CommandRun.lodestone(["heading", "--device", device, "--deviation", "on"], input: input)
    }
    let boat = try heading("-", sentences)
    #expect(boat.exitCode == 66 && boat.errors.contains("Hint: lodestone swing --card card.svg"), "\(boat.errors)")
    let board = try heading("-", String(repeating: "mx:1,my:20,mz:-44\n", count: 40))
    #expect(board.exitCode == 66 && board.errors.contains("Hint: lodestone calibrate saves one"), "\(board.errors)")
  }

  private func value(_ column: String, _ run: CommandRun) -> Double? {
    MainJobTests.rows(run.text).first?[column].flatMap(Double.init)
  }

  /// A compass that says what it is turned to.
  private final class TurnedCompass: Sendable {
    let degrees = Mutex(0)

    func message() -> [UInt8] {
      let body = "HCHDM,\(degrees.withLock { $0 }).0,M"
      let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
      return Array("$\(body)*\(String(repeating: "0", count: 2 - sum.count))\(sum)\r\n".utf8)
    }
  }

  @Test func headingsAreTypedBesideTheCompass() throws {
    let compass = TurnedCompass()
    let board = try PtyBoard(rate: 20) { _ in compass.message() }
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["swing", "--device", board.path, "--format", "json"], joinsErrors: true))
    for heading in stride(from: 0, to: 360, by: 45) {
      compass.degrees.withLock { $0 = heading }
      let right = "compass \(String(1000 + heading).suffix(3))°, right"
      while true {
        program.send("\(heading + 3)")
        let answer = try #require(program.line(holding: "deviation", "not taken", "nothing yet"))
        if answer.contains(right) { break }
        // It has not turned yet: what was taken too early is taken back.
        guard answer.contains("deviation") else { continue }
        program.send("-")
        #expect(program.line(holding: "taken back; ") != nil)
      }
    }
    program.send("q")
    let result = try #require(program.line(holding: "coefficients_deg"))
    #expect(result.contains(#""coefficients_deg":{"A":3,"#), "\(result)")
    #expect(program.exitCode() == 0)
  }

  /// Headings that make no deviation need not be steered again: they are told as a table.
  @Test(arguments: [SIGINT, 0]) func headingsOfASwingThatEndsEarlyAreTold(signal: Int32) throws {
    let compass = TurnedCompass()
    compass.degrees.withLock { $0 = 40 }
    let board = try PtyBoard(rate: 20) { _ in compass.message() }
    let program = try #require(
      ChildProgram("lodestone", arguments: ["swing", "--device", board.path], joinsErrors: true))
    var answer = ""
    while !answer.contains("compass 040°") {
      program.send("43")
      answer = try #require(program.line(holding: "deviation", "nothing yet"))
    }
    if signal == 0 { program.send("q") } else { kill(program.process, signal) }
    #expect(program.line(holding: "as lodestone swing --marks FILE reads them:") != nil)
    #expect(program.line() == "compass,right" && program.line()?.hasPrefix("40.00,43.00") == true)
    #expect(program.exitCode() == (signal == 0 ? 65 : 130))
  }

  /// A compass that turns on by itself, in steps that it holds, three degrees off a second one.
  @Test func aSecondCompassTellsWhatIsRight() throws {
    let compass = TurnedCompass(), right = TurnedCompass()
    let board = try PtyBoard(rate: 20) { _ in compass.message() }
    let second = try PtyBoard(rate: 10) { _ in right.message() }
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: ["swing", "--device", board.path, "--reference", "nmea:" + second.path, "--format", "json"],
        joinsErrors: true))
    var (heading, lines) = (0, [String]())
    while lines.count < 12 {
      compass.degrees.withLock { $0 = heading }
      right.degrees.withLock { $0 = (heading + 3) % 360 }
      let line = try #require(program.line(holding: "deviation", "coefficients_deg"))
      lines.append(line)
      heading = (heading + 30) % 360
    }
    #expect(lines.allSatisfy { $0.contains("deviation 3.0° E") }, "\(lines)")
    let result = try #require(program.line(holding: "coefficients_deg"))
    #expect(result.contains(#""coefficients_deg":{"A":3,"#), "\(result)")
    // It ends by itself.
    #expect(program.exitCode() == 0)
  }

  /// A receiver's course is a true heading; a slow one tells nothing.
  @Test func aCourseTellsWhatIsRight() throws {
    let compass = TurnedCompass(), course = TurnedCompass()
    let board = try PtyBoard(rate: 20) { _ in compass.message() }
    let speed = Mutex("00.9")
    let receiver = try PtyBoard(rate: 10) { _ in
      let degrees = "\(1000 + course.degrees.withLock { $0 })".suffix(3)
      let sentence = "GPRMC,120000.00,A,4812.0000,N,01622.2000,E,\(speed.withLock { $0 }),\(degrees).0,220726,,,A"
      let sum = String(0x100 + Int(sentence.utf8.reduce(0, ^)), radix: 16, uppercase: true).suffix(2)
      return Array("$\(sentence)*\(sum)\r\n".utf8)
    }
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "swing", "--device", board.path, "--course", "--location", "nmea:" + receiver.path, "--date", "2026.7",
        ], joinsErrors: true))
    compass.degrees.withLock { $0 = 90 }
    course.degrees.withLock { $0 = 95 }
    #expect(program.line(holding: "position received") != nil)
    // 1.8 km/h, and then 20: the second is the first that counts. Sixty sentences are more than the window of five
    // seconds.
    let before = receiver.saidCount
    #expect(eventually { receiver.saidCount >= before + 60 })
    compass.degrees.withLock { $0 = 180 }
    course.degrees.withLock { $0 = 185 }
    speed.withLock { $0 = "10.8" }
    // 5.4° of declination in Vienna.
    let line = try #require(program.line(holding: "deviation"))
    #expect(line.contains("compass 180°, right 180°: deviation 0.4° W; 1 heading"), "\(line)")
    program.send("q")
    #expect(program.exitCode() == 65)
  }

  @Test func whatCanNotBeASecondCompassIsRefused() throws {
    for (arguments, words) in [
      (["--reference", "sim:"], "sim: is the compass that is swung"),
      (["--reference", "/nowhere"], "/nowhere"),
      (["--reference", "sim:", "--marks", "-"], "choose one"), (["--course"], "--course needs a receiver"),
      (["--reference", "sim:", "--true", "--at", "48,16"], "--true is for headings that are typed"),
    ] {
      let run = try CommandRun.lodestone(["swing", "--device", "sim:"] + arguments)
      #expect([64, 66].contains(run.exitCode) && run.text == "" && run.errors.contains(words), "\(run.errors)")
    }
  }
}
