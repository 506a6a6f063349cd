import Glibc
import LodestonePorts
import Support
import Testing

/// Whatever is waited for outside a loop, a signal that is held back for the loop ends the wait.
@Suite(.waiting) struct AskedToEndTests {
  /// Nobody writes to the pipe, and somebody has it open.
  @Test func aPipeThatIsReadWhole() async {
    await #expect(processExitsWith: .success) {
      let signals = try Signals()
      let problem = try TemporaryFolder.with { folder -> FileProblem? in
        let path = folder + "/pipe"
        guard mkfifo(path, 0o600) == 0 else { return nil }
        let other = open(path, O_RDWR | O_CLOEXEC)
        defer { close(other) }
        raise(SIGTERM)
        do throws(FileProblem) { _ = try AtomicFile.read(path, limit: 100) } catch {
          return error == .failed(path: path, code: EINTR) ? error : nil
        }
        return nil
      }
      exit(problem != nil && signals.next() == .terminate ? 0 : 1)
    }
  }

  /// A reader that does not read: what does not fit is counted.
  @Test func aReaderThatDoesNotKeepUp() async {
    await #expect(processExitsWith: .success) {
      let signals = try Signals()
      let pipe = try Pipe()
      let output = try OutputPipe.standardOutput(
        policy: .keepAll, capacity: 1 << 17, descriptor: pipe.writer.number)
      let lines = String(repeating: "0123456789abcde\n", count: 4096)
      raise(SIGTERM)
      for _ in 0..<8 { try put(lines, in: output) }
      let isWhole = try output.finish()
      exit(!isWhole && output.droppedLineCount > 4096 && signals.next() == .terminate ? 0 : 1)
    }
  }

  @Test func aNameThatIsLookedUp() async {
    await #expect(processExitsWith: .success) {
      let signals = try Signals()
      let endpoint = NetworkEndpoint(host: "no such host.invalid", port: 1)
      raise(SIGTERM)
      var isEnded = false
      do throws(SocketError) { _ = try UDPSender(to: endpoint) } catch {
        isEnded = error == .system(endpoint, SystemError("getaddrinfo", code: EINTR))
      }
      exit(isEnded && signals.next() == .terminate ? 0 : 1)
    }
  }

  /// A broker that never greets.
  @Test func aBrokerThatIsMet() async {
    await #expect(processExitsWith: .success) {
      let signals = try Signals()
      let listener = try TCPPublisher(at: NetworkEndpoint(host: "", port: 0))
      let endpoint = NetworkEndpoint(host: "127.0.0.1", port: listener.endpoint.port)
      let client = try MQTTClient(MQTTSettings(endpoint: endpoint, clientID: "x"))
      Array("x".utf8).withUnsafeBytes { client.publish($0, to: "topic") }
      raise(SIGTERM)
      let start = MonotonicTime.now
      try client.meet(until: start + 60)
      try client.finish(until: start + 60)
      exit(MonotonicTime.now - start < 30 && client.lostCount == 1 && signals.next() == .terminate ? 0 : 1)
    }
  }

  /// The bell of a signal that a loop was told of wakes nobody, and what is ready is told.
  @Test func oneThatWasToldEndsNothing() async {
    await #expect(processExitsWith: .success) {
      let signals = try Signals()
      let pipe = try Pipe()
      var poller = Poller()
      poller.watch(pipe.reader.number, for: .readable)
      raise(SIGTERM)
      guard signals.next() == .terminate, try !poller.waitUnlessAsked(until: .now + 0.001) else { exit(1) }
      _ = write(pipe.writer.number, "x", 1)
      guard try poller.waitUnlessAsked() else { exit(2) }
      raise(SIGTERM)
      exit(try poller.waitUnlessAsked() ? 3 : 0)
    }
  }
}
