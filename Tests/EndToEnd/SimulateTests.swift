import LodestoneCore
import Drivers
import Glibc
import LodestonePorts
import Support
import Testing

/// A value of a line of JSON by its key; nil where it is null or missing.
func value(_ key: String, in line: some StringProtocol) -> Double? {
  guard let start = line.range(of: "\"\(key)\":") else { return nil }
  return Double(line[start.upperBound...].prefix { $0 != "," && $0 != "}" })
}

extension StringProtocol {
  /// Where a text first occurs.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}

/// A port of this machine that nobody listens at.
func freePort() throws -> UInt16 { try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0)).endpoint.port }

@Suite(.waiting) struct SimulateTests {
  /// A board without faults: what its field says is what is true.
  private static let board =
    "sim:?motion=still&heading=123&hard=0&soft=0&misalignment=0&noise=0.01&accel-noise=0&sensor=7"

  /// Those that a listener can tell by themselves; the others are named in the address, as a user would.
  /// A track has no headings.
  private static let names = Protocols.all.map { $0.name }.filter { $0 != "gpx" }
  private static let asked = Protocols.all.filter { $0.onlyAnswers }.map { $0.name }

  /// A track tells places, and the breakout has none to tell.
  @Test func whatTheProtocolHasNoPlaceForIsTold() throws {
    let run = try CommandRun.lodestone(
      ["simulate", "--protocol", "gpx", "sim:", "--duration", "4"], shell: #""$@" | (read port; exec cat "$port")"#)
    #expect(run.errors.contains("nothing is sent: gpx has no place for what the device measures"), "\(run.errors)")
  }

  private func simulate(_ name: String, _ device: String = board, _ more: [String] = []) throws -> ChildProgram {
    try #require(
      ChildProgram("lodestone", arguments: ["simulate", "--protocol", name, "--device", device, "-q"] + more))
  }

  private func address(of name: String, at path: String) -> String {
    Protocols.named(name).map { $0.proof == .request || $0.onlyAnswers } == true
      ? "\(path)?protocol=\(name)" : path
  }

  private func headings(_ address: String, count: Int = 5) throws -> CommandRun {
    try CommandRun.lodestone([
      "heading", "--device", address, "--count", "\(count)", "--format", "json", "--profile", "none", "--duration",
      "20",
    ])
  }

  @Test(arguments: names)
  func everyProtocolIsFoundAndRead(_ name: String) throws {
    let board = try simulate(name)
    let path = try #require(board.line())
    #expect(path.hasPrefix("/dev/pts/"))
    // Twice, because a board outlives the program that reads it.
    for _ in 0..<2 {
      let result = try headings(address(of: name, at: path))
      #expect(result.exitCode == 0)
      #expect(result.lines.count == 5, "\(result.errors)")
      for line in result.lines {
        let magnetic = value("magnetic_heading_deg", in: line)
        let byTruth = value("true_heading_deg", in: line).map { $0 - 4 }
        let heading = try #require(magnetic ?? byTruth)
        // 0.2 µT a count, the coarsest of them, is 0.6° in a horizontal field of 20 µT. Declination is 4°.
        #expect(abs(heading - 123) < 0.6, "\(line)")
      }
    }
  }

  /// The same held askew: the sensors of each protocol must have the device's axes and signs.
  @Test(arguments: names)
  func everyProtocolHoldsTheAxes(_ name: String) throws {
    let board = try simulate(name, Self.board + "&pitch=20&roll=-30")
    let address = address(of: name, at: try #require(board.line()))
    // A recording holds what the sensors say and nothing that the board computed of it.
    let sensed = try TemporaryFolder.with { folder in
      let arguments = ["record", "--device", address, "--count", "5", "--duration", "3", "--quiet"]
      _ = try CommandRun.lodestone(arguments + ["--output", folder + "/raw.csv"])
      return try headings(folder + "/raw.csv").lines.map { String($0) }
    }
    for line in try sensed + headings(address).lines.map({ String($0) }) {
      guard let pitch = value("pitch_deg", in: line), let roll = value("roll_deg", in: line) else { continue }
      #expect(abs(pitch - 20) < 0.5, "\(line)")
      #expect(abs(roll + 30) < 0.5, "\(line)")
      if let magnetic = value("magnetic_heading_deg", in: line) { #expect(abs(magnetic - 123) < 1, "\(line)") }
    }
  }

  /// A silent board is asked who it is, where the user allows it, and never otherwise.
  @Test func aSilentBoardIsFoundByItsAnswer() throws {
    let board = try simulate("bno055")
    let path = try #require(board.line())
    let silent = try CommandRun.lodestone(["heading", "--device", path, "--duration", "3", "--profile", "none"])
    #expect(silent.lines.isEmpty)
    #expect(silent.errors.contains("nothing has arrived for 3 s (a board that speaks only when asked needs --probe)"))
    let result = try CommandRun.lodestone([
      "heading", "--device", path, "--probe", "--count", "5", "--format", "json", "--profile", "none", "--duration",
      "20",
    ])
    #expect(result.lines.count == 5, "\(result.errors)")
    #expect(result.errors.contains("found bno055 at 115200 baud: it was asked for"))
    for line in result.lines { #expect(abs((value("magnetic_heading_deg", in: line) ?? .nan) - 123) < 0.6) }
  }

  /// Boards that speak only when they are asked.
  @Test(arguments: asked)
  func requestsAreAnswered(_ name: String) throws {
    guard let type = Protocols.named(name), let request = type.request else {
      Issue.record("nothing to ask with")
      return
    }
    let board = try simulate(name)
    let port = try SerialPort(path: try #require(board.line()))
    var stream = WireStream(type.init())
    var buffer = [UInt8](repeating: 0, count: 4096)
    var poller = Poller()
    let deadline = MonotonicTime.now + 30
    while MonotonicTime.now < deadline {
      _ = request.withUnsafeBytes { port.write($0) }
      poller.watch(port.descriptor, for: .readable)
      try poller.wait(until: .now + 0.1)
      if case .bytes(let count) = buffer.withUnsafeMutableBytes({ port.read(into: $0) }) {
        stream.append(buffer.span.extracting(0..<count))
      }
      while let event = stream.next() {
        guard case .message(let message) = event else { continue }
        #expect(message.field != nil || message.own != nil)
        return
      }
    }
    Issue.record("no answer")
  }

  @Test func aLinkLeadsThereAndGoesWithIt() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/compass"
      #expect(symlink("/no/such/terminal", path) == 0)  // left by a run that was killed
      let board = try simulate("csv", Self.board, ["--link", path])
      #expect(board.line() == path)
      #expect(try headings(path, count: 2).lines.count == 2)
      #expect(board.end(by: SIGINT) == 130)
      var facts = stat()
      #expect(lstat(path, &facts) != 0)
    }
  }

  @Test func whatStandsThereIsNotReplaced() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/mine"
      try CommandRun.write("precious", to: path)
      let result = try CommandRun.lodestone(["simulate", "--link", path])
      #expect(result.exitCode != 0)
      #expect(result.errors.hasPrefix("Error: can't make the link \(path)"))
      #expect(try CommandRun.contents(of: path) == Array("precious".utf8))
    }
  }

  @Test func anUnknownProtocolIsNamed() throws {
    let result = try CommandRun.lodestone(["simulate", "--protocol", "morse"])
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("--protocol morse: there are "))
  }

  /// It ends by itself and says so with 0; what was sent before is read to its end.
  @Test func itEndsAfterSoManySamples() throws {
    let board = try simulate("csv", Self.board + "&rate=1000", ["--count", "200", "--tcp", "0"])
    let address = try #require(board.line())
    let result = try CommandRun.lodestone([
      "heading", "--device", address, "--no-reconnect", "--format", "json", "--profile", "none",
    ])
    #expect(result.exitCode == 0)
    #expect(result.lines.count == 200)
    #expect(board.end(by: 0) == 0)
  }
}
