import Glibc
import LodestoneCore
import Support
import Testing

/// Hall probes of one axis, as loggers and sketches write them: the field along them, and nothing that they do not
/// measure.
@Suite(.waiting) struct ProbeTests {
  /// Six seconds of a probe at 0.3 mT, and at −4.7 mT from the third on, with 2 µT of noise.
  private static let rows: [String] = {
    var random = SeededGenerator(seed: 9)
    return (0..<300).map { row in
      let field = (row < 150 ? 0.3 : -4.7) + Double.random(in: -0.002...0.002, using: &random)
      return "\((Double(row) * 0.02).text(decimals: 2)),\(field.text(decimals: 4))"
    }
  }()

  private static func lodestone(_ header: String, _ arguments: [String]) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      let lines = (header.isEmpty ? [] : [header]) + rows
      try CommandRun.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/probe.csv")
      return try CommandRun.lodestone(
        arguments + ["--device", "\(folder)/probe.csv"], environment: ["XDG_DATA_HOME": folder])
    }
  }

  @Test(arguments: [
    ("Time (s),Magnetic Field (mT)", []), ("\"Latest: Time (s)\",\"Latest: Magnetic Field (mT)\"", []),
    ("time,B(mT)", []), ("t_s,probe_mT", []), ("", ["--columns", "t,probe"]),
    ("Time (s) Run #1,Field Strength (100% scale) (mT) Run #1", []), ("Zeit (s),Flussdichte B in mT", []),
    ("t,value", ["--columns", "t,probe"]),
  ])
  func theFieldAlongItIsRead(_ header: String, _ options: [String]) throws {
    let run = try Self.lodestone(
      header, ["teslameter", "--profile", "none", "--unit", "mT", "--format", "csv"] + options)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.errors.contains("along the probe"), "\(run.errors)")
    let last = try #require(MainJobTests.rows(run.text).last)
    for (name, value) in [("dx", -5.0), ("bx", -4.7), ("peak", 5)] {
      let number = try #require(last["\(name)_mT"].flatMap { Double($0) }, "\(last)")
      #expect(abs(number - value) < 0.01, "\(last)")
    }
    let absent = ["dy_mT", "dz_mT", "magnitude_mT", "by_mT", "bz_mT"]
    #expect(absent.allSatisfy { last[$0] == "" } && last["flags"] == "one-axis", "\(last)")
    // The gain of a Hall sensor is known to 5 %.
    let uncertainty = try #require(last["uncertainty_mT"].flatMap { Double($0) })
    #expect(uncertainty > 0.4 && uncertainty < 0.6, "\(last)")
  }

  @Test func everyFormatLeavesTheOtherAxesOut() throws {
    let arguments = ["teslameter", "--profile", "none", "--unit", "mT"]
    let header = "Time (s),Magnetic Field (mT)"
    let json = try Self.lodestone(header, arguments + ["--format", "json"]).text.split(separator: "\n").last ?? ""
    #expect(json.contains(#""dx_mT":-5.00"#) || json.contains(#""dx_mT":-4.99"#), "\(json)")
    for name in ["dy", "dz", "magnitude", "by", "bz"] { #expect(json.contains("\"\(name)_mT\":null"), "\(json)") }
    #expect(json.contains(#""flags":["one-axis"]"#), "\(json)")
    let text = try Self.lodestone(header, arguments).text.split(separator: "\n").last ?? ""
    #expect(text.hasPrefix("-5.0") && text.hasSuffix("   one-axis") && !text.contains(" y "), "\(text)")
  }

  /// A heading, a calibration and a level take more, and what measures magnitudes does, too.
  @Test(arguments: [["heading"], ["calibrate"], ["level"], ["attitude"], ["teslameter", "--ac"]])
  func whatTakesThreeAxesRefusesIt(_ command: [String]) throws {
    let run = try Self.lodestone("Time (s),Magnetic Field (mT)", command)
    #expect(run.exitCode == 65 && run.text.isEmpty, "\(run.errors)")
    #expect(run.errors.contains("the field along a probe of one axis, and this needs"), "\(run.errors)")
    #expect(run.errors.contains("lodestone teslameter or lodestone teslameter --turns can read it"), "\(run.errors)")
  }

  /// A mounting, and turns of the sensor, say something of axes that nobody knows.
  @Test(arguments: [["--mount", "-y,x,z"], ["--still-to", "2"]])
  func optionsOfThreeAxesAreRefused(_ options: [String]) throws {
    let run = try Self.lodestone("time,B(mT)", ["teslameter", "--profile", "none"] + options)
    #expect(run.exitCode == 65, "\(run.errors)")
    #expect(run.errors.contains("a probe of one axis, and \(options[0]) is for three"), "\(run.errors)")
  }

  /// The unit of a field is never guessed, and neither is a lone column that may be a strength.
  @Test(arguments: [
    ("t,value", ["--columns", "t,probe"]), ("time,B", []), ("time,Magnetic field (µT)", []), ("time,|B| (mT)", []),
    ("time_s,field_uT", []), ("time,Bz (mT)", []),
  ])
  func nothingIsGuessed(_ header: String, _ options: [String]) throws {
    let run = try Self.lodestone(header, ["teslameter", "--profile", "none"] + options)
    #expect(run.exitCode != 0 && run.text.isEmpty && run.errors.contains("t,probe"), "\(run.errors)")
  }

  /// The magnet of a wheel before one probe: all turns count, and which way they go is not told.
  @Test func itCountsTurns() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<2000).map { row in
        "\((Double(row) / 100).text(decimals: 2)),\((1.5 + 2 * cos(2 * Double.pi * 0.05 * Double(row))).text(decimals: 4))"
      }
      try CommandRun.write("time_s,B (mT)\n" + rows.joined(separator: "\n") + "\n", to: "\(folder)/wheel.csv")
      let run = try CommandRun.lodestone([
        "teslameter", "--turns", "--format", "csv", "--profile", "none", "--device", "\(folder)/wheel.csv",
      ])
      let last = try #require(MainJobTests.rows(run.text).last, "\(run.errors)")
      let turns = try #require(last["forward_turns"].flatMap { Double($0) })
      #expect(abs(turns - 100) <= 2 && last["direction"] == "" && last["flags"] == "one-axis", "\(last)")
    }
  }
}
