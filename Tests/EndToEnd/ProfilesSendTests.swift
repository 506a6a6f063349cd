import LodestonePorts
import Support
import Testing

/// `lodestone profiles send`, with a board at the other end of a pty.
@Suite(.waiting) struct ProfilesSendTests {
  /// Answers the packet with these lines, and gives back what it received.
  private func board(answering lines: [String], wait: String = "20") throws -> (CommandRun, [UInt8]) {
    try TemporaryFolder.with { folder in
      let terminal = try PseudoTerminal()
      var received: [UInt8] = []
      try CommandRun.write(ProfilesTests.profile, to: folder + "/good.json")
      let run = try CommandRun.lodestone(
        ["profiles", "send", folder + "/good.json", "--to", terminal.path, "--wait", wait],
        environment: ["XDG_DATA_HOME": folder]
      ) {
        received = try packet(at: terminal)
        for line in lines { _ = Array("\(line)\r\n".utf8).withUnsafeBytes { terminal.write($0) } }
      }
      return (run, received)
    }
  }

  private func packet(at terminal: PseudoTerminal) throws -> [UInt8] {
    var poller = Poller()
    poller.watch(terminal.readerChanges, for: .readable)
    let deadline = MonotonicTime.now + 30
    var received: [UInt8] = []
    while received.count < 68, MonotonicTime.now < deadline {
      _ = try poller.wait(until: deadline)
      if terminal.noteReaderChanges() { poller.watch(terminal.descriptor, for: .readable) }
      var chunk = [UInt8](repeating: 0, count: 256)
      if case .bytes(let count) = chunk.withUnsafeMutableBytes({ terminal.read(into: $0) }) {
        received += chunk[..<count]
      }
    }
    return received
  }

  @Test func boardThatTakesIt() throws {
    let (run, received) = try board(answering: [
      "Raw:0,0,0,0,0,0,-18,33,-217", "Cal1:0,0,0,0,0,0,0,0,0,50", "\u{1b}[31m",
      "Cal1:0.00,0.00,0.00,0.00,0.00,0.00,12.50,-30.25,4.00,48.00",
      "Cal2:1.0200,0.0100,-0.0200,0.0100,0.9900,0.0050,-0.0200,0.0050,0.9900",
    ])
    #expect(received.count == 68 && received.starts(with: [0x75, 0x54]))
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("has taken the calibration"))
  }

  @Test func boardThatHasAnother() throws {
    let (run, _) = try board(answering: ["Cal1:0,0,0,0,0,0,0,0,0,50"], wait: "2")
    #expect(run.exitCode == 74)
    #expect(run.errors.contains("answered with another calibration"))
  }

  @Test func noSuchPort() throws {
    try TemporaryFolder.with { folder in
      try CommandRun.write(ProfilesTests.profile, to: folder + "/good.json")
      let run = try CommandRun.lodestone(["profiles", "send", folder + "/good.json", "--to", folder + "/none"])
      #expect(run.exitCode == 66)
    }
  }
}
