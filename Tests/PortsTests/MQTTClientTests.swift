import Glibc
import LodestonePorts
import Support
import Testing

/// The client against a real broker: delivery, a broker that goes away, one that refuses.
@Suite(.serialized, .waiting)
struct MQTTClientTests {
  private func settings(_ broker: Broker, _ name: String) -> MQTTSettings {
    MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-\(name)")
  }

  /// Serves the clients until `isDone`, or for half a minute.
  private func run(_ clients: [MQTTClient], until isDone: () -> Bool) throws {
    var poller = Poller()
    let end = MonotonicTime.now + 30
    while !isDone(), .now < end {
      for client in clients { client.watch(with: &poller) }
      try poller.wait(until: (clients.compactMap { $0.wakeTime } + [.now + 0.1]).min())
      for client in clients { client.serve(poller) }
    }
  }

  private func publish(_ text: String, to topic: String, _ client: MQTTClient, isRetained: Bool = false) {
    Array(text.utf8).withUnsafeBytes { client.publish($0, to: topic, isRetained: isRetained) }
  }

  private func texts(_ events: [MQTTClient.Event]) -> [String] {
    events.compactMap {
      if case .message(_, let payload) = $0 { String(decoding: payload, as: UTF8.self) } else { nil }
    }
  }

  @Test func everyMessageArrivesInOrder() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let (sender, receiver) = (try MQTTClient(settings(broker, "a")), try MQTTClient(settings(broker, "b")))
      receiver.subscribe(to: "boat/stream")
      try run([sender, receiver]) { sender.isConnected && receiver.isConnected }
      publish("ready", to: "boat/stream", sender, isRetained: true)
      var received: [String] = []
      try run([sender, receiver]) {
        received += texts(receiver.takeEvents())
        return !received.isEmpty
      }
      for number in 0..<500 { publish("\(number)", to: "boat/stream", sender) }
      try run([sender, receiver]) {
        received += texts(receiver.takeEvents())
        return received.count == 501
      }
      #expect(received == ["ready"] + (0..<500).map { "\($0)" })
      #expect(sender.lostCount == 0)
    }
  }

  /// What is said before the first connection stands waits for it.
  @Test func theFirstMessagesAreNotLost() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let receiver = try MQTTClient(settings(broker, "l"))
      receiver.subscribe(to: "boat/stream")
      try run([receiver]) { receiver.isConnected }
      // A subscription stands once something has come by it.
      var received: [String] = []
      publish("ready", to: "boat/stream", receiver)
      try run([receiver]) {
        received += texts(receiver.takeEvents())
        return !received.isEmpty
      }
      let sender = try MQTTClient(settings(broker, "m"))
      for number in 0..<50 { publish("\(number)", to: "boat/stream", sender) }
      #expect(!sender.isConnected)
      try run([sender, receiver]) {
        received += texts(receiver.takeEvents())
        return received.count == 51
      }
      #expect(received == ["ready"] + (0..<50).map { "\($0)" })
      #expect(sender.lostCount == 0)
    }
  }

  /// Where more waits than can be kept the oldest is dropped, and not what is to stand at a topic.
  @Test func whatIsRetainedIsNotDropped() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try MQTTClient(settings(broker, "m"))
      publish("online", to: "boat/status", sender, isRetained: true)
      for number in 0..<1100 { publish("\(number)", to: "boat/stream", sender) }
      #expect(sender.lostCount == 101)
      try run([sender]) { sender.isConnected && !sender.isWaiting }
      let receiver = try MQTTClient(settings(broker, "n"))
      receiver.subscribe(to: "boat/status")
      var received: [String] = []
      try run([receiver]) {
        received += texts(receiver.takeEvents())
        return !received.isEmpty
      }
      #expect(received == ["online"])
    }
  }

  /// A message that stood at a topic before somebody asked may be hours old; one that comes from then on is new,
  /// retained or not.
  @Test func whatStoodAtATopicBeforeIsNoNews() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let sender = try MQTTClient(settings(broker, "p"))
      publish("old", to: "boat/current", sender, isRetained: true)
      try run([sender]) { sender.isConnected && !sender.isWaiting }
      let (reader, other) = (try MQTTClient(settings(broker, "q")), try MQTTClient(settings(broker, "r")))
      reader.subscribe(to: "boat/current", takesOld: false)
      other.subscribe(to: "boat/current")
      var heard: [String] = []
      try run([reader, other]) {
        heard += texts(other.takeEvents())
        return reader.isConnected && !heard.isEmpty
      }
      #expect(heard == ["old"])
      var received: [String] = []
      try run([sender, reader]) {
        publish("new", to: "boat/current", sender, isRetained: true)
        received += texts(reader.takeEvents())
        return !received.isEmpty
      }
      #expect(received.first == "new")
    }
  }

  @Test func aBrokerThatGoesAwayIsFoundAgain() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let client = try MQTTClient(settings(broker, "c"))
      try run([client]) { client.isConnected }
      #expect(client.takeEvents() == [.connected])
      broker.stop()
      try run([client]) { !client.isConnected }
      publish("1", to: "t", client)
      publish("2", to: "t", client)
      publish("state", to: "s", client, isRetained: true)
      let away = client.takeEvents()
      #expect(away.count == 1)
      if case .away? = away.first {} else { Issue.record("told \(away) of a broker that is away") }
      #expect(client.lostCount == 2)
      try broker.start()
      try run([client]) { client.isConnected && !client.isWaiting }
      // What is retained waited for the broker.
      let reader = try MQTTClient(settings(broker, "d"))
      reader.subscribe(to: "s")
      var received: [String] = []
      try run([client, reader]) {
        received += texts(reader.takeEvents())
        return !received.isEmpty
      }
      #expect(received == ["state"])
    }
  }

  /// Each time a broker is back, what it should know is asked for again, once. One that breaks off as soon as it has
  /// greeted, as some do where a client may not publish, is looked for after one second, after two, and so on.
  @Test func aTopicIsAskedForOnce() throws {
    let broker = try OldBroker(saysSo: true)
    let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-s"))
    for count in 1...2 {
      client.subscribe(to: "homeassistant/status")
      try run([client]) {
        broker.serve()
        return client.isConnected && broker.subscriptions.count == count && broker.subscriptions[count - 1] > 0
      }
      client.subscribe(to: "homeassistant/status")
      broker.hangUp()
      try run([client]) { !client.isConnected }
      #expect(try #require(client.wakeTime) - .now > Double(count) - 0.5)
    }
    #expect(broker.subscriptions == [1, 1])
  }

  /// A client may leave out its own messages, and hears those of others.
  @Test func itsOwnMessagesAreLeftOut() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let (one, two) = (try MQTTClient(settings(broker, "t")), try MQTTClient(settings(broker, "u")))
      one.subscribe(to: "boat/status", takesOwn: false)
      try run([one, two]) { one.isConnected && two.isConnected }
      #expect(!one.hearsItself)
      publish("mine", to: "boat/status", one)
      try run([one]) { !one.isWaiting }
      publish("yours", to: "boat/status", two)
      var received: [String] = []
      try run([one, two]) {
        received += texts(one.takeEvents())
        return !received.isEmpty
      }
      #expect(received == ["yours"])
    }
  }

  @Test func theLastWillIsSaid() throws {
    try TemporaryFolder.with { folder in
      let broker = try Broker(in: folder)
      let watcher = try MQTTClient(settings(broker, "e"))
      watcher.subscribe(to: "boat/status")
      try run([watcher]) { watcher.isConnected }
      var will = settings(broker, "f")
      will.will = ("boat/status", "offline")
      var client: MQTTClient? = try MQTTClient(will)
      try run([watcher] + [client].compactMap { $0 }) { client?.isConnected == true }
      client = nil
      var received: [String] = []
      try run([watcher]) {
        received += texts(watcher.takeEvents())
        return !received.isEmpty
      }
      #expect(received == ["offline"])
    }
  }

  @Test func aWrongPasswordIsTold() throws {
    try TemporaryFolder.with { folder in
      let passwords = folder + "/passwords"
      // mosquitto_passwd's line for user `boat` and password `right` (PBKDF2-SHA512).
      let maker = try #require(
        ChildProgram("/usr/bin/mosquitto_passwd", arguments: ["-b", "-c", passwords, "boat", "right"]))
      #expect(maker.exitCode() == 0)
      let broker = try Broker(in: folder, ["allow_anonymous false", "password_file \(passwords)"])
      var wrong = settings(broker, "g")
      (wrong.user, wrong.password) = ("boat", "wrong")
      let client = try MQTTClient(wrong)
      var events: [MQTTClient.Event] = []
      try run([client]) {
        events += client.takeEvents()
        return !events.isEmpty
      }
      #expect(events == [.away(.rejected, reason: "not authorized")])
      var right = settings(broker, "h")
      (right.user, right.password) = ("boat", "right")
      let known = try MQTTClient(right)
      try run([known]) { known.isConnected }
      #expect(known.isConnected)
    }
  }

  /// A list of topics that a user may write to: what is not taken is counted, and told with its topic.
  @Test func whatTheBrokerDoesNotTakeIsTold() throws {
    try TemporaryFolder.with { folder in
      try AtomicFile.write(Array("topic write boat/#\n".utf8), to: folder + "/topics")
      let broker = try Broker(in: folder, ["allow_anonymous true", "acl_file \(folder)/topics"])
      let client = try MQTTClient(settings(broker, "n"))
      for _ in 0..<3 { publish("1", to: "boat/stream", client) }
      for _ in 0..<4 { publish("1", to: "car/stream", client) }
      publish("1", to: "car", client, isRetained: true)
      try run([client]) { client.isConnected && !client.isWaiting }
      #expect(client.lostCount == 4)
      #expect(
        client.takeEvents() == [
          .connected, .refused(topic: "car/stream", reason: "not authorized"),
          .refused(topic: "car", reason: "not authorized"),
        ])
    }
  }

  /// Brokers of long ago speak MQTT 3.1.1 only: some say so, others break off.
  @Test(arguments: [true, false]) func brokersOfTheVersionBeforeAreSpokenTo(saysSo: Bool) throws {
    let broker = try OldBroker(saysSo: saysSo)
    let client = try MQTTClient(MQTTSettings(endpoint: broker.endpoint, clientID: "lodestone-test-o"))
    publish("1", to: "boat/stream", client)
    try run([client]) {
      broker.serve()
      return client.isConnected && !client.isWaiting
    }
    #expect(broker.levels == [5, 4])
    #expect(client.takeEvents() == [.connected] && client.lostCount == 0)
  }

  /// Somebody listens at the port and never answers.
  @Test func whatNobodyConfirmsIsLostAndCounted() throws {
    let mute = try ListeningSocket(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    let client = try MQTTClient(
      MQTTSettings(endpoint: NetworkEndpoint(host: "127.0.0.1", port: mute.port), clientID: "lodestone-test-m"))
    for number in 0..<5 { publish("\(number)", to: "boat/stream", client) }
    publish("5", to: "boat", client, isRetained: true)
    try client.finish(until: .now + 0.2)
    #expect(client.lostCount == 5)
    try client.finish(until: .now + 0.2)
    #expect(client.lostCount == 5)
  }

  @Test func missingCertificatesAreTold() {
    var settings = MQTTSettings(endpoint: NetworkEndpoint(host: "127.0.0.1", port: 8883), clientID: "i")
    settings.isEncrypted = true
    settings.caFile = "/nonexistent/ca.pem"
    #expect(throws: MQTTError.badCertificates("/nonexistent/ca.pem")) { try MQTTClient(settings) }
  }

  @Test func encryptionChecksTheCertificate() throws {
    try TemporaryFolder.with { folder in
      let maker = try #require(
        ChildProgram(
          "/usr/bin/openssl",
          arguments: [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
          ], joinsErrors: true))
      #expect(maker.exitCode() == 0)
      let broker = try Broker(
        in: folder, ["allow_anonymous true", "certfile \(folder)/cert.pem", "keyfile \(folder)/key.pem"])
      var trusting = MQTTSettings(
        endpoint: NetworkEndpoint(host: "localhost", port: broker.endpoint.port), clientID: "lodestone-test-j")
      trusting.isEncrypted = true
      trusting.caFile = folder + "/cert.pem"
      let client = try MQTTClient(trusting)
      try run([client]) { client.isConnected }
      #expect(client.isConnected)
      // The same certificate under a name that it does not hold.
      trusting.endpoint.host = "127.0.0.1"
      trusting.clientID = "lodestone-test-k"
      let doubting = try MQTTClient(trusting)
      var events: [MQTTClient.Event] = []
      try run([doubting]) {
        events += doubting.takeEvents()
        return !events.isEmpty
      }
      #expect(!doubting.isConnected && !events.isEmpty)
    }
  }
}

/// A broker that speaks MQTT 3.1.1 only, as far as a client with one message needs it.
private final class OldBroker {
  let endpoint: NetworkEndpoint
  /// The versions that clients have asked for.
  private(set) var levels: [UInt8] = []
  private let listener: Int32
  /// How often topics were asked for, in each session.
  private(set) var subscriptions: [Int] = []
  private let saysSo: Bool
  private var client: Int32 = -1

  init(saysSo: Bool) throws {
    let socket = try ListeningSocket(at: NetworkEndpoint(host: "127.0.0.1", port: 0))
    endpoint = NetworkEndpoint(host: "127.0.0.1", port: socket.port)
    listener = socket.release()
    self.saysSo = saysSo
    listen(listener, 4)
  }

  deinit {
    close(client)
    close(listener)
  }

  /// Answers what has come.
  func serve() {
    if client < 0 { client = accept(listener, nil, nil) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 4 else { return }
    var packet = bytes.prefix(count)
    while let kind = packet.first {
      // Each packet is shorter than 128 bytes: one byte of length.
      let body = packet.dropFirst(2).prefix(Int(packet.dropFirst().first ?? 0))
      packet = packet.dropFirst(2 + body.count)
      guard answer(kind >> 4, Array(body)) else { return }
    }
  }

  /// Answers a packet; false when the connection is over.
  private func answer(_ kind: UInt8, _ body: [UInt8]) -> Bool {
    if kind == 1 {
      levels.append(body[6])
      let isOld = body[6] == 4
      if isOld { subscriptions.append(0) }
      if isOld || saysSo { reply([0x20, 2, 0, isOld ? 0 : 1]) }
      guard !isOld else { return true }
      close(client)
      client = -1
      return false
    }
    if kind == 8 { subscriptions[subscriptions.count - 1] += 1 }
    guard kind == 3 else { return true }
    let topicCount = Int(body[0]) << 8 + Int(body[1])
    reply([0x40, 2, body[topicCount + 2], body[topicCount + 3]])
    return true
  }

  /// Ends the connection.
  func hangUp() {
    close(client)
    client = -1
  }

  private func reply(_ bytes: [UInt8]) { _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
}
