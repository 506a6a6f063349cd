import Glibc
import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct PublishTests {
  private static let board =
    "sim:?motion=still&heading=100&hard=0&soft=0&misalignment=0&noise=0&accel-noise=0&rate=20"
  private static let hasGPSD = access("/usr/sbin/gpsd", X_OK) == 0 && access("/usr/bin/gpspipe", X_OK) == 0

  /// Waits in a shell until somebody listens at a port, and cleans up after itself.
  private static let prelude = """
    listens() { until (exec 3<>/dev/tcp/127.0.0.1/$1) 2>/dev/null; do kill -0 $2 || exit 99; done; }
    trap 'kill $(jobs -p) 2>/dev/null' EXIT

    """

  private func bash(_ script: String, _ arguments: [String]) throws -> CommandRun {
    try TemporaryFolder.with { folder in
      try CommandRun.write(Self.prelude + script, to: folder + "/script")
      return try CommandRun.lodestone(arguments, shell: "exec bash \(folder)/script \"$@\"")
    }
  }

  @Test(.enabled(if: hasGPSD)) func gpsdReadsOurSentences() throws {
    let (ours, theirs) = (try freePort(), try freePort())
    let run = try bash(
      """
      "$@" >/dev/null & listens \(ours) $!
      /usr/sbin/gpsd -N -n -S \(theirs) tcp://127.0.0.1:\(ours) 2>/dev/null & listens \(theirs) $!
      gpspipe -w -n 12 127.0.0.1:\(theirs)
      """,
      [
        "heading", "--device", Self.board, "--publish", "tcp://127.0.0.1:\(ours)", "--at", "48.2,16.37", "--date",
        "2026.9",
      ])
    let attitudes = run.text.split { $0.isNewline }.filter { $0.contains("\"class\":\"ATT\"") }
    #expect(attitudes.count >= 3, "\(run.text) \(run.errors)")
    // WMM2025 gives 5.4° east there and then.
    for line in attitudes { #expect(value("heading", in: line).map { abs($0 - 105.4) < 0.11 } == true, "\(line)") }
  }

  @Test(.enabled(if: hasGPSD)) func weReadWhatGPSDReads() throws {
    let (ours, theirs) = (try freePort(), try freePort())
    let run = try bash(
      """
      "$@" --publish tcp://127.0.0.1:\(ours) >/dev/null & listens \(ours) $!
      /usr/sbin/gpsd -N -n -S \(theirs) tcp://127.0.0.1:\(ours) 2>/dev/null & listens \(theirs) $!
      "$1" heading --device gpsd://127.0.0.1:\(theirs) --count 5 --format json
      """, ["heading", "--device", Self.board, "--at", "48.2,16.37", "--date", "2026.9"])
    #expect(run.text.split(separator: "\n").count == 5, "\(run.errors)")
    for line in run.text.split(separator: "\n") {
      #expect(value("true_heading_deg", in: line).map { abs($0 - 105.4) < 0.11 } == true, "\(line)")
    }
  }

  /// 100° is 1.745329 rad.
  @Test func datagramsOfSignalKAreInRadians() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let arguments = ["heading", "--device", Self.board, "--format", "signalk", "-q", "--profile", "none"]
    let program = try #require(
      ChildProgram("lodestone", arguments: arguments + ["--publish", "udp://\(listener.endpoint)"]))
    let text = try #require(try datagram(from: listener))
    let path = "{\"path\":\"navigation.headingMagnetic\",\"value\":"
    let heading = try #require(text.firstRange(of: path))
    #expect(abs(try #require(Double(text[heading.upperBound...].prefix { $0 != "}" })) - 1.745329) < 2e-6)
    #expect(text.hasSuffix("]}]}\n"))
    #expect(program.end(by: SIGINT) == 130)
  }

  /// People read text; programs are given sentences.
  @Test func besidesTextNMEAIsPublished() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "heading", "--device", Self.board, "-q", "--talker", "II", "--publish", "udp://\(listener.endpoint)",
        ]))
    #expect(try #require(try datagram(from: listener)).hasPrefix("$IIHDG,100.0,,,,*48\r\n$IIHDM,100.0,M*23\r\n"))
    #expect(program.line()?.contains("100.0°") == true)
  }

  /// Every instrument publishes, in any format that makes sense for it.
  @Test func fieldsArePublishedToo() throws {
    let listener = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let program = try #require(
      ChildProgram(
        "lodestone",
        arguments: [
          "teslameter", "--device", Self.board, "-q", "--zero-seconds", "0.5", "--profile", "none", "--format",
          "influx",
          "--publish", "udp://\(listener.endpoint)",
        ]))
    let point = try #require(try datagram(from: listener))
    #expect(point.hasPrefix("field,device=sim"))
    #expect(point.contains(" dx_uT=") && point.contains(",magnitude_uT="))
    #expect(program.end(by: SIGINT) == 130)
  }

  @Test func aFormatThatMakesNoSenseIsRefusedWithThoseThatDo() throws {
    let result = try CommandRun.lodestone(["teslameter", "--device", "sim:", "--format", "nmea"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--format nmea: there are text, json, csv, influx and iaga2002"))
    #expect(result.errors.contains("see lodestone teslameter --help"))
  }

  private func datagram(from listener: UDPListener) throws -> String? {
    var poller = Poller()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    poller.watch(listener.descriptor, for: .readable)
    try poller.wait(until: .now + 30)
    guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ listener.read(into: $0) }) else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  @Test func aTakenPortIsNamed() throws {
    let taken = try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let result = try CommandRun.lodestone(["heading", "--device", "sim:", "--publish", "tcp://\(taken.endpoint)"])
    #expect(result.exitCode == 75)
    #expect(result.errors.contains("can't listen at tcp://\(taken.endpoint): another program has the port"))
  }

  @Test(arguments: ["tcp:10110", "udp://:10110", "udp://host", "http://host:80", "tcp://host:x"])
  func whatIsNoPlaceIsRefused(_ address: String) throws {
    let result = try CommandRun.lodestone(["heading", "--device", "sim:", "--publish", address])
    #expect(result.exitCode == 64)
  }

  /// No machine has this interface, and many have no CAN at all: either is said with a remedy.
  @Test func aCANInterfaceThatIsNotThereIsNamed() throws {
    let result = try CommandRun.lodestone(["heading", "--device", "sim:", "--publish", "can:lodestone0"])
    #expect(result.exitCode == 66)
    #expect(result.errors.hasPrefix("Error: can't use can:lodestone0: ") && result.errors.contains("\nHint: "))
  }

  // MARK: The place

  /// Vienna and, after it, a place in Brazil where the needle points far to the west.
  private static let track =
    "$GPRMC,120000.00,A,4812.000,N,01622.200,E,0.0,0.0,211126,,,A*50\r\n"
    + "$GPRMC,120100.00,A,0800.000,S,03500.000,W,0.0,0.0,211126,,,A*5A\r\n"

  @Test func theDeclinationFollowsTheDevice() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/track.nmea"
      try CommandRun.write(Self.track, to: path)
      let result = try CommandRun.lodestone([
        "heading", "--device", Self.board, "--location", "nmea:\(path)", "--count", "40", "--format", "json",
        "--profile",
        "none", "--date", "2026.9",
      ])
      #expect(result.errors.contains("position received: declination +5.4°"), "\(result.errors)")
      let expected = try CommandRun.lodestone(["declination", "--at", "-8,-35", "--date", "2026.9", "--format", "json"])
        .text
      let declination = try #require(value("declination_deg", in: expected))
      #expect(declination < -20)
      let last = try #require(result.lines.last)
      let (magnetic, truth) = (value("magnetic_heading_deg", in: last), value("true_heading_deg", in: last))
      #expect(abs(try #require(truth) - #require(magnetic) - declination) < 0.02, "\(last)")
    }
  }

  /// Positions in the device's own stream count too, unless the place was given.
  @Test func positionsComeAlongWithHeadings() throws {
    let input = "$HCHDM,101.1,M*28\r\n" + Self.track.prefix(65) + "$HCHDM,101.1,M*28\r\n"
    let arguments = ["heading", "--device", "-", "--format", "json", "--date", "2026.9"]
    let result = try CommandRun.lodestone(arguments, input: input)
    #expect(result.lines.count == 2)
    #expect(value("true_heading_deg", in: try #require(result.lines.first)) == nil)
    #expect(value("true_heading_deg", in: try #require(result.lines.last)).map { abs($0 - 106.5) < 0.1 } == true)
    let fixed = try CommandRun.lodestone(arguments + ["--at", "-8,-35"], input: input)
    #expect(value("true_heading_deg", in: try #require(fixed.lines.last)).map { $0 < 81 } == true)
  }

  @Test(arguments: [("gpsd://127.0.0.1:1", 66), ("nmea:/no/such/file", 66), ("48,16", 64), ("nmea:", 64)])
  func aPlaceThatCannotBeFollowedIsNamed(_ location: String, _ code: Int32) throws {
    let result = try CommandRun.lodestone(["heading", "--device", "sim:", "--duration", "5", "--location", location])
    #expect(result.exitCode == code)
    #expect(result.errors.contains("Error: "))
  }
}
