import Instruments
import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct CaptureReplayTests {
  /// Pieces as they come out, with the seconds from the first to when each was due.
  private func play(_ replay: CaptureReplay, limit: Int = 100) throws -> [(text: String, due: Double)] {
    var pieces: [(String, MonotonicTime)] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    var poller = Poller()
    while pieces.count < limit {
      switch buffer.withUnsafeMutableBytes({ replay.read(into: $0) }) {
      case .bytes(let count):
        pieces.append((String(decoding: buffer[..<count], as: UTF8.self), replay.wakeTime ?? .now))
      case .wouldBlock: try poller.wait(until: replay.wakeTime)
      default: return pieces.map { ($0.0, $0.1 - pieces[0].1) }
      }
    }
    return pieces.map { ($0.0, $0.1 - pieces[0].1) }
  }

  private func replay(
    _ text: String, times: String? = nil, _ change: (inout CaptureReplay.Settings) -> Void = { _ in }
  ) throws -> [(text: String, due: Double)] {
    try TemporaryFolder.with { folder in
      let path = folder + "/capture"
      try CommandRun.write(text, to: path)
      if let times { try CommandRun.write(times, to: path + ".times") }
      var settings = CaptureReplay.Settings()
      change(&settings)
      return try play(CaptureReplay(path: path, settings))
    }
  }

  @Test func piecesComeWhenTheyCame() throws {
    let pieces = try replay("abcdef", times: "# lodestone capture 1\n5.0 0\n5.02 2\n5.05 5\n")
    #expect(pieces.map { $0.text } == ["ab", "cde", "f"])
    #expect(zip(pieces, [0, 0.02, 0.05]).allSatisfy { abs($0.due - $1) < 1e-6 })
  }

  @Test func aNameReachesNoTerminalWithItsEscapes() throws {
    try TemporaryFolder.with { folder in
      _ = try RawCapture(path: folder + "/capture", device: "bo\u{9B}31mard\u{202E}\u{1B}", unixStart: nil)
      let times = String(decoding: try CommandRun.contents(of: folder + "/capture.times"), as: UTF8.self)
      #expect(times.hasSuffix("\n# device: bo31mard\n"))
    }
  }

  /// A device that says nothing costs nobody the capture that was there, neither of its files.
  @Test func whatWasThereStaysUntilAPieceHasCome() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/capture"
      try CommandRun.write("abc", to: path)
      try CommandRun.write("0 0\n", to: path + ".times")
      let before = try [path, path + ".times"].map { try CommandRun.contents(of: $0) }
      _ = try RawCapture(path: path, device: "x", unixStart: nil)
      #expect(try [path, path + ".times"].map { try CommandRun.contents(of: $0) } == before)
      let capture = try RawCapture(path: path, device: "x", unixStart: nil)
      try Array("de".utf8).withUnsafeBytes { try capture.append($0, at: 1.5) }
      #expect(try CommandRun.contents(of: path) == Array("de".utf8))
      let times = String(decoding: try CommandRun.contents(of: path + ".times"), as: UTF8.self)
      #expect(times.hasSuffix("\n# device: x\n1.500000 0\n"), "\(times)")
    }
  }

  @Test func fasterIsFaster() throws {
    let pieces = try replay("abcd", times: "0 0\n100 2\n") { $0.speed = 1000 }
    #expect(pieces.map { $0.text } == ["ab", "cd"])
    #expect(abs(pieces[1].due - 0.1) < 1e-6)
  }

  /// An index that lies about the file moves no byte.
  @Test(arguments: [
    "", "x\n", "0 0\n1e999 1\nnan 2\n0.01 -5\n", "0 4\n0 2\n0 99\n", "0 0\n-9e300 1\n", "0 9999999999999999999\n",
  ])
  func everyByteComesOnce(_ times: String) throws {
    #expect(try replay("abcdef", times: times).map { $0.text }.joined() == "abcdef")
  }

  @Test func messagesTellTheirTimes() throws {
    let text = "time_s,mx_uT,my_uT,mz_uT\n0.50,1,2,3\n0.51,1,2,4\n0.53,1,2,5\n0.54,1,2,6\nthe end"
    let pieces = try replay(text)
    #expect(pieces.map { $0.text }.joined() == text)
    #expect(pieces.count == 4)
    #expect(zip(pieces, [0, 0.01, 0.03, 0.04]).allSatisfy { abs($0.due - $1) < 1e-6 })
  }

  @Test func withoutTimesTheyFollowAtARate() throws {
    let pieces = try replay(String(repeating: "$HCHDM,101.1,M*28\r\n", count: 3)) { $0.rate = 50 }
    #expect(pieces.count == 3)
    #expect(zip(pieces, [0, 0.02, 0.04]).allSatisfy { abs($0.due - $1) < 1e-6 })
  }

  @Test func itBeginsAgain() throws {
    let again = try TemporaryFolder.with { folder in
      try CommandRun.write("ab", to: folder + "/x")
      try CommandRun.write("0 0\n0.001 1\n", to: folder + "/x.times")
      var settings = CaptureReplay.Settings()
      settings.loops = true
      return try play(CaptureReplay(path: folder + "/x", settings), limit: 6)
    }
    #expect(again.map { $0.text } == ["a", "b", "a", "b", "a", "b"])
  }

  @Test func anEmptyFileIsRefused() throws {
    #expect(throws: StreamError.self) { try replay("", times: "0 0\n") { $0.loops = true } }
  }
}
