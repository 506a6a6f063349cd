import CLinux
import Glibc
import LodestonePorts
import Support
import Testing

/// A deadline that only a broken program reaches.
var soon: MonotonicTime { .now + 5 }

/// Writes a text whole.
func send(_ text: String, to write: (UnsafeRawBufferPointer) -> WriteOutcome) -> WriteOutcome {
  var text = text
  return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
}

/// The events of a source until it has said so many bytes, or anything but bytes and waiting.
func receive(_ count: Int, from source: any ByteSource) throws -> (text: String, last: ReadOutcome) {
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  var poller = Poller()
  var last = ReadOutcome.wouldBlock
  while bytes.count < count {
    poller.watch(source.descriptor, for: .readable)
    guard try poller.wait(until: soon) > 0 else { break }
    last = chunk.withUnsafeMutableBytes { source.read(into: $0) }
    switch last {
    case .bytes(let count): bytes += chunk.prefix(count)
    case .wouldBlock: continue
    default: return (String(decoding: bytes, as: UTF8.self), last)
    }
  }
  return (String(decoding: bytes, as: UTF8.self), last)
}

/// One read.
func readOnce(_ source: any ByteSource) -> ReadOutcome {
  var chunk = [UInt8](repeating: 0, count: 4096)
  return chunk.withUnsafeMutableBytes { source.read(into: $0) }
}

/// The error that an expression throws, or nil.
func failure<Result>(of call: () throws(PortError) -> Result) -> PortError? {
  do throws(PortError) {
    _ = try call()
    return nil
  } catch {
    return error
  }
}

@Suite(.waiting) struct SerialPortTests {
  @Test func bytesPassUnchangedBothWays() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    #expect(readOnce(port) == .wouldBlock)
    // Every byte that a terminal in any other mode would change, swallow or act upon.
    let special = "\u{3}\u{4}\r\n\u{11}\u{13}\u{1A}\u{7F}\u{0}~"
    #expect(send(special, to: board.write) == .bytes(special.utf8.count))
    #expect(try receive(special.utf8.count, from: port).text == special)
    #expect(send(special, to: port.write) == .bytes(special.utf8.count))
    #expect(try receive(special.utf8.count, from: board).text == special)
  }

  @Test func everyByteValueArrives() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    let all = [UInt8](0...255)
    #expect(all.withUnsafeBytes { board.write($0) } == .bytes(256))
    var poller = Poller()
    poller.watch(port.descriptor, for: .readable)
    var got: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 300)
    while got.count < 256, try poller.wait(until: soon) > 0 {
      guard case .bytes(let count) = chunk.withUnsafeMutableBytes({ port.read(into: $0) }) else { break }
      got += chunk.prefix(count)
    }
    #expect(got == all)
  }

  @Test(arguments: [50, 9600, 57_600, 74_880, 100_000, 115_200, 250_000, 921_600, 3_000_000])
  func anyBaudRateIsTaken(rate: Int) throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path, options: .init(baudRate: rate))
    #expect(port.baudRate == rate)
  }

  @Test func theBaudRateChangesWhileOpen() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path, options: .init(baudRate: 9600))
    _ = send("heard at the wrong rate", to: board.write)
    var poller = Poller()
    poller.watch(port.descriptor, for: .readable)
    try poller.wait(until: soon)
    #expect(port.waitingByteCount ?? 0 > 0)
    try port.setBaudRate(38_400)
    #expect(port.baudRate == 38_400)
    #expect(port.waitingByteCount == 0)
    _ = send("right", to: board.write)
    #expect(try receive(5, from: port).text == "right")
  }

  @Test(arguments: [0, -1, Int.max, Int.min]) func aBaudRateThatIsNoneIsRefused(rate: Int) throws {
    let board = try PseudoTerminal()
    let error = failure { () throws(PortError) in
      try SerialPort(path: board.path, options: .init(baudRate: rate))
    }
    #expect(error == .unsupportedBaudRate(path: board.path, requested: rate, actual: nil))
  }

  @Test func unpluggingIsGoneAfterTheLastBytes() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    _ = send("last words", to: board.write)
    #expect(try receive(10, from: port).text == "last words")
    board.close()
    #expect(try receive(1, from: port).last == .gone)
    #expect(readOnce(port) == .gone)
    #expect(send("?", to: port.write) == .gone)
    #expect(port.baudRate == nil)
  }

  @Test func aLinkToAPortIsAPort() throws {
    let board = try PseudoTerminal()
    let link = "/tmp/lodestone-link-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    #expect(symlink(board.path, link) == 0)
    defer { unlink(link) }
    let port = try SerialPort(path: link)
    #expect(port.path == link)
    _ = send("x", to: board.write)
    #expect(try receive(1, from: port).text == "x")
  }

  @Test func whatIsNoPortIsNamed() {
    func error(_ path: String) -> PortError? {
      failure { () throws(PortError) in try SerialPort(path: path) }
    }
    #expect(error("/dev/no-such-port") == .notThere(path: "/dev/no-such-port"))
    #expect(error("/tmp/") == .notATerminal(path: "/tmp/", kind: .directory))
    #expect(error("/etc/passwd") == .notATerminal(path: "/etc/passwd", kind: .regularFile))
    #expect(error("/etc/passwd/x") == .notThere(path: "/etc/passwd/x"))
    #expect(error("/dev/null") == .notATerminal(path: "/dev/null", kind: .characterDevice))
    #expect(error("") == .notThere(path: ""))
  }

  @Test func anOpenPortIsClaimedEvenAgainstRoot() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    // flock(2) belongs to the open file, so this process itself is refused as another would be.
    let error = failure { () throws(PortError) in try SerialPort(path: board.path) }
    guard case .busy(path: board.path, heldBy: _) = error else {
      Issue.record("expected busy, got \(String(describing: error))")
      return
    }
    var options = SerialPort.Options()
    options.isExclusive = false
    #expect(
      failure { () throws(PortError) in try SerialPort(path: board.path, options: options) } == nil || getuid() != 0)
    port.close()
    // A program that another test starts at this moment has every open file until it is loaded.
    #expect(eventually { failure { () throws(PortError) in try SerialPort(path: board.path) } == nil })
  }

  @Test func closingTwiceClosesOnce() throws {
    let board = try PseudoTerminal()
    let port = try SerialPort(path: board.path)
    port.close()
    #expect(port.descriptor == -1)
    port.close()
    guard case .failed(let error) = readOnce(port) else {
      Issue.record("a closed port was read")
      return
    }
    #expect(error == SystemError("read", code: EBADF))
  }
}
