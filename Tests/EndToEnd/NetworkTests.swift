import Glibc
import Ports
import Support
import Testing

@Suite struct NetworkTests {
  @Test func aServerThatIsNotThereIsNamed() throws {
    let port = try freePort()
    let result = try Program.run(["heading", "--device", "tcp://127.0.0.1:\(port)"])
    #expect(result.exitCode == 66)
    #expect(result.errors.hasPrefix("Error: can't reach tcp://127.0.0.1:\(port): nobody listens there\nHint: "))
  }

  @Test func aPortInUseIsNamed() throws {
    let taken = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let result = try Program.run(["heading", "--device", "udp://\(taken.endpoint)"])
    #expect(result.exitCode == 75)
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

  private func peakKilobytes(of process: pid_t) throws -> Int {
    let status = String(decoding: try CommandRun.contents(of: "/proc/\(process)/status"), as: UTF8.self)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]))
  }
}
