import LodestoneCore
import Glibc
import Instruments
import LodestonePorts
import Support
import Testing

/// A stream, and a server beside it where it needs one, turned until something comes.
private struct Exchange {
  let stream: any SampleStream
  var server: TCPPublisher?

  init(_ address: String, server: TCPPublisher? = nil, reconnects: Bool = true) throws {
    var options = OpenOptions()
    options.reconnects = reconnects
    stream = try AddressSchemes.open(address, options)
    self.server = server
  }

  /// The next event that is not waiting.
  mutating func next(within seconds: Double = 30, publishing text: String = "") throws -> StreamEvent {
    let deadline = MonotonicTime.now + seconds
    while MonotonicTime.now < deadline {
      let event = try stream.next()
      if case .waiting = event {} else { return event }
      publish(text)
      try turn(until: min(deadline, .now + 0.02))
    }
    throw SystemError("poll", code: ETIMEDOUT)
  }

  /// The next sample, whatever is said before it.
  mutating func nextSample(publishing text: String = "") throws -> Sample {
    while true {
      switch try next(publishing: text) {
      case .sample(let sample): return sample
      case .ended: throw SystemError("read", code: EPIPE)
      default: continue
      }
    }
  }

  /// The next notice that `picks` takes.
  mutating func notice(publishing text: String = "", _ picks: (StreamNotice) -> Bool) throws -> StreamNotice {
    while true {
      switch try next(publishing: text) {
      case .notice(let notice) where picks(notice): return notice
      case .ended: throw SystemError("read", code: EPIPE)
      default: continue
      }
    }
  }

  private mutating func turn(until deadline: MonotonicTime) throws {
    var poller = Poller()
    if let descriptor = stream.descriptor { poller.watch(descriptor, for: stream.interest) }
    server?.watch(with: &poller)
    try poller.wait(until: [deadline, stream.wakeTime].compactMap { $0 }.min())
    server?.service(poller)
  }

  private func publish(_ text: String) {
    var text = text
    text.withUTF8 { bytes in if !bytes.isEmpty { server?.publish(UnsafeRawBufferPointer(bytes)) } }
  }
}

private func server(port: UInt16 = 0) throws -> TCPPublisher {
  try TCPPublisher(at: NetworkEndpoint(host: "127.0.0.1", port: port))
}

private func failure(of address: String) -> StreamError? {
  do throws(StreamError) {
    _ = try AddressSchemes.open(address, OpenOptions())
    return nil
  } catch {
    return error
  }
}

/// From the checksums' definition: the exclusive or of the characters between `$` and `*`.
private let heading = "$HCHDM,101.1,M*28\r\n"

@Suite(.waiting) struct NetworkSchemesTests {
  @Test func aServersLinesBecomeSamples() throws {
    let server = try server()
    var exchange = try Exchange("tcp://127.0.0.1:\(server.endpoint.port)", server: server)
    let sample = try exchange.nextSample(publishing: heading)
    #expect(sample.own?.magnetic?.degrees == 101.1)
    #expect(exchange.stream.isLive)
    #expect(exchange.stream.identity == "tcp://127.0.0.1:\(server.endpoint.port)")
  }

  @Test func withoutAHostThisMachineIsMeant() throws {
    let server = try server()
    var exchange = try Exchange("tcp://:\(server.endpoint.port)?protocol=nmea", server: server)
    #expect(try exchange.nextSample(publishing: heading).own?.magnetic?.degrees == 101.1)
  }

  @Test func whereNobodyListensAtTheStartIsAnError() throws {
    let port = try server().endpoint.port  // free again
    var exchange = try Exchange("tcp://127.0.0.1:\(port)")
    let endpoint = NetworkEndpoint(host: "127.0.0.1", port: port)
    #expect(throws: StreamError.unreachable("tcp://127.0.0.1:\(port)", .refused(endpoint))) { try exchange.next() }
  }

  @Test func aBrokenConnectionIsMadeAgain() throws {
    var first: TCPPublisher? = try server()
    let port = try #require(first?.endpoint.port)
    var exchange = try Exchange("tcp://127.0.0.1:\(port)", server: first)
    _ = try exchange.nextSample(publishing: heading)
    first = nil
    exchange.server = nil
    let lost = try exchange.notice { if case .disconnected = $0 { true } else { false } }
    #expect(lost == .disconnected("tcp://127.0.0.1:\(port)"))
    exchange.server = try server(port: port)
    let returned = try exchange.notice { if case .returned = $0 { true } else { false } }
    guard case .returned(_, let seconds) = returned else {
      Issue.record("\(returned)")
      return
    }
    #expect(seconds >= 0.5)  // not at once: a server that is down shall not be hammered
    #expect(try exchange.nextSample(publishing: heading).own?.magnetic?.degrees == 101.1)
  }

  @Test func withoutReconnectingItEndsWithTheConnection() throws {
    var first: TCPPublisher? = try server()
    let port = try #require(first?.endpoint.port)
    var exchange = try Exchange("tcp://127.0.0.1:\(port)", server: first, reconnects: false)
    _ = try exchange.nextSample(publishing: heading)
    first = nil
    exchange.server = nil
    while true {
      if case .ended = try exchange.next() { break }
    }
  }

  @Test func datagramsBecomeSamples() throws {
    let port = try UDPListener(at: NetworkEndpoint(host: "", port: 0)).endpoint.port  // free again
    var exchange = try Exchange("udp://:\(port)")
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: port))
    for _ in 0..<3 {
      var text = heading
      text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) }
    }
    #expect(try exchange.nextSample().own?.magnetic?.degrees == 101.1)
  }

  /// Lines without an end, one a datagram, and the same ones cut anywhere; what arrived of one line alone is told
  /// instead of the silence after it.
  @Test(arguments: [["$HCHDM,101.1,M*28"], ["$HCHDM,10", "1.1,M*28\r\n$HCHDM", ",101.1,M*28\r\n"]])
  func linesOfDatagramsAreEnded(_ datagrams: [String]) throws {
    let port = try UDPListener(at: NetworkEndpoint(host: "", port: 0)).endpoint.port  // free again
    var exchange = try Exchange("udp://:\(port)")
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: port))
    for _ in 0..<4 {
      for var text in datagrams { text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) } }
    }
    #expect(try exchange.nextSample().own?.magnetic?.degrees == 101.1)
  }

  @Test func whatArrivedIsToldAndNoSilence() throws {
    let port = try UDPListener(at: NetworkEndpoint(host: "", port: 0)).endpoint.port  // free again
    var exchange = try Exchange("udp://:\(port)")
    let sender = try UDPSender(to: NetworkEndpoint(host: "127.0.0.1", port: port))
    var text = "nothing of use"
    text.withUTF8 { sender.send(UnsafeRawBufferPointer($0)) }
    if case .silent(let seconds, _) = try exchange.notice({ _ in true }) { Issue.record("silent for \(seconds) s") }
  }

  @Test func aTakenPortIsNamed() throws {
    let taken = try UDPListener(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let endpoint = taken.endpoint
    let address = "udp://127.0.0.1:\(endpoint.port)"
    #expect(failure(of: address) == .unreachable(address, .portInUse(endpoint)))
  }

  @Test(arguments: ["tcp://", "tcp://host", "tcp:host:1", "tcp://host:99999", "tcp://host:+1", "udp://", "tcp://[::1"])
  func whatIsNoEndpointIsRefused(_ address: String) throws {
    guard case .badAddress(address, .incomplete) = failure(of: address) else {
      Issue.record("\(address): \(String(describing: failure(of: address)))")
      return
    }
  }

  @Test func unknownOptionsAreRefused() {
    guard case .badAddress(_, .unknownOption("baud", _)) = failure(of: "tcp://host:1?baud=9600") else {
      Issue.record("taken")
      return
    }
  }

  @Test(
    arguments: [
      ("//boat.local:10110", NetworkEndpoint(host: "boat.local", port: 10110)),
      ("//[::1]:80/", NetworkEndpoint(host: "::1", port: 80)), ("//:0", NetworkEndpoint(host: "", port: 0)),
      ("//boat", NetworkEndpoint(host: "boat", port: 2947)),
      ("//[fe80::1]", NetworkEndpoint(host: "fe80::1", port: 2947)),
    ])
  func endpointsAreRead(_ text: String, _ expected: NetworkEndpoint) {
    #expect(NetworkEndpoint(address: text, usualPort: 2947) == expected)
  }

  // MARK: Peers that mean no good

  @Test(arguments: ["x", "\u{0}", "$HCHDM", "{\"class\":\"", "1,2,3,"])
  func endlessGarbageNeitherStallsNorPilesUp(_ piece: String) throws {
    let server = try server()
    var exchange = try Exchange("tcp://127.0.0.1:\(server.endpoint.port)", server: server)
    let line = String(repeating: piece, count: 30_000 / piece.utf8.count)
    // Every call comes back though there is always more to read, and the stream still understands what follows.
    for _ in 0..<100 {
      let event = try? exchange.next(within: 0.001, publishing: line)
      if case .sample = event { Issue.record("garbage made a sample") }
    }
    let valid = "\r\n" + String(repeating: heading, count: 8)
    #expect(try exchange.nextSample(publishing: valid).own?.magnetic?.degrees == 101.1)
  }

  @Test func aDripIsPutTogether() throws {
    let server = try server()
    var exchange = try Exchange("tcp://127.0.0.1:\(server.endpoint.port)", server: server)
    for character in String(repeating: heading, count: 3) {
      let event = try? exchange.next(within: 0.001, publishing: String(character))
      if case .sample(let sample) = event {
        #expect(sample.own?.magnetic?.degrees == 101.1)
      }
    }
    #expect(try exchange.nextSample(publishing: heading).own?.magnetic?.degrees == 101.1)
  }
}
