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
}
