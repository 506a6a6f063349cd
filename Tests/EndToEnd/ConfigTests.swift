import Support
import Testing

/// What a user sets once holds for every command: options beat variables, variables beat the file.
@Suite struct ConfigTests {
  private static let board = "sim:?motion=still&heading=100&noise=0&accel-noise=0&speed=max"

  /// Runs a command with a configuration file.
  private static func run(
    _ arguments: [String], file: String? = nil, variables: [String: String] = [:]
  ) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      if let file {
        _ = try CommandRun.lodestone(["--version"], shell: "mkdir -p '\(folder)/lodestone'")
        try CommandRun.write(file, to: "\(folder)/lodestone/config.toml")
      }
      let environment = variables.merging(["XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder]) { given, _ in given }
      return try CommandRun.lodestone(arguments, environment: environment)
    }
  }

  @Test func theExampleCanBeRead() throws {
    let example = try Self.run(["config", "--example"])
    #expect(example.exitCode == 0 && example.errors == "")
    let untouched = try Self.run(["config"], file: example.text)
    #expect(untouched.exitCode == 0 && untouched.text.contains("not set: the place"), "\(untouched.errors)")
    // With every line in force.
    let lines = example.text.split(separator: "\n").map { line in
      line.hasPrefix("# ") && line.contains(" = ") ? line.dropFirst(2) : line
    }
    let all = try Self.run(["config", "--json"], file: lines.joined(separator: "\n") + "\n")
    #expect(all.exitCode == 0 && !all.text.contains("null"), "\(all.text) \(all.errors)")
    #expect(all.text.contains("48.2,16.37,200") && all.text.contains("usb:serial=00D2A5E1"))
  }

  @Test func optionsBeatVariablesAndVariablesTheFile() throws {
    let file = "at = [48.2, 16.37]\ntalker = \"II\"\nunit = \"nT\"\n[devices]\nboat = \"\(Self.board)\"\n"
    let place = ["LODESTONE_AT": "-33.9,151.2"]
    let shown = try Self.run(["config", "--json"], file: file, variables: place)
    #expect(shown.text.contains(#""value": "-33.9,151.2""#) && shown.text.contains(#""from": "LODESTONE_AT""#))
    #expect(shown.text.contains("/lodestone/config.toml"))

    func sentence(_ more: [String], _ variables: [String: String] = [:]) throws -> String {
      let run = try Self.run(
        ["heading", "--device", "boat", "--date", "2026.9", "--count", "1", "--format", "nmea"] + more, file: file,
        variables: variables)
      #expect(run.exitCode == 0, "\(run.errors)")
      return String(run.text.split(whereSeparator: \.isNewline).first ?? "")
    }
    // WMM2025: 5.4° east in Vienna, 12.8° east in Sydney.
    #expect(try sentence([]).hasPrefix("$IIHDG,100.0,,,5.4,E"))
    #expect(try sentence([], place).hasPrefix("$IIHDG,100.0,,,12.8,E"))
    #expect(try sentence(["--at", "48.2,16.37", "--talker", "HC"], place).hasPrefix("$HCHDG,100.0,,,5.4,E"))

    let field = try Self.run(
      ["teslameter", "--count", "1", "--format", "csv"], file: file, variables: ["LODESTONE_DEVICE": "boat"])
    #expect(field.text.hasPrefix("time_s,dx_nT,"), "\(field.errors)")
    let own = try Self.run(
      ["teslameter", "--device", "boat?seed=2", "--count", "1", "--format", "csv", "--unit", "mT"], file: file)
    #expect(own.text.hasPrefix("time_s,dx_mT,"), "\(own.errors)")
  }

  @Test(arguments: [
    ("at = [91, 0]", "at: '91,0' is not a place"),
    ("at = 48", "at must be an array of numbers or a string"),
    ("at = [48.2, \"16\"]", "Hint: as in at = [48.2, 16.37, 200]"),
    ("at = \"Vienna\"", "Hint: as in at = [48.2, 16.37, 200]"),
    ("devices = \"x\"", "devices must be a table of names and addresses"), ("unit = 1", "unit must be a string"),
    ("colour = \"red\"", "no setting 'colour'"),
    ("at = [48.2,\ntalker", "line 2"), ("talker = \"hc\"", "talker: 'hc' is not a talker"),
    ("[devices]\nboat = 1", "boat"),
    ("broker = \"http://x\"", "broker: 'http://x' is not an MQTT broker"), ("\u{0}\u{1B}]0;x", "line 1"),
    ("[", "line 1: a table without a name"), ("talker = \"HC\"\r\n [[\r", "line 2: a table without a name"),
    ("[[[devices]]]", "line 1: a table without a name"), ("[\t# devices", "line 1: a table without a name"),
    ("[\u{1B}devices]", "line 1: a table without a name"),
  ])
  func aFileThatCannotBeReadIsSaid(file: String, words: String) throws {
    for arguments in [["config"], ["heading", "--device", "sim:", "--count", "1"]] {
      let run = try Self.run(arguments, file: file + "\n")
      #expect(run.exitCode == 64 || run.exitCode == 65)
      #expect(run.text == "" && run.errors.contains(words), "\(run.errors)")
      #expect(!run.errors.contains("\u{1B}"))
    }
  }

  /// Names in quotes, and blanks around them.
  @Test(arguments: ["[devices]", " [ devices ]", "[\"devices\"]", "['devices']"])
  func aTableHasAName(header: String) throws {
    let run = try Self.run(["heading", "boat", "--count", "1"], file: "\(header)\nboat = \"sim:?speed=max\"\n")
    #expect(run.exitCode == 0 && run.text.contains("magnetic"), "\(run.errors)")
  }

  /// The remedy for a variable is one that works.
  @Test func aVariableThatCannotBeReadIsSaid() throws {
    let run = try Self.run(["config"], variables: ["LODESTONE_AT": "[48.2, 16.37, 200]"])
    #expect(run.exitCode == 64 && run.errors.contains("Hint: as in LODESTONE_AT=48.2,16.37,200"), "\(run.errors)")
    #expect(try Self.run(["config"], variables: ["LODESTONE_AT": "48.2,16.37,200"]).exitCode == 0)
    let talker = try Self.run(["config"], variables: ["LODESTONE_TALKER": "hc"])
    #expect(talker.errors.contains("Hint: as in LODESTONE_TALKER=HC"), "\(talker.errors)")
  }

  /// The declination is that of the place that is set, where none is given.
  @Test func theDeclinationIsOfThePlaceThatIsSet() throws {
    let arguments = ["declination", "--date", "2026.7", "--format", "json"]
    let given = try Self.run(arguments + ["--at", "48.2,16.37,200"])
    #expect(given.exitCode == 0 && given.text.contains("\"latitude_deg\":48.2"))
    #expect(try Self.run(arguments, file: "at = [48.2, 16.37, 200]\n").text == given.text)
    let variable = ["LODESTONE_AT": "48.2,16.37,200"]
    #expect(try Self.run(arguments, file: "at = [1, 2]\n", variables: variable).text == given.text)
    #expect(
      try Self.run(arguments + ["--at", "48.2,16.37,200"], variables: ["LODESTONE_AT": "1,2"]).text == given.text)
    let nowhere = try Self.run(arguments + ["-o", "/dev/null"], variables: variable)
    #expect(nowhere.exitCode == 0 && nowhere.text == "", "\(nowhere.errors)")
  }

  /// Whatever a device sends, so many lines a second come: those nearest to an even rhythm.
  @Test(arguments: [(["--rate", "5"], 0.2), (["--every", "0.05"], 0.05), (["--every", "2"], 2.0)])
  func everyStreamIsThinned(rate: [String], step: Double) throws {
    for arguments in [["heading", "--format", "csv"], ["record"], ["record", "--format", "csv"]] {
      let run = try Self.run(
        arguments + rate + ["--quiet", PackageFolder.root + "Calibration/examples/figure-eight.csv"])
      let times = run.text.split(separator: "\n").filter { $0.first?.isNumber == true }.compactMap { line in
        Double(line.prefix { $0 != "," })
      }
      #expect(times.count > 10, "\(run.errors)")
      // The recording has 50 samples a second.
      for (index, time) in times.enumerated() {
        #expect(abs(time - (times.first ?? 0) - Double(index) * step) <= 0.0101, "\(arguments) \(time)")
      }
    }
  }

  /// A sensor can be slower than another: what it measures is there at its turn alone, and an instrument that turns
  /// with the fast one tells as often as that.
  @Test(arguments: [
    ("field=20,rotation=100", 5, 1), ("rotation=25,field=100", 1, 4), ("field=25,acceleration=50", 2, 1),
  ])
  func sensorsHaveRatesOfTheirOwn(rate: String, field: Int, motion: Int) throws {
    let run = try Self.run(["record", "sim:?speed=max", "--rate", rate, "--count", "100", "--format", "csv", "--quiet"])
    let rows = MainJobTests.rows(run.text)
    #expect(rows.count == 100, "\(run.errors)")
    for (number, row) in rows.enumerated() {
      #expect(
        (row["mx_uT"] != "") == (number % field == 0) && (row["gx_dps"] != "") == (number % motion == 0), "\(row)")
    }
    let attitude = try Self.run(["attitude", "sim:?speed=max", "--rate", rate, "--count", "100", "--format", "csv"])
    let times = MainJobTests.rows(attitude.text).compactMap { $0["time_s"].flatMap(Double.init) }
    let step = zip(times.dropFirst(40), times.dropFirst(41)).map { $1 - $0 }.max() ?? 1
    #expect(times.count == 100 && step < 1.5 * Double(motion) / Double(rate.contains("100") ? 100 : 50), "\(times)")
  }

  @Test func eventsAreNotThinnedOut() throws {
    try TemporaryFolder.with { folder in
      let shaken = folder + "/shaken.csv"
      _ = try Self.run(["record", "sim:?motion=shake&speed=max", "--duration", "20", "--quiet", "--output", shaken])
      func events(_ more: [String]) throws -> [String] {
        let rows = MainJobTests.rows(try Self.run(["motion", shaken, "--format", "csv", "--quiet"] + more).text)
        return rows.compactMap { $0["event"] }.filter { !$0.isEmpty }
      }
      let all = try events([])
      #expect(!all.isEmpty)
      #expect(try events(["--rate", "1"]) == all)
    }
  }

  /// A calibration is found by the name of its device, as a file by its path.
  @Test func aProfileHasAName() throws {
    try TemporaryFolder.with { folder in
      let environment = ["XDG_DATA_HOME": folder]
      let board = "sim:?speed=max&seed=5&calibrated=no"
      let made = try CommandRun.lodestone(["calibrate", board, "--quiet"], environment: environment)
      #expect(made.exitCode == 0, "\(made.errors)")
      let listed = try CommandRun.lodestone(["profiles", "list", "--json"], environment: environment)
      let device = try #require(listed.text.split(separator: "\"").drop { $0 != "device" }.dropFirst(2).first)
      for name in [String(device), device + "@1"] {
        let run = try CommandRun.lodestone(
          ["heading", "sim:?speed=max&seed=6&calibrated=no", "--profile", name, "--count", "3", "--format", "csv"],
          environment: environment)
        #expect(run.exitCode == 0 && !run.text.contains("uncalibrated"), "\(run.errors)")
      }
      let none = try CommandRun.lodestone(
        ["heading", board, "--profile", "elsewhere", "--count", "1"], environment: environment)
      #expect(none.exitCode == 66, "\(none.errors)")
    }
  }

  @Test func aTopicGoesToTheBroker() throws {
    let none = try Self.run(["heading", "--device", "mqtt:boat"])
    #expect(none.exitCode == 64 && none.errors.contains("no broker is set"))
    let broker = ["LODESTONE_BROKER": "mqtt://127.0.0.1:1"]
    let run = try Self.run(
      ["heading", "--device", Self.board, "--count", "1", "--publish", "mqtt:boat"], variables: broker)
    #expect(run.exitCode == 0 && run.errors.contains("mqtt://127.0.0.1:1/boat"), "\(run.errors)")
  }
}
