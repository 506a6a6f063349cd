import LodestoneCore
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
}

extension String {
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
