import Glibc
import Support
import Testing

/// Started in a bad state, fed with what nobody can read, or told to end at a bad moment.
@Suite(.waiting) struct HostileStartTests {
  /// A device that gets the number of a closed standard output must not be written the output.
  @Test func closedDescriptorsDoNotBecomeTheDevice() throws {
    let board = try PtyBoard(
      rate: 100, lines: ["Raw:0,0,8192,0,0,0,200,0,-430\r\n", "Raw:0,0,8192,0,0,0,201,1,-431\r\n"])
    let run = try CommandRun.lodestone(
      ["heading", "--device", board.path, "--count", "50", "--format", "csv", "--profile", "none"],
      shell: #"exec "$@" >&-"#)
    #expect(run.exitCode == 74, "\(run.errors)")
    #expect(board.heard.isEmpty)
  }

  @Test func withoutAnyDescriptorNothingHangs() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT\n0,20,0,-43\n0.1,21,0,-43\n", to: "\(folder)/sweep.csv")
      let run = try CommandRun.lodestone(
        ["calibrate", "--device", "\(folder)/sweep.csv"], shell: #"exec "$@" <&- >&- 2>&-"#)
      #expect(run.exitCode == 65)
    }
  }

  /// A recording without end and without sense, as a sparse file is: a signal ends its reading at once.
  @Test(arguments: [SIGINT, SIGTERM, SIGQUIT])
  func signalsEndAScan(signal: Int32) throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/sparse.csv"
      try CommandRun.write("", to: path)
      try #require(truncate(path, 40 << 30) == 0)
      let program = try #require(
        ChildProgram("lodestone", arguments: ["heading", "--device", path, "--format", "csv"], joinsErrors: true))
      #expect(eventually { program.hasRead(1 << 20, of: path) })
      #expect(program.end(by: signal) == 130)
    }
  }

  /// Bytes as a wrong baud rate makes them: `!` and `$` among them are no sentences.
  private static let noise: [UInt8] = {
    var state: UInt64 = 7
    return (0..<20_000).map { index in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return index % 23 == 0
        ? UInt8(ascii: "!") : index % 61 == 60 ? 0x0A : UInt8(truncatingIfNeeded: state >> 40) | 0x80
    }
  }()

  @Test func noiseIsNoNMEA() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: Self.noise, to: "\(folder)/noise.log")
      let run = try CommandRun.lodestone(
        ["heading", "--device", "file:\(folder)/noise.log?protocol=nmea", "--format", "csv", "--profile", "none"])
      #expect(run.exitCode == 65)
      #expect(run.errors.contains("holds no message of nmea"), "\(run.errors)")
    }
  }

  @Test func noiseOnAPortIsToldWhereNMEAWasAskedFor() throws {
    let lines: [[UInt8]] = [Array("!\u{7F}!;!\u{1}!\n".utf8), [0x21, 0x80, 0x21, 0x5C, 0x21, 0x3B, 0x0A]]
    let board = try PtyBoard(rate: 100) { lines[$0 % 2] }
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: ["heading", "--device", "serial:\(board.path)?protocol=nmea&baud=4800", "--format", "csv"],
        joinsErrors: true))
    var told = false
    while !told, let words = program.line() { told = words.contains("no message of nmea is in what arrives") }
    #expect(told)
    #expect(program.end(by: SIGINT) == 130)
  }

  @Test func noiseOnAPipeIsTold() throws {
    try TemporaryFolder.with { folder in
      let told = "\(folder)/told"
      let run = try CommandRun.lodestone(
        ["heading", "--device", "-", "--format", "csv", "--profile", "none"],
        shell: """
          until grep -qs 'in what arrives' \(told); do printf '!;!garbage!\\n'; sleep 0.2; done | "$@" 2> \(told)
          """)
      #expect(run.exitCode == 65)
      let words = String(decoding: try CommandRun.contents(of: told), as: UTF8.self)
      #expect(words.contains("in what arrives"), "\(words)")
    }
  }
}
