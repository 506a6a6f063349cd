import Glibc
import LodestonePorts
import NIOCore
import Support
import Synchronization
import Testing

@testable import LodestoneWeb

/// Peers that ask faster than they read, or read slowly.
@Suite(.serialized, .waiting) struct SlowPeerTests {
  private final class Count: Sendable {
    private let value = Mutex(0)
    var now: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// A peer that asks four hundred times for a file of twelve thousand bytes and reads nothing is answered as far as
  /// the system's buffers go, and then no further until it reads: answers that nobody takes would fill the memory.
  @Test func whoOnlyAsksIsNotAnswered() throws {
    let asked = Count()
    let server = try WebServer(at: NetworkEndpoint(host: "", port: 0)) { if $0.hasSuffix("/style.css") { asked.add() } }
    let port = server.endpoint.port
    let ask = "GET /style.css HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    let greedy = try RawClient(port: port)
    greedy.send(String(repeating: ask, count: 399))
    #expect(eventually { asked.now > 0 })
    // The server's thread has turned many times when it has answered another peer so often.
    let other = try RawClient(port: port)
    for _ in 0..<50 {
      other.send("GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      #expect(other.read(until: "{}").hasPrefix("HTTP/1.1 200 "))
    }
    #expect(asked.now < 200, "\(asked.now)")
    // Once it reads, it gets all of them.
    greedy.send(ask.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"))
    while greedy.readSome(65_536) > 0 {}
    #expect(asked.now == 400)
  }

  /// A large answer takes longer than the patience over a slow network, and comes whole as long as parts of it are
  /// taken.
  @Test func aSlowDownloadComesWhole() throws {
    var limits = Limits()
    limits.patience = .seconds(1)
    let server = try WebServer(
      at: NetworkEndpoint(host: "", port: 0), token: nil, map: InstrumentPanel.map, limits: limits)
    let length = 3_000_000
    Array("{\"text\":\"\(String(repeating: "x", count: length))\"}".utf8).withUnsafeBytes {
      server.publish("heading", json: $0)
    }
    let client = try RawClient(port: server.endpoint.port)
    client.send("GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.endpoint.port)\r\nConnection: close\r\n\r\n")
    let began = MonotonicTime.now
    var received = 0
    while true {
      let count = client.readSome(32_768)
      guard count > 0 else { break }
      received += count
      usleep(30_000)
    }
    #expect(received > length)
    #expect(.now - began > 2)
  }

  /// Instruments that answer nobody, however many ask, keep nobody from the page.
  @Test func manyQuestionsWithoutAnAnswerKeepNobodyAway() throws {
    var limits = Limits()
    limits.answer = .milliseconds(1)
    let server = try WebServer(
      at: NetworkEndpoint(host: "", port: 0), token: nil, map: InstrumentPanel.map, limits: limits)
    let fields = "HTTP/1.1\r\nHost: 127.0.0.1:\(server.endpoint.port)\r\n"
    let client = try RawClient(port: server.endpoint.port)
    for number in 0..<300 {
      client.send("GET /metrics \(fields)\r\n")
      let answer = client.read(until: "}\n")
      try #require(answer.hasPrefix("HTTP/1.1 503 "), "\(number): \(answer)")
    }
    client.send("GET / \(fields)Connection: close\r\n\r\n")
    #expect(client.read().hasPrefix("HTTP/1.1 200 "))
    while server.nextRequest() != nil {}
  }
}
