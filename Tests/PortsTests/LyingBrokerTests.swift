import LodestonePorts
import Support
import Testing

@testable import LodestonePorts

/// Whatever a broker sends, the client lives, keeps a bounded amount of it, and looks for the broker again.
@Suite(.waiting) struct LyingBrokerTests {
  /// A welcome of MQTT 5 and one of 3.1.1.
  private static let welcome: [UInt8] = [0x20, 3, 0, 0, 0]

  /// The events of a client with a subscription to a broker that sends these bytes: its events until it is away, or
  /// until the broker has been served so many times.
  private func events(_ lie: [UInt8], closes: Bool = false, turns: Int = 40) throws -> [MQTTClient.Event] {
    let broker = try LyingBroker(lie, closes: closes)
    let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-lie"))
    client.subscribe(to: "boat")
    Array("message".utf8).withUnsafeBytes { client.publish($0, to: "car") }
    var events: [MQTTClient.Event] = []
    var poller = Poller()
    for _ in 0..<turns {
      broker.serve()
      client.watch(with: &poller)
      try poller.wait(until: .now + 0.002)
      client.serve(poller)
      events += client.takeEvents()
      if events.contains(where: { if case .away = $0 { true } else { false } }) { break }
    }
    return events
  }

  private func isAway(_ events: [MQTTClient.Event]) -> Bool {
    if case .away? = events.last { true } else { false }
  }

  /// CONNACKs that abort libmosquitto 2.0.11, and others that no broker may send.
  @Test(
    arguments: [
      [0x20, 4, 0, 0, 1, 0], [0x20, 5, 0, 0, 2, 0, 0], [0x20, 6, 0, 0, 3, 0x7F, 0, 0], [0x20, 0], [0x20, 1, 0],
      [0x20, 2, 2, 0], [0x20, 5, 0, 0, 2, 0x21, 0], [0x2F, 3, 0, 0, 0], [0x20, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
      [0x20, 6, 0, 0, 3, 0x21, 0, 0], [0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 0], [0x48, 0x54, 0x54, 0x50],
    ] as [[UInt8]])
  func aFalseGreetingIsTold(_ lie: [UInt8]) throws {
    let events = try events(lie)
    #expect(events.count == 1 && isAway(events), "\(lie): \(events)")
  }

  /// A broker that waits without end is asked no more often than one that leaves it to us (MQTT 5, 3.2.2.3.14).
  @Test(arguments: [(0, nil), (1, 1), (60, 60)] as [(UInt8, Int?)])
  func theBrokersPatience(_ seconds: UInt8, _ expected: Int?) throws {
    let greeting = MQTTFramer.Packet(first: 0x20, body: [0, 0, 3, 0x13, 0, seconds], isWhole: true)
    var limits = MQTTLimits()
    limits.keepAlive = expected
    #expect(try MQTTPacket(greeting, .five) == .connected(code: 0, limits))
  }

  /// After the greeting, every kind of packet with every flag and with bodies that are short, long, or noise.
  @Test func noPacketDoesHarm() throws {
    var noise = SeededGenerator(seed: 35)
    for first in 0...255 as ClosedRange<UInt8> {
      var lie = Self.welcome
      for length in [0, 1, 2, 3, 5, 9, 130] {
        let body = (0..<length).map { _ in UInt8.random(in: 0...255, using: &noise) }
        lie += [first] + (length < 128 ? [UInt8(length)] : [UInt8(length & 0x7F | 0x80), 1]) + body
      }
      let events = try events(lie, turns: 6)
      #expect(events.first == .connected, "\(first)")
    }
  }

  /// A length of 256 MB costs nothing, and what follows is read.
  @Test func aLongPacketIsNotKept() throws {
    var framer = MQTTFramer()
    #expect(try framer.append([0x30, 0xFF, 0xFF, 0xFF, 0x7F].span).isEmpty)
    let chunk = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<255 { #expect(try framer.append(chunk.span).isEmpty) }
    let packets = try framer.append(([UInt8](repeating: 0, count: (1 << 20) - 1) + [0xD0, 0]).span)
    #expect(packets.count == 2 && !packets[0].isWhole && packets[0].body.count == MQTTFramer.longest)
    #expect(packets.last == MQTTFramer.Packet(first: 0xD0, body: []))
  }

  /// A message that nobody asked for, one that is too long to be a record, and then one that was asked for.
  @Test func onlyWhatWasAskedForIsBelieved() throws {
    func message(_ topic: String, _ count: Int) -> [UInt8] {
      let body = [0, UInt8(topic.utf8.count)] + Array(topic.utf8) + [0] + [UInt8](repeating: 65, count: count)
      return [0x30, UInt8(body.count & 0x7F | 0x80), UInt8(body.count >> 7 & 0x7F | 0x80), UInt8(body.count >> 14)]
        + body
    }
    let lie = Self.welcome + message("car", 200) + message("boat", 200_000) + message("boat", 200)
    #expect(try events(lie) == [.connected, .message(topic: "boat", payload: [UInt8](repeating: 65, count: 200))])
  }

  /// Numbers that were never given, and refusals of them.
  @Test func confirmationsOfNothingAreNothing() throws {
    var lie = Self.welcome
    for id in 2...200 as ClosedRange<UInt8> { lie += [0x40, 3, 0, id, 0x87] }
    #expect(try events(lie) == [.connected])
  }

  /// A broker that sends without end and never reads: what is answered to it waits in a bounded queue.
  @Test func aBrokerThatDoesNotReadIsNotReadFrom() throws {
    let packet: [UInt8] = [0x32, 10, 0, 4] + Array("boat".utf8) + [0, 1, 0, 65]
    let lie = Self.welcome + (0..<200_000).flatMap { _ in packet }
    let events = try events(lie, turns: 400)
    #expect(events.first == .connected && events.count > 1000)
  }

  /// What a wrong port says is told: a web server's answer, silence that ends, nobody at all.
  @Test func aWrongPortIsNamed() throws {
    let answer = Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
    #expect(try events(answer) == [.away(.other, reason: "what arrives is not MQTT")])
    #expect(try events([], closes: true) == [.away(.other, reason: "the broker closed the connection")])
  }
}
