import Support
import Testing

/// The README says what the command says.
@Suite struct ReadmeTests {
  /// The tables between their marks are those of the registries; .ci/readme fills them.
  @Test func tablesAreThoseOfTheRegistries() throws {
    let readme = try PackageFolder.text(of: "README.md")
    let run = try CommandRun.lodestone(["supported"])
    #expect(run.exitCode == 0 && run.text.contains("QMC5883L"), "\(run.errors)")
    for table in run.text.split(separator: "<!-- end -->\n") {
      #expect(readme.contains(table), "the README lacks \(table.prefix { $0 != "\n" }): run .ci/readme")
    }
  }

  /// Each command line in a block can be parsed: its command and its options are there.
  @Test func commandLinesCanBeTyped() throws {
    let readme = try PackageFolder.text(of: "README.md")
    let lines = readme.split(separator: "\n").filter { $0.hasPrefix("lodestone ") }
    #expect(lines.count > 15)
    var helps: [String: String] = [:]
    for line in lines {
      let words = line.prefix { $0 != "#" }.split(separator: " ").map { String($0) }
      let help = try helps[words[1]] ?? CommandRun.lodestone([words[1], "--help"]).text
      helps[words[1]] = help
      #expect(help.contains("USAGE: lodestone \(words[1])"), "\(line)")
      for option in words where option.hasPrefix("--") { #expect(help.contains("\(option) "), "\(line)") }
    }
  }

  /// The package's service is a command that can be typed, for readers of this machine, and begins when its board
  /// comes.
  @Test func theServiceIsOfItsBoard() throws {
    let unit = try PackageFolder.text(of: ".ci/debian/lodestone@.service").split(separator: "\n")
    let values = { (key: String) in
      unit.filter { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }
    #expect(values("WantedBy") == ["dev-%i.device"] && values("WantedBy") == values("BindsTo"))
    #expect(values("SuccessExitStatus") == ["130"], "a stop is no failure")
    let words = try #require(values("ExecStart").first).split(separator: " ").map { String($0) }
    let help = try CommandRun.lodestone([words[1], "--help"]).text
    #expect(words[0] == "/usr/bin/lodestone" && words.last == "$LODESTONE_ARGUMENTS" && !words.contains("--quiet"))
    for option in words where option.hasPrefix("--") { #expect(help.contains("\(option) "), "\(option)") }
    #expect(["ttyACM", "ttyUSB", "ttyAMA", "ttyS"].allSatisfy { values("DeviceAllow").contains("char-\($0) rw") })
    #expect(words.contains("${LODESTONE_PUBLISH}") && values("Environment").contains("LODESTONE_PUBLISH=tcp://:10110"))
    #expect(values("EnvironmentFile").last == "-/etc/default/lodestone-%i", "what is told of one board comes last")
    #expect(values("User") == ["lodestone"], "services of two boards write to one folder")
    #expect(values("SystemCallFilter").last == "@chown", "the second start writes the found rate again")
    #expect(values("SystemCallErrorNumber") == ["EPERM"])
  }
}
