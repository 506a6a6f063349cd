import Glibc
import LodestonePorts
import Support
import Synchronization
import Testing

@Suite(.waiting) struct NetworkTests {
  @Test func aServerThatIsNotThereIsNamed() throws {
    let port = try freePort()
    let result = try CommandRun.lodestone(["heading", "--device", "tcp://127.0.0.1:\(port)"])
    #expect(result.exitCode == 66)
    #expect(result.errors.hasPrefix("Error: can't reach tcp://127.0.0.1:\(port): connection refused\nHint: "))
  }

  @Test func aPortInUseIsNamed() throws {
    let taken = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let result = try CommandRun.lodestone(["heading", "--device", "udp://\(taken.endpoint)"])
    #expect(result.exitCode == 75)
  }

  /// A server that is killed resets its connections: nothing was unplugged, and plugging in again helps nobody.
  @Test func aConnectionThatBreaksIsNamedAsOne() throws {
    let server = try AbruptServer()
    let device = "tcp://127.0.0.1:\(server.port)"
    let program = try start(["heading", "--device", device, "--no-reconnect"])
    try server.takeClient()
    #expect(program.line(holding: "101.1°") != nil)
    server.drop()
    #expect(program.line(holding: "Error: ") == "Error: the connection to \(device) broke")
    let hint = try #require(program.line())
    #expect(hint.hasPrefix("Hint: ") && !hint.contains("plug"))
    #expect(program.exitCode() == 69)
  }

  @Test func aConnectionThatBreaksIsMadeAgain() throws {
    let server = try AbruptServer()
    let device = "tcp://127.0.0.1:\(server.port)"
    let program = try start(["heading", "--device", device])
    try server.takeClient()
    #expect(program.line(holding: "101.1°") != nil)
    server.drop()
    let broken = program.line(holding: "broke")
    #expect(broken == "lodestone: the connection to \(device) broke; trying again")
    try server.takeClient()
    #expect(program.line(holding: "is back after") != nil)
    #expect(program.line(holding: "101.1°") != nil)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// Two compasses that send to one port are told: headings of both were shown as one's, without a word. Nobody is told
  /// of requests where nothing can be asked.
  @Test func twoSendersAtOnePortAreTold() throws {
    let place = try NetworkEndpoint(host: "127.0.0.1", port: freePort())
    let program = try start(["heading", "--device", "udp://\(place)"])
    let silence = try #require(program.line(holding: "nothing has arrived for 3 s"))
    #expect(!silence.contains("--probe"))
    let senders = try [UDPSender(to: place), UDPSender(to: place)]
    let sentences = ["$HCHDM,101.1,M*28\r\n", "$HCHDM,201.1,M*2B\r\n"].map { Array($0.utf8) }
    let isOver = Atomic(false)
    nonisolated(unsafe) let both = senders
    let thread = try SideThread()
    thread.perform {
      while !isOver.load(ordering: .acquiring) {
        for (sender, sentence) in zip(both, sentences) {
          sentence.withUnsafeBytes { sender.send($0) }
          usleep(20_000)
        }
      }
    }
    defer { isOver.store(true, ordering: .releasing) }
    #expect(program.line(holding: "the heading leaps to and fro between two") != nil)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// What a recording holds back until a field comes is written where an error ends it.
  @Test func anErrorLosesNothingOfARecording() throws {
    let server = try AbruptServer()
    let device = "tcp://127.0.0.1:\(server.port)"
    let program = try start(["record", "--device", device, "--no-reconnect"])
    try server.takeClient(
      saying: (0..<30).map { "ax:0.01,ay:0.02,az:0.9\($0 % 10),gx:0.1,gy:0.2,gz:0.3\r\n" }.joined())
    try server.waitUntilRead()
    server.drop()
    #expect(program.line(holding: "time_s,") != nil)
    #expect(program.line(holding: ",0.990000,") != nil)
    #expect(program.line(holding: "Error: ") == "Error: the connection to \(device) broke")
    #expect(program.exitCode() == 69)
  }

  /// A network has no baud rate.
  @Test func rubbishOnTheNetworkAsksForNoBaudRate() throws {
    let place = try NetworkEndpoint(host: "127.0.0.1", port: freePort())
    let program = try start(["heading", "--device", "udp://\(place)"])
    #expect(program.line(holding: "nothing has arrived for 3 s") != nil)
    let sender = try UDPSender(to: place)
    Array(repeating: [1, 2, 0x7F, 3] as [UInt8], count: 50).flatMap { $0 }.withUnsafeBytes { sender.send($0) }
    let words = try #require(program.line(holding: "can't read what arrives"))
    #expect(words.contains("check the address") && !words.contains("?baud="), "\(words)")
    #expect(program.end(by: SIGINT) == 130)
  }

  /// A receiver that has no fix is a receiver all the same; nothing was said.
  @Test func aReceiverWithoutAFixNamesItsCommand() throws {
    let sentences = ["GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,00,99.99,,,,,,"].map { NMEASentenceText.sentence($0) }
    let board = try PtyBoard(rate: 5, lines: sentences)
    let program = try start(["heading", "--device", board.path])
    #expect(program.line(holding: "the device sends positions")?.contains("lodestone location") == true)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// The letters in the checksums of sentences are of no numbers: the user was told to print these in decimal.
  @Test func sentencesAreNoHexadecimalNumbers() throws {
    let sentences = ["GPGSV,1,1,01,21,00,000,", "GPTXT,01,01,02,ANTSTATUS=OK"].map { NMEASentenceText.sentence($0) }
    let board = try PtyBoard(rate: 5, lines: sentences)
    let program = try start(["heading", "--device", board.path])
    #expect(program.line(holding: "$GP")?.contains("messages arrive (nmea)") == true)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// gpsd greets, and has no device, or one that tells nothing of use.
  @Test func gpsdWithoutADeviceIsTold() throws {
    let greeting = "{\"class\":\"VERSION\",\"release\":\"3.25\"}\r\n{\"class\":\"DEVICES\",\"devices\":[]}\r\n"
    for command in ["heading", "location"] {
      let server = try AbruptServer()
      let program = try start([command, "--device", "gpsd://127.0.0.1:\(server.port)"])
      try server.takeClient(saying: greeting)
      #expect(program.line(holding: "gpsd has told no position, heading or field for 3 s")?.contains("gpsdctl") == true)
      #expect(program.end(by: SIGINT) == 130)
    }
  }

  private func start(_ arguments: [String]) throws -> ChildProgram {
    try #require(ChildProgram("lodestone", arguments: arguments, joinsErrors: true))
  }

  /// Megabytes that never make a line: the program stays small and still hears Ctrl-C.
  @Test(arguments: ["a", "\u{1B}[2J\u{7}", "0,"])
  func garbageWithoutEndIsBorne(_ piece: String) throws {
    let server = try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: 0), queueByteCount: 1 << 20)
    let program = try #require(
      ChildProgram("lodestone", arguments: ["heading", "--device", "tcp://\(server.endpoint)", "-q"]))
    let chunk = Array(String(repeating: piece, count: 65_536 / piece.utf8.count).utf8)
    var poller = Poller()
    var sent = 0
    let deadline = MonotonicTime.now + 60
    while sent < 4 << 20, MonotonicTime.now < deadline {
      if server.clientCount == 1, !server.isWaiting {
        chunk.withUnsafeBytes { server.publish($0) }
        sent += chunk.count
      }
      server.watch(with: &poller)
      try poller.wait(until: .now + 0.1)
      server.service(poller)
    }
    #expect(sent >= 4 << 20)
    #expect(server.droppedClientCount == 0)
    #expect(try peakKilobytes(of: program.process) < 120_000)
    #expect(program.end(by: SIGINT) == 130)
  }

  /// A source that always has more leaves signals their turn.
  @Test func inputWithoutEndLeavesRoomForCtrlC() throws {
    let run = try CommandRun.lodestone(
      ["heading", "--device", "file:/dev/zero", "-q"], shell: #"exec timeout --preserve-status -k 20 -s INT 2 "$@""#)
    #expect(run.exitCode == 130)
  }

  /// Rows, and then more junk than anybody reads: the rows' lines are there, whether a count or Ctrl-C ends it.
  @Test(arguments: [(["--count", "3"], 0, 3), ([], 130, 20)] as [([String], Int32, Int)])
  func rowsBeforeJunkWithoutEndAreWritten(_ options: [String], exitCode: Int32, lines: Int) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/rows.csv"
      let rows = (0..<20).map { "\(Double($0) / 10),20.5,1,-40,0,0,1\n" }.joined()
      try CommandRun.write("time_s,mx_uT,my_uT,mz_uT,ax_g,ay_g,az_g\n" + rows, to: path)
      #expect(truncate(path, 1 << 37) == 0)
      let run = try CommandRun.lodestone(
        ["heading", "--device", path, "--profile", "none", "-q", "--format", "csv"] + options,
        shell: #"exec timeout --preserve-status -k 60 -s INT \#(options.isEmpty ? 25 : 60) "$@""#)
      #expect(run.exitCode == exitCode)
      #expect(run.output.count { $0 == UInt8(ascii: "\n") } == lines + 1)
    }
  }

  private func peakKilobytes(of process: pid_t) throws -> Int {
    let status = String(decoding: try CommandRun.contents(of: "/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]))
  }
}

/// Says a few headings to one client, and drops the connection without a word when it is told to.
private final class AbruptServer {
  let port: UInt16
  private let listener: Int32
  private var client: Int32 = -1

  init() throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    listener = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutableBytes(of: &address) { bytes -> Int32 in
      guard let place = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress else { return -1 }
      return bind(socket, place, size) + listen(socket, 4) + getsockname(socket, place, &size)
    }
    guard code == 0 else { throw SystemError("bind") }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    drop()
    close(listener)
  }

  // From the checksums' definition: the exclusive or of the characters between `$` and `*`.
  private static let headings = String(repeating: "$HCHDM,101.1,M*28\r\n", count: 8)

  /// Waits for a client, and says something to it.
  func takeClient(saying text: String? = nil) throws {
    var poller = Poller()
    poller.watch(listener, for: .readable)
    guard try poller.wait(until: .now + 30) > 0 else { throw SystemError("accept", code: ETIMEDOUT) }
    client = accept(listener, nil, nil)
    let bytes = Array((text ?? Self.headings).utf8)
    _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Waits until the client has taken all that was said: a reset throws away what it has not read. The kernel's table
  /// of connections has `remote address:port`, the state, and `sent:received` bytes that nobody has taken yet
  /// (proc_net_tcp.txt).
  func waitUntilRead() throws {
    let port = String(port, radix: 16, uppercase: true)
    for _ in 0..<3000 {
      let rows = String(decoding: try CommandRun.contents(of: "/proc/net/tcp"), as: UTF8.self).split(separator: "\n")
      let own = rows.map { $0.split(separator: " ") }.first { $0.count > 4 && $0[2].hasSuffix(":" + port) }
      if let own, own[4].hasSuffix(":00000000") { return }
      usleep(10_000)
    }
    throw SystemError("read", code: ETIMEDOUT)
  }

  /// Resets the connection, as the kernel does for a program that is killed with bytes unread.
  func drop() {
    guard client >= 0 else { return }
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close(client)
    client = -1
  }
}
