import Glibc
import LodestoneCore
import LodestonePorts
import Support
import Testing

/// A motor whose current turns the needle: calibrated with it, and read with it, through the built command.
@Suite(.waiting) struct CausesTests {
  private static let slope = Vector3(0.9, -0.6, 0.4)

  /// A recording of a simulated board with a column `current_A` behind the others, and what it does to the field.
  private func recording(
    _ query: String, seconds: Int, to path: String, column: String = "current_A", _ amperes: (Double) -> Double
  ) throws {
    let run = try CommandRun.lodestone([
      "record", "--device", "sim:?speed=max&sensor=7&\(query)", "--duration", "\(seconds)", "--format", "csv",
    ])
    #expect(run.exitCode == 0, "\(run.errors)")
    var lines = run.text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    #expect(lines.first?.hasPrefix("time_s,mx_uT,my_uT,mz_uT,") == true)
    for index in lines.indices.dropFirst() {
      var fields = lines[index].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let now = amperes(try #require(Double(fields[0])))
      for axis in 0..<3 { fields[1 + axis] = try "\(#require(Double(fields[1 + axis])) + Self.slope[axis] * now)" }
      lines[index] = (fields + ["\(now)"]).joined(separator: ",")
    }
    lines[0] += "," + column
    try CommandRun.write(lines.joined(separator: "\n") + "\n", to: path)
  }

  private func steps(_ time: Double) -> Double { [0, 30, 12, 25, 5, 18, 30, 0, 9, 21, 27][Int(time / 1.7) % 11] }

  private func headings(_ arguments: String...) throws -> (rows: [[String: String]], errors: String) {
    let run = try CommandRun.lodestone(["heading", "--format", "csv", "--fusion", "off"] + arguments)
    #expect(run.exitCode == 0, "\(run.errors)")
    return (MainJobTests.rows(run.text), run.errors)
  }

  @Test func itsShareIsFoundKeptAndTakenOff() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      try recording("motion=figure-eight", seconds: 62, to: sweep, steps)
      let run = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile, "--cause", "current_A"])
      #expect(run.exitCode == 0 && run.text.contains("Calibration good"), "\(run.errors)\(run.text)")
      #expect(run.text.contains("current_A: 1.1") && run.text.contains("from 0.0 to 30.0"), "\(run.text)")
      let json = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile, "--with", "current_A", "--json"])
      #expect(json.text.contains("\"causes\"") && json.text.contains("\"uT_per_unit\""), "\(json.errors)")
      #expect(try CommandRun.lodestone(["profiles", "show", profile]).text.contains("current_A: 1.1"))

      let still = folder + "/still.csv"
      try recording("motion=still&heading=90", seconds: 8, to: still) { $0 < 4 ? 0 : 30 }
      let (rows, errors) = try headings(still, "--profile", profile)
      #expect(!errors.contains("current_A"), "\(errors)")
      #expect(rows.count == 400)
      let within = try rows.filter { row in
        let heading = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        let accuracy = try #require(row["accuracy_deg"].flatMap(Double.init))
        #expect(abs(heading - 90) < 5 && accuracy < 4)
        return abs(heading - 90) <= accuracy
      }
      #expect(Double(within.count) >= 0.93 * Double(rows.count))
      // Where the column is missing, that is said once, and what it may do is in the accuracy.
      let blind = folder + "/blind.csv"
      try recording("motion=still&heading=90", seconds: 8, to: blind, column: "amps") { _ in 30 }
      let (off, said) = try headings(blind, "--profile", profile)
      #expect(said.components(of: "does not tell current_A: the field may be off by 17") == 1, "\(said)")
      for row in off {
        let heading = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(heading - 90) < (row["accuracy_deg"].flatMap(Double.init) ?? 180))
      }
    }
  }

  @Test func whatIsMissingIsSaid() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      try recording("motion=figure-eight", seconds: 62, to: sweep) { _ in 12 }
      func refused(_ cause: String) throws -> String {
        let run = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile, "--cause", cause])
        #expect(run.exitCode == 65)
        return run.errors
      }
      #expect(try refused("current_A").contains("no calibration: current_A stays at 12"))
      #expect(try refused("rudder").contains("no calibration: the device sends no rudder"))
      let twice = try CommandRun.lodestone(["calibrate", sweep, "--cause", "a", "--cause", "a"])
      #expect(twice.exitCode == 64 && twice.errors.contains("--cause a is given twice"), "\(twice.errors)")
      let both = try CommandRun.lodestone(["calibrate", sweep, "--cause", "a", "--touch-up"])
      #expect(both.exitCode == 64 && both.errors.contains("exclude each other"), "\(both.errors)")
    }
  }

  /// Without hardware: a simulated motor.
  @Test func aSimulatedMotorIsFound() throws {
    try TemporaryFolder.with { folder in
      let device = "sim:?speed=max&motion=figure-eight&current=0.8,-0.5,0.4"
      let profile = folder + "/board.json"
      let run = try CommandRun.lodestone(["calibrate", device, "--profile", profile, "--cause", "current_A"])
      #expect(run.exitCode == 0 && run.text.contains("current_A: 1.0"), "\(run.errors)\(run.text)")
    }
  }

  // MARK: Recordings

  /// Recorded, a cause is there for a calibration later; one that is not recorded is named.
  @Test func aRecordingKeepsTheCauseThatItIsToldOf() throws {
    try TemporaryFolder.with { folder in
      let (sweep, copy, bare) = (folder + "/sweep.csv", folder + "/copy.csv", folder + "/bare.csv")
      let data = ["XDG_DATA_HOME": folder]
      try recording("motion=figure-eight", seconds: 62, to: sweep, column: "motor current (A)", steps)
      let dropped = try CommandRun.lodestone(["record", sweep, "-o", bare], environment: data)
      #expect(dropped.exitCode == 0 && dropped.errors.contains("not recorded: motor current (A)"), "\(dropped.errors)")
      let kept = try CommandRun.lodestone(["record", sweep, "--cause", "motor current", "-o", copy], environment: data)
      #expect(kept.exitCode == 0 && !kept.errors.contains("not recorded"), "\(kept.errors)")
      let run = try CommandRun.lodestone(["calibrate", copy, "--cause", "motor current"], environment: data)
      #expect(run.exitCode == 0 && run.text.contains("motor current: 1.1"), "\(run.errors)\(run.text)")
      // From then on it is recorded without a word.
      let again = try CommandRun.lodestone(["record", copy, "--count", "3"], environment: data)
      #expect(again.text.split(separator: "\n").contains { $0.hasSuffix(",gz_dps,motor_current") }, "\(again.text)")
      let json = try CommandRun.lodestone(["record", copy, "--count", "1", "--format", "json"], environment: data)
      #expect(json.text.hasSuffix("\"flags\":[],\"motor_current\":0.000000}\n"), "\(json.text)")
      let other = try CommandRun.lodestone(["record", copy, "--cause", "mx_uT"])
      #expect(other.exitCode == 64 && other.errors.contains("--cause mx_uT: it is recorded anyway"))
    }
  }

  /// Said after three seconds of it, or at its end where it is shorter: once.
  @Test(arguments: [20, 200]) func aCauseThatNeverComesIsNamed(count: Int) throws {
    let rows = (0..<count).map { "\(Double($0) / 20),20.\($0 % 7),1.0,-43.0,0.\($0 % 3)" }
    let table = "time_s,mx_uT,my_uT,mz_uT,rudder\n" + rows.joined(separator: "\n") + "\n"
    let run = try CommandRun.lodestone(
      ["record", "--device", "-", "--cause", "rudder", "--cause", "amps", "--cause", "temperature"], input: table)
    #expect(run.exitCode == 0 && run.errors.components(of: "the device sends no amps: ") == 1, "\(run.errors)")
    #expect(run.errors.components(of: "the device sends no temperature: ") == 1 && !run.errors.contains("no rudder"))
  }

  // MARK: Another device

  /// Takes the last column of a recording out into one of its own, with every n-th row of it and other names.
  private func split(_ sweep: String, field: String, cause: String, every: Int, later: Double = 0) throws {
    let lines = try String(contentsOf: sweep).split(separator: "\n").map(String.init)
    var (rest, own) = ([String](), ["time_s;amps"])
    for (index, line) in lines.enumerated() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      rest.append(fields.dropLast().joined(separator: ","))
      guard index > 0, index % every == 0, let time = Double(fields[0]) else { continue }
      own.append("\(time + later);\(fields[fields.count - 1].replacing(".", with: ","))")
    }
    try CommandRun.write(rest.joined(separator: "\n") + "\n", to: field)
    try CommandRun.write(own.joined(separator: "\n") + "\n", to: cause)
  }

  @Test func anotherRecordingTellsTheCause() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      let (field, amps, late) = (folder + "/field.csv", folder + "/amps.csv", folder + "/late.csv")
      try recording("motion=figure-eight", seconds: 62, to: sweep) { 15 - 15 * cos($0 * 1.3) }
      try split(sweep, field: field, cause: amps, every: 5)
      try split(sweep, field: field, cause: late, every: 5, later: 1e5)
      let calibrate = ["calibrate", field, "--profile", profile, "--cause", "amps", "--cause-device"]
      let run = try CommandRun.lodestone(calibrate + [amps])
      #expect(run.exitCode == 0 && run.text.contains("amps: 1.15"), "\(run.errors)\(run.text)")
      let (rows, errors) = try headings(field, "--profile", profile, "--cause-device", amps)
      #expect(rows.count == 3100 && !errors.contains("amps"), "\(errors)")
      let others = try headings(field, "--profile", profile, "--cause-device", late)
      #expect(others.errors.contains("the times of \(late) are not those of the recording"), "\(others.errors)")
      #expect(others.errors.contains("does not tell amps"), "\(others.errors)")

      let none = try CommandRun.lodestone(["heading", field, "--profile", "none", "--cause-device", amps])
      #expect(none.exitCode == 64 && none.errors.contains("nothing is wanted of \(amps)"), "\(none.errors)")
      let unnamed = try CommandRun.lodestone(["calibrate", field, "--cause-device", amps])
      #expect(unnamed.exitCode == 64 && unnamed.errors.contains("--cause-device needs --cause NAME"))
      let mixed = try CommandRun.lodestone(["heading", "sim:", "--cause-device", amps])
      #expect(mixed.exitCode == 64 && mixed.errors.contains("is a recording, and the device is not"), "\(mixed.errors)")
      try CommandRun.write("1;2\n3;4\n", to: amps)
      let bare = try CommandRun.lodestone(calibrate + [amps])
      #expect(bare.exitCode == 65 && bare.errors.contains("?columns=time_s,current_A"), "\(bare.errors)")
    }
  }

  /// A sensor at a port of its own, without a motor in the field: 0 A are 17 µT off the middle of what was calibrated.
  @Test func anotherPortTellsTheCause() throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      try recording("motion=figure-eight", seconds: 62, to: sweep, column: "motor", steps)
      let run = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile, "--cause", "motor"])
      #expect(run.exitCode == 0, "\(run.errors)")
      let sensor = try PtyBoard(rate: 20, lines: ["Voltage: 12.1 V  Motor: 0.0 A\r\n"])
      let (rows, errors) = try headings(
        "-d", "sim:?sensor=7&motion=still&heading=90&rate=50", "--duration", "4", "--profile", profile,
        "--cause-device",
        sensor.path)
      #expect(!errors.contains("motor"), "\(errors)")
      #expect(rows.count > 100)
      for row in rows.suffix(100) {
        let heading = try #require(row["magnetic_heading_deg"].flatMap(Double.init))
        #expect(abs(heading - 90) < 5 && (row["accuracy_deg"].flatMap(Double.init) ?? 180) < 4)
      }
    }
  }

  // MARK: On the page

  /// The event for a page: which causes there are, and whether they come.
  @Test(arguments: [("current_A", "taken"), ("rudder", "missing")]) func thePageShowsThem(
    _ name: String, _ state: String
  ) throws {
    try TemporaryFolder.with { folder in
      let (sweep, profile) = (folder + "/sweep.csv", folder + "/board.json")
      try recording("motion=figure-eight", seconds: 62, to: sweep, column: name, steps)
      let run = try CommandRun.lodestone(["calibrate", sweep, "--profile", profile, "--cause", name])
      #expect(run.exitCode == 0, "\(run.errors)")
      let page = try freePort()
      let program = try #require(
        ChildProgram(
          "lodestone",
          arguments: [
            "serve", "--device", "sim:?sensor=7&current=0.9,-0.6,0.4&motion=still&rate=50", "--profile", profile,
            "--listen",
            "127.0.0.1:\(page)",
          ], joinsErrors: true))
      #expect(program.line(holding: "Serving") != nil)
      let script = """
        exec 3<>/dev/tcp/127.0.0.1/\(page)
        printf 'GET /api/v1/events HTTP/1.1\\r\\nHost: 127.0.0.1:\(page)\\r\\n\\r\\n' >&3
        timeout 20 grep -m1 '"state":"\(state)"' <&3
        """
      try CommandRun.write(script, to: "\(folder)/script")
      let told = try CommandRun.lodestone([], shell: "exec bash \(folder)/script \"$@\"")
      #expect(told.text.contains("\"name\":\"\(name)\"") && told.text.contains("\"from\":0"), "\(told.text)")
      #expect(program.end(by: SIGINT) == 130)
    }
  }
}

extension String {
  /// The text of a file.
  fileprivate init(contentsOf path: String) throws {
    self.init(decoding: try AtomicFile.read(path, limit: 1 << 24), as: UTF8.self)
  }

  /// How often another text is in it.
  fileprivate func components(of other: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: other) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
