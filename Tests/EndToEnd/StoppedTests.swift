import Glibc
import Support
import Testing

/// A program that was stopped for a while, as Ctrl-Z and a shut lid stop it, and readers that come later.
@Suite(.waiting) struct StoppedTests {
  /// Lines that a board says while the program is stopped are read at once afterwards, with the times at which they
  /// were said: all were stamped with the moment of reading, up to minutes off. The board counts its lines in z, 50 a
  /// second.
  @Test func whatWaitedKeepsItsTimes() throws {
    let board = try PtyBoard(rate: 50) { Array("mx:20.5,my:\($0 % 7),mz:-\(40 + Double($0) / 1000)\n".utf8) }
    let program = try #require(
      ChildProgram("lodestone", arguments: ["record", "--device", board.path, "-q", "-o", "-"]))
    var times: [Double] = []
    func read(until end: Double) throws {
      while (times.last ?? 0) < end {
        let line = try #require(program.line())
        if let time = line.split(separator: ",").first.flatMap({ Double($0) }) { times.append(time) }
      }
    }
    try read(until: 3)
    kill(program.process, SIGSTOP)
    usleep(6_000_000)  // the length of the stop is what is measured
    kill(program.process, SIGCONT)
    try read(until: 10)
    #expect(program.end(by: SIGINT) == 130)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { $0 < 1 }, "\(steps.max() ?? 0)")
    #expect(times.filter { $0 > 4 && $0 < 8 }.count > 100)
  }

  /// Lines that had waited in a network or a buffer come in one burst: their times are spread over the pause, and that
  /// is said. All were stamped with the moment of the burst. The board counts its lines in z, 50 a second.
  @Test func whatWaitedOnItsWayKeepsItsTimes() throws {
    @Sendable func line(_ number: Int) -> String { "mx:20.5,my:\(number % 7),mz:-\(40 + Double(number) / 1000)\n" }
    let board = try PtyBoard(rate: 50) { number in
      guard number >= 150 else { return Array(line(number).utf8) }
      guard number == 150 else { return Array(line(number + 200).utf8) }
      usleep(4_000_000)  // the length of the pause is what is measured
      return Array((150..<350).map { line($0) }.joined().utf8)
    }
    let program = try #require(
      ChildProgram("lodestone", arguments: ["record", "--device", board.path, "-o", "-"], joinsErrors: true))
    var (times, isTold) = ([Double](), false)
    while (times.last ?? 0) < 8 {
      let line = try #require(program.line())
      isTold = isTold || line.contains("what came now had waited on its way for 4 s")
      if let time = line.split(separator: ",").first.flatMap({ Double($0) }) { times.append(time) }
    }
    #expect(program.end(by: SIGINT) == 130)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }
    #expect(isTold && steps.allSatisfy { $0 >= 0 && $0 < 1 }, "\(steps.max() ?? 0)")
    #expect(times.filter { $0 > 3.5 && $0 < 6.5 }.count > 100)
  }

  /// The second program to read a replay gets the title of the table, too.
  @Test(arguments: [[], ["--tcp", "0"]]) func whoComesLaterToAReplayGetsTheTitle(outlet: [String]) throws {
    try TemporaryFolder.with { folder in
      let recording = folder + "/turn.csv"
      let made = try CommandRun.lodestone(
        ["record", "--device", "sim:?rate=50&speed=max", "--count", "1500", "-o", recording])
      #expect(made.exitCode == 0)
      let player = try #require(ChildProgram("lodestone", arguments: ["replay", recording, "-q"] + outlet))
      let place = try #require(player.line())
      for _ in 0..<2 {
        let run = try CommandRun.lodestone(
          ["heading", "--device", place, "--profile", "none", "--format", "csv", "--count", "30", "--duration", "8"])
        #expect(run.exitCode == 0 && run.lines.count == 31, "\(run.errors)")
      }
      _ = player.end(by: SIGTERM)
    }
  }

  /// Sentences with right checksums are read, whatever another talker says between any two of them.
  @Test func sentencesAmongRubbishAreFound() throws {
    var state: UInt32 = 1
    var bytes: [UInt8] = []
    for number in 0..<200 {
      for _ in 0..<30 {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes.append(UInt8(truncatingIfNeeded: state >> 24) | 0x80)
      }
      bytes += [0x1B, 13, 10] + Array(NMEASentenceText.sentence("HCHDM,\(number).0,M").utf8)
    }
    try TemporaryFolder.with { folder in
      try CommandRun.write(bytes: bytes, to: folder + "/bus.log")
      let run = try CommandRun.lodestone(["heading", "--device", folder + "/bus.log", "--format", "csv"])
      #expect(run.exitCode == 0 && run.lines.count == 201, "\(run.errors)")
    }
  }

  /// A remedy for each thing that is wrong with a broker's certificate.
  @Test(arguments: [
    ("DNS:elsewhere.example", 30, true, "name the broker as its certificate does"),
    ("IP:127.0.0.1", 30, false, "in LODESTONE_MQTT_CA_FILE"),
  ])
  func certificatesHaveRemedies(name: String, days: Int, isTrusted: Bool, remedy: String) throws {
    try TemporaryFolder.with { folder in
      let made = try #require(
        ChildProgram(
          "/usr/bin/openssl",
          arguments: [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=broker", "-addext",
            "subjectAltName=\(name)", "-days", "\(days)", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
          ], joinsErrors: true))
      try #require(made.end(by: 0) == 0)
      let broker = try Broker(
        in: folder, ["allow_anonymous true", "certfile \(folder)/cert.pem", "keyfile \(folder)/key.pem"])
      let address = "mqtts://\(broker.endpoint)/boat"
      let variables = isTrusted ? ["LODESTONE_MQTT_CA_FILE": folder + "/cert.pem"] : [:]
      let reader = try CommandRun.lodestone(["heading", "--device", address], environment: variables)
      #expect(reader.exitCode == 74 && reader.errors.contains(remedy), "\(reader.errors)")
      let sender = try CommandRun.lodestone(
        ["heading", "--device", "sim:?motion=still", "--count", "100", "--publish", address, "-o", "/dev/null"],
        environment: variables)
      #expect(sender.errors.contains(remedy), "\(sender.errors)")
    }
  }

  /// A broker breaks off for a control character in a topic, each time again.
  @Test func aTopicWithControlCharactersIsRefused() throws {
    let address = "mqtt://127.0.0.1:1/boat\u{9B}"
    #expect(try CommandRun.lodestone(["heading", "--device", address]).exitCode == 64)
    #expect(try CommandRun.lodestone(["heading", "--device", "sim:", "--publish", address]).exitCode == 64)
  }
}
