import LodestonePorts

/// The connection to a broker. It is made again when it breaks; a first one that fails is an error.
final class BrokerLink: ByteLink {
  let isLive = true
  let sender = StreamNotice.Silent.publisher
  let name: String
  var identity: String { name }
  private let messages: BrokerMessages
  var presence: Presence
  private var isThere = false

  init(to address: MQTTAddress, reconnects: Bool) throws(StreamError) {
    name = address.description
    presence = Presence(isAwaited: reconnects, isConnection: true)
    let topics = [address.ofState.topic + MQTTAddress.streamEnd, address.topic]
    do throws(MQTTError) {
      var settings = try MQTTSettings(address)
      settings.clientID += "-reader"
      messages = BrokerMessages(try MQTTClient(settings), BrokerLines(of: topics))
    } catch {
      throw .broker(name, error)
    }
    // A message that stood at a topic before may be hours old: it is no reading of now.
    for topic in topics { messages.client.subscribe(to: topic, takesOld: false) }
  }

  var source: (any ByteSource)? { isThere ? messages : nil }
  var descriptor: Int32? { messages.descriptor < 0 ? nil : messages.descriptor }
  var interest: Poller.Interest { messages.client.interest }
  var wakeTime: MonotonicTime? { messages.client.wakeTime }
  var lossReason: String? { if case .away(_, let reason)? = messages.lines.absence { reason } else { nil } }
  var lossError: StreamError? { messages.lines.isDenied ? .broker(name, .denied) : nil }

  func close() { isThere = false }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    messages.tend()
    if let absence = messages.lines.absence, !presence.wasFound { throw .broker(name, absence) }
    if let lossError { throw lossError }
    isThere = messages.client.isConnected
    return isThere
  }
}

/// The messages of a broker as lines, one after the other. Where every record comes by a stream's topic, and the latest
/// of them by the topic itself, the stream's are read; other programs have no stream beside their topic.
struct BrokerLines {
  /// Why the broker is not there; nil while it is, or is being looked for the first time.
  private(set) var absence: MQTTError?
  /// Whether the broker lets this user read none of the topics.
  var isDenied: Bool { denialCount > 0 && denialCount >= topics.count }
  /// The stream's, and the topic itself where that is another.
  private let topics: Set<String>
  private let stream: String?
  private var hasStream = false
  private var denialCount = 0
  private var bytes: [UInt8] = []
  private var position = 0

  /// No record is longer, in bytes; a message that is comes from somebody else.
  private static let longest = 65_536

  /// Nothing yet of these topics, the stream's first.
  init(of topics: [String] = []) { (self.topics, stream) = (Set(topics), topics.first) }

  /// Takes in what has happened.
  mutating func take(_ event: MQTTClient.Event) {
    switch event {
    case .connected: (absence, denialCount) = (nil, 0)
    case .away(let trouble, let reason): absence = .away(trouble, reason: reason)
    case .denied: denialCount += 1
    case .refused: break  // nothing is published here
    case .message(let topic, let payload):
      if topic == stream { hasStream = true }
      guard topic == stream || !hasStream, payload.count <= Self.longest else { return }
      bytes += payload
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// All that came has been read.
  var isEmpty: Bool { position == bytes.count }

  /// The next bytes; how many.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<position + count])
    position += count
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      position = 0
    }
    return count
  }
}

/// The lines of a broker's messages as they come.
private final class BrokerMessages: ByteSource {
  let client: MQTTClient
  private(set) var lines: BrokerLines
  private var poller = Poller()

  init(_ client: MQTTClient, _ lines: BrokerLines) { (self.client, self.lines) = (client, lines) }

  var descriptor: Int32 { client.descriptor }

  /// Does what can be done without waiting.
  func tend() {
    client.watch(with: &poller)
    _ = try? poller.wait(until: .now)
    client.serve(poller)
    for event in client.takeEvents() { lines.take(event) }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    if lines.isEmpty { tend() }
    guard !lines.isEmpty else { return lines.absence == nil && !lines.isDenied ? .wouldBlock : .gone }
    return .bytes(lines.read(into: buffer))
  }
}
