import Glibc
import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct ReplayTests {
  private static let board = "sim:?motion=spin&hard=0&soft=0&misalignment=0&noise=0&accel-noise=0&wobble=0&rate=200"

  /// Everything that a server sends until it closes the connection, after a rest of so many seconds.
  private func everything(from address: String, restingFor rest: Double = 0) throws -> [UInt8] {
    let endpoint = try #require(NetworkEndpoint(address: String(address.dropFirst(4))))
    let client = try TCPClient(to: endpoint)
    var poller = Poller()
    while !client.isConnected {
      poller.watch(client.descriptor, for: client.interest)
      try poller.wait(until: .now + 30)
      _ = try client.advance()
    }
    usleep(UInt32(rest * 1e6))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 1 << 26 {
      poller.watch(client.descriptor, for: client.interest)
      guard try poller.wait(until: .now + 60) > 0 else { break }
      guard try client.advance() else { continue }
      switch buffer.withUnsafeMutableBytes({ client.read(into: $0) }) {
      case .bytes(let count): bytes += buffer[..<count]
      case .wouldBlock: continue
      case .ended: return bytes
      case let other: throw Unexpected(outcome: "\(other)")
      }
    }
    throw Unexpected(outcome: "no end")
  }

  private struct Unexpected: Error { let outcome: String }

  private func replay(_ path: String, _ more: String...) throws -> ChildProgram {
    try #require(ChildProgram("lodestone", arguments: ["replay", path, "-q"] + more))
  }

  @Test(arguments: ["motioncal", "xbus"])
  func aCaptureIsReplayedByteForByte(_ name: String) throws {
    try TemporaryFolder.with { folder in
      let capture = folder + "/capture.raw"
      let arguments = ["simulate", "--protocol", name, "--device", Self.board, "-q"]
      let board = try #require(ChildProgram("lodestone", arguments: arguments))
      let path = try #require(board.line())
      let recorded = try CommandRun.lodestone(["record", "--device", path, "--raw", capture, "--count", "100"])
      #expect(recorded.exitCode == 0)
      #expect(recorded.text == "")
      #expect(recorded.errors.contains("captured "))
      let bytes = try CommandRun.contents(of: capture)
      #expect(bytes.count > 1000)

      let player = try replay(capture, "--tcp", "0", "--speed", "100")
      #expect(try everything(from: try #require(player.line())) == bytes)
      #expect(player.end(by: 0) == 0)

      // The bytes alone are a device too.
      let read = try CommandRun.lodestone(["heading", "--device", capture, "--format", "csv", "--profile", "none"])
      #expect(read.exitCode == 0)
      #expect(read.lines.count > 100)
    }
  }

  @Test func theIndexTellsWhenEachPieceCame() throws {
    try TemporaryFolder.with { folder in
      let capture = folder + "/capture.raw"
      let arguments = ["simulate", "--protocol", "json", "--device", Self.board, "-q"]
      let board = try #require(ChildProgram("lodestone", arguments: arguments))
      let path = try #require(board.line())
      #expect(try CommandRun.lodestone(["record", "--device", path, "--raw", capture, "--count", "50"]).exitCode == 0)
      let index = String(decoding: try CommandRun.contents(of: capture + ".times"), as: UTF8.self)
      let lines = index.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
      let times = lines.compactMap { Double($0[0]) }
      let offsets = lines.compactMap { Int($0[1]) }
      #expect(index.hasPrefix("# lodestone capture 1"))
      #expect(times.count == lines.count && offsets.count == lines.count)
      #expect(offsets.first == 0)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
      #expect(try #require(offsets.last) < CommandRun.contents(of: capture).count)
    }
  }

  @Test func standardInputIsCapturedWhateverItHolds() throws {
    try TemporaryFolder.with { folder in
      let capture = folder + "/noise.raw"
      let result = try CommandRun.lodestone(
        ["record", "--device", "-", "--raw", capture, "-q"], shell: #"printf 'no \001 compass' | "$@""#)
      #expect(try CommandRun.contents(of: capture) == Array("no \u{1} compass".utf8))
      #expect(result.exitCode == 0, "\(result.errors)")
    }
  }

  @Test func whatHasNoBytesIsNotCaptured() throws {
    let result = try CommandRun.lodestone(["record", "--device", "sim:", "--raw", "/no/such/folder/x"])
    #expect(result.exitCode == 64)
    #expect(result.errors.hasPrefix("Error: can't capture sim-1"))
  }

  @Test func aRecordingIsReplayedToAProgram() throws {
    try TemporaryFolder.with { folder in
      let recording = folder + "/turn.csv"
      #expect(
        try CommandRun.lodestone(["record", "--device", Self.board + "&speed=max", "--count", "300", "-o", recording])
          .exitCode
          == 0)
      let player = try replay(recording, "--speed", "10")
      let path = try #require(player.line())
      let arguments = ["--format", "json", "--profile", "none", "--count", "250"]
      let heard = try CommandRun.lodestone(["heading", "--device", path] + arguments)
      let direct = try CommandRun.lodestone(["heading", "--device", recording] + arguments)
      #expect(heard.lines.count == 250)
      let pairs = zip(heard.lines, direct.lines).map {
        (value("magnetic_heading_deg", in: $0), value("magnetic_heading_deg", in: $1))
      }
      #expect(pairs.allSatisfy { $0 == $1 && $0 != nil })
    }
  }

  /// Two megabytes are more than the system and the command hold for a reader.
  @Test func aReaderThatIsSlowGetsAllOfARecording() throws {
    try TemporaryFolder.with { folder in
      let recording = folder + "/turn.csv"
      let arguments = ["record", "--device", Self.board + "&speed=max", "--count", "25000", "-o", recording]
      #expect(try CommandRun.lodestone(arguments).exitCode == 0)
      let bytes = try CommandRun.contents(of: recording)
      #expect(bytes.count > 2_000_000)
      let player = try replay(recording, "--tcp", "0", "--speed", "1e6")
      let address = try #require(player.line())
      #expect(try everything(from: address, restingFor: 0.5) == bytes)
      #expect(player.end(by: 0) == 0)
    }
  }

  @Test func aReplayBeginsAgain() throws {
    try TemporaryFolder.with { folder in
      let recording = folder + "/track.nmea"
      try CommandRun.write("$HCHDM,101.1,M*28\r\n$HCHDM,101.1,M*28\r\n", to: recording)
      let player = try replay(recording, "--speed", "1000", "--loop")
      let heard = try CommandRun.lodestone(
        ["heading", "--device", try #require(player.line()), "--count", "20", "--format", "json"])
      #expect(heard.lines.count == 20)
      #expect(player.end(by: SIGTERM) == 130)
    }
  }

  /// A file that holds no message has no times: whoever waits for its pace is told that there is none.
  @Test func aFileWithoutMessagesIsToldAndAnEmptyOneRefused() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write("nothing of use\n", to: folder + "/notes.txt")
      let run = try CommandRun.lodestone(["replay", folder + "/notes.txt", "--duration", "0.1"])
      #expect(run.exitCode == 0 && run.errors.contains("all of it is sent at once"), "\(run.errors)")
      try CommandRun.write("", to: folder + "/empty.csv")
      let empty = try CommandRun.lodestone(["replay", folder + "/empty.csv"])
      #expect(empty.exitCode == 65 && empty.errors.contains("empty.csv is empty\nHint: "), "\(empty.errors)")
    }
  }

  @Test(
    arguments: [
      (["replay", "/no/such/file"], 66), (["replay", "/dev"], 66), (["replay", "x", "--speed", "0"], 64),
      (["replay", "x", "--tcp", "1", "--pty"], 64), (["replay", "x", "--count", "5"], 64),
    ] as [([String], Int32)])
  func refusesInWords(_ arguments: [String], _ code: Int32) throws {
    let result = try CommandRun.lodestone(arguments)
    #expect(result.exitCode == code, "\(result.errors)")
    #expect(result.errors.hasPrefix("Error: "))
  }
}
