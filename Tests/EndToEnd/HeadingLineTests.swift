import Support
import Testing

/// The compass in one line of a terminal shows what would be the lines of a file: thinned by the rate, let through by
/// the filter, counted, and whole to the last.
@Suite(.waiting) struct HeadingLineTests {
  /// The states of the line until the command ends.
  private func states(_ arguments: [String]) throws -> [Substring] {
    let terminal = try TestTerminal()
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", "sim:?rate=50", "-q"] + arguments, terminal: terminal.path))
    #expect(program.exitCode() == 0)
    return terminal.drawn().split { $0.isNewline }.filter { $0.contains("° magnetic") }
  }

  @Test func aSingleReadingIsShown() throws {
    #expect(try states(["--count", "1"]).count == 1)
  }

  /// Half a circle is farther than the simulation moves: the first reading alone is worth a line.
  @Test func aFilterKeepsTheLineAsItIs() throws {
    #expect(try Set(states(["--duration", "1", "--filter", "170"])).count == 1)
    #expect(try Set(states(["--duration", "1"])).count > 1)
  }

  @Test func theRateThinsWhatIsPublishedAndCounted() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/out.nmea"
      let publishing = ["--rate", "5", "--publish", "file:" + path]
      #expect(try !states(publishing + ["--count", "6"]).isEmpty)
      func headings() throws -> Int {
        String(decoding: try CommandRun.contents(of: path), as: UTF8.self).split { $0.isNewline }
          .count { $0.contains("HDM,") }
      }
      let ofSix = try headings()
      #expect(try !states(publishing + ["--duration", "1"]).isEmpty)
      // Fifty readings without the rate.
      let ofSecond = try headings()
      #expect(ofSix == 6 && (1...6).contains(ofSecond), "\(ofSix) \(ofSecond)")
    }
  }

  /// A sentence does not stand behind the heading.
  @Test func aNoticeTakesTheLinesPlace() throws {
    let terminal = try TestTerminal()
    let program = try #require(
      ChildProgram(
        "lodestone", arguments: ["heading", "--device", "sim:?rate=50&temperature=45", "--duration", "4"],
        joinsErrors: true, terminal: terminal.path))
    #expect(program.exitCode() == 0)
    let drawn = terminal.drawn()
    #expect(drawn.contains("\r\u{1B}[Klodestone: the chip has 45 °C"), "\(drawn)")
  }
}
