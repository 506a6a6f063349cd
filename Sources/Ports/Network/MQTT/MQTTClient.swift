/// A client of an MQTT broker whose socket joins the poll loop. Nothing in it waits: what the broker does not take in
/// time is dropped, the oldest first, and counted. A broker that goes away is looked for again, at growing intervals.
///
/// It speaks MQTT 5, and 3.1.1 with brokers that do not. Whatever a broker sends costs a bounded amount of memory, and
/// at worst the connection.
public final class MQTTClient {
  /// A change in the connection, or a message.
  public enum Event: Equatable, Sendable {
    /// The broker is there: say again what it should know.
    case connected
    /// It is not there, or not any more; it is looked for again. Told once for each time.
    case away(BrokerTrouble, reason: String)
    case message(topic: String, payload: [UInt8])
    /// The broker does not let this user read a topic that was asked for.
    case denied
    /// The broker does not take what is published at a topic, and why. Told once for each topic and connection.
    case refused(topic: String, reason: String)
  }

  private enum State {
    /// A connection comes about.
    case connecting(BrokerConnection)
    /// It stands, the broker has not answered.
    case greeting(BrokerConnection)
    case connected(BrokerConnection)
    /// To be tried again.
    case waiting(until: MonotonicTime)
  }

  /// Messages that were dropped because the broker was away or slow.
  public private(set) var lostCount = 0
  private let settings: MQTTSettings
  private let context: TLSContext?
  private var version = MQTTVersion.five
  private var state = State.waiting(until: .now)
  private var framer = MQTTFramer()
  private var limits = MQTTLimits()
  private var queue: [MQTTMessage] = []
  /// Sent under these numbers, and not confirmed.
  private var unconfirmed: [(id: UInt16, message: MQTTMessage)] = []
  private var lastID: UInt16 = 0
  private var events: [Event] = []
  private var topics: [MQTTSubscription] = []
  private var pause = Pauses.first
  private var greeted = MonotonicTime.now
  private var isAway = false
  private var refusedTopics: Set<String> = []
  /// When the next step of connecting must have come, or the broker is to be asked whether it lives.
  private var due = MonotonicTime.now
  private var isAsked = false
  private var watched: Int32 = -1

  /// Seconds between attempts: they double, until a connection has stood for a while. Some brokers greet a client and
  /// break off when it publishes what it may not.
  private enum Pauses {
    static let first = 1.0
    static let longest = 60.0
    static let good = 10.0
  }

  /// Seconds for a connection to stand, and for a broker to greet.
  private static let patience = 10.0
  /// Seconds after which the broker may take a silent client for gone; it is asked twice as often.
  private static let keepAlive = 30
  /// Messages that may wait here.
  private static let queueLimit = 1000
  /// Messages that may be unconfirmed at a time.
  private static let flightLimit = 20
  /// Bytes that may wait for the network before more messages are handed to it.
  private static let unsentLimit = 65_536

  /// Begins to connect; `serve` tells when the broker is there.
  public init(_ settings: MQTTSettings) throws(MQTTError) {
    self.settings = settings
    do throws(TLSContext.Problem) {
      context = settings.isEncrypted ? try TLSContext(trusting: settings.caFile) : nil
    } catch {
      switch error {
      case .libraryMissing: throw .libraryMissing
      case .badCertificates(let path): throw .badCertificates(path)
      }
    }
    connect()
  }

  /// The broker is there.
  public var isConnected: Bool { if case .connected = state { true } else { false } }

  /// Something has not arrived yet.
  public var isWaiting: Bool { !queue.isEmpty || !unconfirmed.isEmpty }

  /// Wants messages of a topic, from now on and after each time the broker was away.
  /// - Parameters:
  ///   - takesOld: also the one that stands there from before, nobody knows for how long.
  ///   - takesOwn: also those of this client; where it `hearsItself` they come in any case.
  public func subscribe(to topic: String, takesOld: Bool = true, takesOwn: Bool = true) {
    guard !topics.contains(where: { $0.filter == topic }) else { return }
    let subscription = MQTTSubscription(filter: topic, takesOld: takesOld, takesOwn: takesOwn)
    topics.append(subscription)
    guard case .connected(let connection) = state else { return }
    attempt { () throws(BrokerFailure) in try ask(for: subscription, connection) }
  }

  /// The broker sends a client its own messages in any case: MQTT 3.1.1 knows no other way.
  public var hearsItself: Bool { version == .four }

  /// Sends a message; the broker keeps the last one of a topic that is retained.
  public func publish(_ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool = false) {
    if queue.count >= Self.queueLimit {
      // A retained message is kept: without it the one before would stand at its topic. Few topics have any.
      queue.remove(at: queue.firstIndex { !$0.isRetained } ?? 0)
      lostCount += 1
    }
    // Until it is known that the broker is away, it is about to be there.
    guard !isAway || isRetained else {
      lostCount += 1
      return
    }
    if isRetained { queue.removeAll { $0.isRetained && $0.topic == topic } }
    queue.append(MQTTMessage(topic: topic, payload: Array(payload), isRetained: isRetained))
    attempt { () throws(BrokerFailure) in try pump() }
  }

  /// The events since the last call.
  public func takeEvents() -> [Event] {
    defer { events.removeAll() }
    return events
  }

  // MARK: - The poll loop

  /// When to serve it though nothing became ready.
  public var wakeTime: MonotonicTime? {
    if case .waiting(let time) = state { time } else { connection?.deadline.map { min($0, due) } ?? due }
  }

  /// The descriptor to wait for now; −1 while only time can bring more.
  public var descriptor: Int32 { connection?.descriptor ?? -1 }

  /// Until that is readable, or writable.
  public var interest: Poller.Interest { connection?.interest ?? .readable }

  private var connection: BrokerConnection? {
    switch state {
    case .connecting(let connection), .greeting(let connection), .connected(let connection): connection
    case .waiting: nil
    }
  }

  /// Watches what it waits for. Call before each wait.
  public func watch(with poller: inout Poller) {
    if descriptor != watched { poller.forget(watched) }
    watched = descriptor
    poller.watch(watched, for: interest)
  }

  /// Does what can be done without waiting. Call after each wait.
  public func serve(_ poller: Poller) {
    let isReady = watched == descriptor && !poller.readiness(of: watched).isEmpty
    attempt { () throws(BrokerFailure) in try advance(isReady: isReady, .now) }
  }

  /// Does something with the connection; one that fails is given up.
  private func attempt(_ body: () throws(BrokerFailure) -> Void) {
    do throws(BrokerFailure) { try body() } catch { retry(error) }
  }

  private func advance(isReady: Bool, _ now: MonotonicTime) throws(BrokerFailure) {
    switch state {
    case .waiting(let time):
      if time <= now { connect() }
    case .connecting(let connection):
      guard try connection.advance() else {
        guard now < due else { throw BrokerFailure("no answer", .unreachable) }
        return
      }
      try greet(connection, now)
    case .greeting(let connection):
      do throws(BrokerFailure) {
        try exchange(connection)
      } catch {
        try changeVersion(error)
      }
      if case .greeting = state, due <= now { throw BrokerFailure("the broker does not answer") }
    case .connected(let connection):
      if isReady { try exchange(connection) }
      try tend(now)
      try pump()
    }
  }

  private func connect() {
    framer = MQTTFramer()
    limits = MQTTLimits()
    due = .now + Self.patience
    attempt { () throws(BrokerFailure) in state = .connecting(try BrokerConnection(to: settings.endpoint, context)) }
  }

  private func greet(_ connection: BrokerConnection, _ now: MonotonicTime) throws(BrokerFailure) {
    due = now + Self.patience
    state = .greeting(connection)
    var bytes: [UInt8] = []
    MQTTWriting(version: version).connect(settings, keepAlive: Self.keepAlive, to: &bytes)
    try connection.send(bytes)
  }

  /// A broker that breaks off before it has greeted may want the version before: those of long ago do not say so.
  private func changeVersion(_ failure: BrokerFailure) throws(BrokerFailure) {
    guard case .greeting = state, version == .five else { throw failure }
    version = .four
    connect()
  }

  private func retry(_ failure: BrokerFailure) {
    version = .five
    if isConnected, .now - greeted > Pauses.good { pause = Pauses.first }
    state = .waiting(until: .now + pause)
    pause = min(Pauses.longest, pause * 2)
    lostCount += queue.count { !$0.isRetained }
    // What was on its way may have arrived or not: it is sent again.
    queue = unconfirmed.map { $0.message } + queue.filter { $0.isRetained }
    unconfirmed = []
    // What breaks off behind a refusal is no other reason.
    guard !isAway else { return }
    isAway = true
    events.append(.away(failure.trouble, reason: failure.reason))
  }

  // MARK: - Packets

  private func exchange(_ connection: BrokerConnection) throws(BrokerFailure) {
    try connection.flush()
    try connection.receive { bytes throws(BrokerFailure) in
      let packets: [MQTTFramer.Packet]
      do throws(MQTTFault) { packets = try framer.append(bytes) } catch { throw BrokerFailure(error.reason) }
      // What is no CONNACK need not be waited for until it is whole.
      if case .greeting = state, framer.greeting != 0x20 { throw BrokerFailure(MQTTFault.malformed.reason) }
      for packet in packets { try take(packet, connection) }
    }
  }

  private func take(_ packet: MQTTFramer.Packet, _ connection: BrokerConnection) throws(BrokerFailure) {
    let content: MQTTPacket
    do throws(MQTTFault) { content = try MQTTPacket(packet, version) } catch { throw BrokerFailure(error.reason) }
    switch (content, state) {
    case (.connected(0, let limits), .greeting): try welcome(connection, limits)
    case (.connected(let code, _), .greeting):
      // An account that is not let in is so in either version.
      let failure = BrokerFailure(MQTTReason.words(code), MQTTReason.areOfUser(code) ? .rejected : .other)
      if code == 1 || code == 0x84 { throw failure }
      retry(failure)
    case (.published(let topic, let payload, let id, let isOld), .connected):
      if let id { try write(connection) { $1.confirm(id, to: &$0) } }
      if let payload, topics.contains(where: { topic.isOf(filter: $0.filter) && ($0.takesOld || !isOld) }) {
        events.append(.message(topic: topic, payload: payload))
      }
    case (.confirmed(let id, let code), .connected): confirm(id, code)
    case (.subscribed(let codes), .connected): if codes.contains(where: { $0 >= 0x80 }) { events.append(.denied) }
    case (.alive, .connected): isAsked = false
    case (.dismissed(let code), _): throw BrokerFailure(MQTTReason.words(code))
    case (_, .waiting): return
    default: throw BrokerFailure(MQTTFault.malformed.reason)
    }
  }

  private func write(
    _ connection: BrokerConnection, _ append: (inout [UInt8], MQTTWriting) -> Void
  ) throws(BrokerFailure) {
    var bytes: [UInt8] = []
    append(&bytes, MQTTWriting(version: version))
    try connection.send(bytes)
  }

  private func welcome(_ connection: BrokerConnection, _ limits: MQTTLimits) throws(BrokerFailure) {
    state = .connected(connection)
    self.limits = limits
    isAway = false
    isAsked = false
    refusedTopics = []
    greeted = .now
    due = .now + pingInterval
    for topic in topics { try ask(for: topic, connection) }
    events.append(.connected)
  }

  private func ask(for topic: MQTTSubscription, _ connection: BrokerConnection) throws(BrokerFailure) {
    let id = nextID()
    try write(connection) { $1.subscribe(topic, id: id, to: &$0) }
  }

  /// The next number that no message has.
  private func nextID() -> UInt16 {
    repeat { lastID = lastID == .max ? 1 : lastID + 1 } while unconfirmed.contains { $0.id == lastID }
    return lastID
  }

  private var pingInterval: Double { Double(min(limits.keepAlive ?? Self.keepAlive, Self.keepAlive)) / 2 }

  /// Asks whether the broker lives, and gives it up where it did not answer the last time.
  private func tend(_ now: MonotonicTime) throws(BrokerFailure) {
    guard due <= now, case .connected(let connection) = state else { return }
    guard !isAsked else { throw BrokerFailure("the broker does not answer") }
    isAsked = true
    due = now + max(1, pingInterval)
    try write(connection) { $1.ping(to: &$0) }
  }

  /// The broker has a message, or does not take it.
  private func confirm(_ id: UInt16, _ code: UInt8) {
    guard let index = unconfirmed.firstIndex(where: { $0.id == id }) else { return }
    let message = unconfirmed.remove(at: index).message
    if code >= 0x80 { refuse(message, MQTTReason.words(code)) }
  }

  private func refuse(_ message: MQTTMessage, _ reason: String) {
    if !message.isRetained { lostCount += 1 }
    guard refusedTopics.insert(message.topic).inserted else { return }
    events.append(.refused(topic: message.topic, reason: reason))
  }

  /// Sends waiting messages, as many as the broker and the network take at a time.
  private func pump() throws(BrokerFailure) {
    guard case .connected(let connection) = state else { return }
    while !queue.isEmpty, unconfirmed.count < min(Self.flightLimit, limits.unconfirmed),
      connection.unsentCount < Self.unsentLimit
    {
      let message = queue.removeFirst()
      guard message.byteCount <= limits.packetByteCount else {
        refuse(message, MQTTReason.words(0x95))
        continue
      }
      let id = limits.confirms ? nextID() : nil
      if let id { unconfirmed.append((id, message)) }
      let isRetained = message.isRetained && limits.retains
      try write(connection) { $1.publish(message, id: id, isRetained: isRetained, to: &$0) }
    }
  }

  // MARK: - The end

  /// Gives the broker until the deadline to greet, or until a signal asks the program to end.
  public func meet(until deadline: MonotonicTime) throws(SystemError) {
    try serve(until: deadline) { !isConnected && !isAway }
  }

  /// Gives the broker as long to take what waits, and says goodbye. What it has not confirmed then is lost.
  public func finish(until deadline: MonotonicTime) throws(SystemError) {
    try serve(until: deadline) { isWaiting && !isAway }
    lostCount += (queue + unconfirmed.map { $0.message }).count { !$0.isRetained }
    (queue, unconfirmed) = ([], [])
    guard case .connected(let connection) = state else { return }
    try? write(connection) { $1.disconnect(to: &$0) }
  }

  private func serve(until deadline: MonotonicTime, while isWanted: () -> Bool) throws(SystemError) {
    var poller = Poller()
    while isWanted(), MonotonicTime.now < deadline, !Signals.haveArrived {
      watch(with: &poller)
      _ = try poller.waitUnlessAsked(until: [deadline, .now + 0.2, wakeTime ?? deadline].min())
      serve(poller)
    }
  }
}

extension String {
  /// Whether a topic is one that a subscription asks for (MQTT 3.1.1, 4.7): `+` is any level, `#` all that follow.
  fileprivate func isOf(filter: String) -> Bool {
    if self == filter { return true }
    let levels = split(separator: "/", omittingEmptySubsequences: false)
    let wanted = filter.split(separator: "/", omittingEmptySubsequences: false)
    let isOpen = wanted.last == "#"
    guard isOpen ? levels.count >= wanted.count - 1 : levels.count == wanted.count else { return false }
    return zip(levels, isOpen ? wanted.dropLast() : wanted[...]).allSatisfy { $1 == "+" || $0 == $1 }
  }
}
