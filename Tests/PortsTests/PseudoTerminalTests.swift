import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct PseudoTerminalTests {
  @Test func aReaderThatComesAndGoesIsNoticed() throws {
    let board = try PseudoTerminal()
    #expect(!board.hasReader)
    #expect(send("lost", to: board.write) == .gone)
    #expect(readOnce(board) == .gone)

    let first = try SerialPort(path: board.path)
    try awaitChange(of: board)
    #expect(board.noteReaderChanges())
    #expect(send("heard", to: board.write) == .bytes(5))
    #expect(try receive(5, from: first).text == "heard")
    first.close()
    try awaitChange(of: board)
    #expect(!board.noteReaderChanges())

    let second = try SerialPort(path: board.path)
    try awaitChange(of: board)
    #expect(board.noteReaderChanges())
    #expect(send("again", to: board.write) == .bytes(5))
    #expect(try receive(5, from: second).text == "again")
  }

  @Test func aReaderThatDoesNotReadIsNotWaitedFor() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    let line = String(repeating: "x", count: 4095) + "\n"
    var written = 0
    var outcome = WriteOutcome.bytes(0)
    for _ in 0..<1000 {
      outcome = send(line, to: board.write)
      guard case .bytes(let count) = outcome else { break }
      written += count
    }
    #expect(outcome == .wouldBlock)
    #expect(written > 0)
    #expect(try receive(4096, from: port).text.hasPrefix("xxx"))
  }

  /// A sender must not pull the plug while bytes are on their way between the system's two buffers.
  @Test func whatIsNotReadIsKnownUntilTheLastByte() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    let line = String(repeating: "x", count: 1023) + "\n"
    var left = 0
    while case .bytes(let count) = send(line, to: board.write) { left += count }
    #expect(left > 4096)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while left > 0 {
      #expect(board.unreadByteCount > 0, "\(left) left")
      guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ port.read(into: $0) }) else { break }
      left -= count
    }
    #expect(left == 0)
    #expect(board.unreadByteCount == 0)
  }

  private func awaitChange(of board: PseudoTerminal) throws {
    var poller = Poller()
    poller.watch(board.readerChanges, for: .readable)
    #expect(try poller.wait(until: soon) == 1)
  }
}

@Suite(.waiting) struct PtyBoardTests {
  @Test func aBoardSpeaksWhenItIsHeard() throws {
    let board = try PtyBoard(rate: 1000, lines: ["a\n", "b\n"])
    #expect(board.saidCount == 0)
    let port = try SerialPort(path: board.path)
    #expect(try receive(12, from: port).text.hasPrefix("a\nb\na\nb\na\nb\n"))
    _ = send("?", to: port.write)
    while board.heard.isEmpty { _ = try receive(2, from: port) }
    #expect(board.heard == Array("?".utf8))
    board.unplug()
    #expect(try receive(1 << 20, from: port).last == .gone)
  }
}
