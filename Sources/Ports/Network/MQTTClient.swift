/// How to reach a broker.
public struct MQTTSettings: Sendable {
  /// Host and port; 1883, or 8883 where encrypted, is usual.
  public var endpoint: NetworkEndpoint
  /// TLS, with the broker's certificate checked.
  public var isEncrypted = false
  /// Certificates to trust; nil for the system's.
  public var caFile: String?
  /// A name for the broker's list of users; nil for none.
  public var user: String?
  /// Goes with `user`.
  public var password: String?
  /// The broker knows a client by it: no two at the same time.
  public var clientID: String
  /// What the broker says, retained, when the client is gone without a word.
  public var will: (topic: String, payload: String)?

  /// Settings for a broker.
  public init(endpoint: NetworkEndpoint, clientID: String) {
    self.endpoint = endpoint
    self.clientID = clientID
  }
}

/// Why there is no client: the facts, for the command to word.
public enum MQTTError: Error, Equatable, Sendable {
  /// libmosquitto is not installed.
  case libraryMissing
  /// A file or folder of certificates that can't be read.
  case badCertificates(String)
  /// The library's own words.
  case refused(String)
  /// The broker does not let this user read the topic.
  case denied
  /// No descriptor or thread.
  case system(SystemError)
}

/// A client of an MQTT broker whose socket joins the poll loop. Nothing in it waits: what the broker does not take in
/// time is dropped, the oldest first, and counted. A broker that goes away is looked for again, at growing intervals.
public final class MQTTClient {
  /// What happened.
  public enum Event: Equatable, Sendable {
    /// The broker is there: say again what it should know.
    case connected
    /// It is not there, or not any more; it is looked for again. Told once for each time.
    case away(reason: String)
    case message(topic: String, payload: [UInt8])
    /// The broker does not let this user read a topic that was asked for.
    case denied
    /// The broker does not take what is published at a topic, and why. Told once for each topic and connection.
    case refused(topic: String, reason: String)
  }

  private enum State {
    /// A thread connects; its answer comes by `answers`.
    case connecting
    /// The socket stands, the broker has not answered.
    case greeting
    case connected
    /// To be tried again.
    case waiting(until: MonotonicTime)
  }

  private struct Message {
    var topic: String
    var payload: [UInt8]
    var isRetained: Bool
  }

  /// Messages that were dropped because the broker was away or slow.
  public private(set) var lostCount = 0
  private let settings: MQTTSettings
  private let link: MQTTLink
  private let answers: Handover<String?>
  private var state = State.connecting
  private var queue: [Message] = []
  /// Handed to the library, under its numbers, and not confirmed.
  private var unconfirmed: [(id: Int32, message: Message)] = []
  private var events: [Event] = []
  private var topics: [String] = []
  private var pause = Pauses.first
  private var isAway = false
  private var refusedTopics: Set<String> = []
  private var nextTending = MonotonicTime.now
  private var watched: Int32 = -1

  /// Seconds between attempts.
  private enum Pauses {
    static let first = 1.0
    static let longest = 60.0
  }

  /// Messages that may wait here.
  private static let queueLimit = 1000
  /// Messages that the library may have at a time.
  private static let flightLimit = 20

  /// Begins to connect; `serve` tells when the broker is there.
  public init(_ settings: MQTTSettings) throws(MQTTError) {
    self.settings = settings
    link = try MQTTLink(settings)
    do throws(SystemError) {
      answers = try Handover(capacity: 4)
    } catch {
      throw .system(error)
    }
    connect()
  }

  /// The broker is there.
  public var isConnected: Bool { if case .connected = state { true } else { false } }

  /// Something has not arrived yet.
  public var isWaiting: Bool { !queue.isEmpty || !unconfirmed.isEmpty }

  /// Wants messages of a topic, from now on and after each time the broker was away.
  public func subscribe(to topic: String) {
    topics.append(topic)
    if isConnected { _ = link.subscribe(topic) }
  }

  /// Sends a message; the broker keeps the last one of a topic that is retained.
  public func publish(_ payload: UnsafeRawBufferPointer, to topic: String, isRetained: Bool = false) {
    if queue.count >= Self.queueLimit {
      queue.removeFirst()
      lostCount += 1
    }
    // Until it is known that the broker is away, it is about to be there.
    guard !isAway || isRetained else {
      lostCount += 1
      return
    }
    if isRetained { queue.removeAll { $0.isRetained && $0.topic == topic } }
    queue.append(Message(topic: topic, payload: Array(payload), isRetained: isRetained))
    pump()
  }

  /// What happened since the last call.
  public func takeEvents() -> [Event] {
    defer { events.removeAll() }
    return events
  }

  // MARK: - The poll loop

  /// When to serve it though nothing became ready.
  public var wakeTime: MonotonicTime? {
    switch state {
    case .connecting: nil
    case .waiting(let time): time
    case .greeting, .connected: nextTending
    }
  }

  /// What it waits for now; −1 while only time can bring more.
  public var descriptor: Int32 {
    switch state {
    case .connecting: answers.descriptor
    case .waiting: -1
    case .greeting, .connected: link.socket
    }
  }

  /// Until that is readable, or writable.
  public var interest: Poller.Interest { isOurs && link.wantsWrite ? [.readable, .writable] : .readable }

  /// Watches what it waits for. Call before each wait.
  public func watch(with poller: inout Poller) {
    poller.watch(answers.descriptor, for: .readable)
    let socket = isOurs ? link.socket : -1
    if socket != watched { poller.forget(watched) }
    watched = socket
    poller.watch(socket, for: interest)
  }

  /// Does what can be done without waiting. Call after each wait.
  public func serve(_ poller: Poller) {
    if let failure = answers.take() {
      if let failure { retry(failure) } else { state = .greeting }
    }
    if case .waiting(let time) = state, time <= .now { connect() }
    guard isOurs else { return }
    let readiness = poller.readiness(of: watched)
    var code: Int32 = 0
    if !readiness.subtracting(.writable).isEmpty { code = link.read() }
    if code == 0, link.wantsWrite { code = link.write() }
    if code == 0, nextTending <= .now {
      nextTending = .now + 1
      code = link.tend()
    }
    note(code)
    pump()
  }

  /// The library's handle belongs to the loop: no thread connects with it.
  private var isOurs: Bool {
    switch state {
    case .greeting, .connected: true
    case .connecting, .waiting: false
    }
  }

  private func note(_ code: Int32) {
    for event in link.takeEvents() {
      switch event {
      case .accepted: welcome()
      case .rejected(let reason): retry(reason)
      case .versionRejected: fail("it does not speak MQTT 5 or 3.1.1")
      // The library may say so twice.
      case .lost(let reason): if isOurs { fail(reason) }
      case .delivered(let id): _ = confirmed(id)
      case .refused(let id, let reason): refuse(id, reason)
      case .message(let topic, let payload): events.append(.message(topic: topic, payload: payload))
      case .denied: events.append(.denied)
      }
    }
    if code != 0, isOurs { fail(MQTTLink.words(code)) }
  }

  /// The message of a number, which is heard of no more.
  private func confirmed(_ id: Int32) -> Message? {
    unconfirmed.firstIndex { $0.id == id }.map { unconfirmed.remove(at: $0).message }
  }

  private func refuse(_ id: Int32, _ reason: String) {
    guard let message = confirmed(id) else { return }
    if !message.isRetained { lostCount += 1 }
    guard refusedTopics.insert(message.topic).inserted else { return }
    events.append(.refused(topic: message.topic, reason: reason))
  }

  /// A broker that breaks off before it has greeted may want the other version of the protocol.
  private func fail(_ reason: String) {
    if case .greeting = state, link.changeVersion() { return connect() }
    retry(reason)
  }

  private func welcome() {
    state = .connected
    isAway = false
    refusedTopics = []
    pause = Pauses.first
    for topic in topics { _ = link.subscribe(topic) }
    events.append(.connected)
  }

  private func retry(_ reason: String) {
    state = .waiting(until: .now + pause)
    pause = min(Pauses.longest, pause * 2)
    lostCount += queue.count { !$0.isRetained }
    queue.removeAll { !$0.isRetained }
    if !isAway { events.append(.away(reason: reason)) }
    isAway = true
  }

  private func connect() {
    state = .connecting
    let (link, answers, endpoint) = (link, answers, settings.endpoint)
    do throws(SystemError) {
      _ = try BackgroundThread { _ = answers.put(link.connect(to: endpoint)) }
    } catch {
      retry(error.message)
    }
  }

  /// Hands waiting messages to the library, as many as it may have.
  private func pump() {
    guard isConnected else { return }
    var count = 0
    while count < queue.count, unconfirmed.count < Self.flightLimit {
      let message = queue[count]
      let id = message.payload.withUnsafeBytes { link.publish(message.topic, $0, isRetained: message.isRetained) }
      guard let id else { break }
      unconfirmed.append((id, message))
      count += 1
    }
    queue.removeFirst(count)
  }

  /// Gives the broker until the deadline to take what waits, and says goodbye. What it has not confirmed then is lost.
  public func finish(until deadline: MonotonicTime) throws(SystemError) {
    var poller = Poller()
    while isConnected, isWaiting, MonotonicTime.now < deadline {
      watch(with: &poller)
      try poller.wait(until: min(deadline, .now + 0.2))
      serve(poller)
    }
    lostCount += (queue + unconfirmed.map { $0.message }).count { !$0.isRetained }
    (queue, unconfirmed) = ([], [])
    guard isOurs else { return }
    link.disconnect()
    _ = link.write()
  }
}
