import Support
import Testing

/// Help as a user meets it: what to type stands first, and every example can be typed.
@Suite(.waiting) struct HelpTests {
  /// The help of the commands, asked for once each.
  private struct Helps {
    private var texts: [[String]: String] = [:]

    mutating func text(of path: [String]) throws -> String {
      if let text = texts[path] { return text }
      let text = try CommandRun.lodestone(path + ["--help"]).text
      texts[path] = text
      return text
    }
  }

  /// The commands that the help of a command lists.
  private static func commands(of path: [String], _ helps: inout Helps) throws -> [String] {
    let lines = try helps.text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
    let listed = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
    return listed.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test func examplesComeFirstAndCanBeTyped() throws {
    var helps = Helps()
    let commands = try Self.commands(of: [], &helps)
    #expect(commands.count > 15)
    for command in commands {
      let help = try helps.text(of: [command])
      let overview = help.split(separator: "\n", omittingEmptySubsequences: false).prefix {
        !$0.hasPrefix("USAGE: lodestone \(command)")
      }
      let lines = overview.drop { $0 != "Examples:" }
      let examples = lines.dropFirst().prefix { !$0.isEmpty }
      #expect(examples.count >= 2 && lines.startIndex <= 5, "\(help)")
      for example in examples where example.hasPrefix("  lodestone ") { try Self.check(String(example), &helps) }
    }
  }

  /// Each option of a line is one that the command has.
  private static func check(_ example: String, _ helps: inout Helps) throws {
    // What it is for stands behind three blanks.
    let words = (example.dropFirst(2).split(separator: "   ").first ?? "").split(separator: " ").map(String.init)
    var path = [words[1]]
    if words.count > 2, try commands(of: path, &helps).contains(words[2]) { path.append(words[2]) }
    let help = try helps.text(of: path)
    for option in words where option.hasPrefix("--") { #expect(help.contains("\(option) "), "\(example)") }
    for option in words where option == "-o" { #expect(help.contains("-o, "), "\(example)") }
  }

  /// The formats, events and places that the help lists are those that the command takes.
  @Test(arguments: ["heading", "teslameter", "level", "motion", "attitude", "location", "record", "serve"])
  func listsWhatTheCommandTakes(command: String) throws {
    let help = try CommandRun.lodestone([command, "--help"]).text.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
    func list(_ option: String..., before: String) throws -> Substring {
      let refusal = try CommandRun.lodestone([command] + option + ["--device", "sim:"])
      #expect(refusal.exitCode == 64, "\(refusal.errors)")
      let sentence = refusal.errors.split(separator: "\n").first ?? ""
      let list = try #require(sentence.firstRange(of: before).map { sentence[$0.upperBound...] }, "\(sentence)")
      #expect(help.contains(" \(list). "), "\(sentence)")
      return list
    }
    let formats = try list("--format", "somersault", before: ": there are ")
    let places = try list("--publish", "somersault:", before: ": must be ")
    if !["record", "serve"].contains(command) { _ = try list("--on", "somersault", "true", before: ": there are ") }
    if command == "level" { #expect(formats == "text, json, csv and influx" && !places.contains("can:")) }
  }

  /// `--unit` is what fields are shown in, everywhere; what comes in has `--field-unit`.
  @Test func unitsAreOfWhatIsShown() throws {
    func first(_ arguments: String..., environment: [String: String] = [:]) throws -> CommandRun {
      try CommandRun.lodestone(
        arguments + ["--device", "sim:?motion=still&speed=max", "--count", "1"], environment: environment)
    }
    let plain = try first("heading", "--format", "csv")
    let nano = try first("heading", "--format", "csv", "--unit", "nT")
    let value = { (run: CommandRun, column: String) in
      try #require(MainJobTests.rows(run.text).first?[column].flatMap(Double.init))
    }
    #expect(try abs(value(nano, "field_nT") - 1000 * value(plain, "field_uT")) < 1)
    #expect(try value(nano, "magnetic_heading_deg") == value(plain, "magnetic_heading_deg"))
    #expect(try first("heading", "--unit", "mT").text.contains(" 0.0"), "in words")
    #expect(try first("heading", "--unit", "mT").text.contains(" mT "))
    #expect(try first("heading", "--format", "json", environment: ["LODESTONE_UNIT": "nT"]).text.contains("\"bx_nT\""))
    #expect(try first("attitude", "--format", "csv", "--unit", "G").text.contains(",bx_G,by_G,bz_G,"))
    let record = try first("record", "--unit", "nT")
    #expect(
      record.exitCode == 64 && record.errors.contains("--field-unit says what the device sends"), "\(record.errors)")
  }

  /// The unit that a user likes to see is not taken for that of a table.
  @Test func theUnitShownIsNoUnitOfColumns() throws {
    try TemporaryFolder.with { folder in
      let rows = (0..<300).map { "\($0)0 \($0 % 3 + 20000) \($0 % 5) \(-43000 - $0 % 7)\n" }.joined()
      try CommandRun.write(rows, to: folder + "/table.txt")
      func magnitude(_ more: String..., environment: [String: String] = [:]) throws -> Double? {
        let run = try CommandRun.lodestone(
          [
            "teslameter", folder + "/table.txt", "--columns", "t_ms,mx,my,mz", "--format", "csv",
            "--zero-seconds", "1",
          ]
            + more,
          environment: environment)
        let row = MainJobTests.rows(run.text).last
        return row?.first { $0.key.hasPrefix("bz_") }.flatMap { Double($0.value) }
      }
      #expect(try abs((magnitude("--unit", "nT") ?? 0) + 43_000) < 10)
      // Nanotesla, found by their size, shown in millitesla.
      #expect(try abs((magnitude(environment: ["LODESTONE_UNIT": "mT"]) ?? 0) + 0.043) < 0.001)
      #expect(try abs((magnitude("--field-unit", "nT", "--unit", "uT") ?? 0) + 43) < 0.01)
    }
  }
}
