import LodestonePorts

/// The connection to a broker. It is made again when it breaks; a first one that fails is an error.
final class BrokerLink: ByteLink {
  let isLive = true
  let name: String
  var identity: String { name }
  private let messages: BrokerMessages
  var presence: Presence
  private var isThere = false

  /// - Parameter takesStates: what stands at the topic itself counts too, for other programs have no stream beside it.
  init(to address: MQTTAddress, reconnects: Bool, takesStates: Bool = false) throws(StreamError) {
    name = address.description
    presence = Presence(isAwaited: reconnects, isConnection: true)
    do throws(MQTTError) {
      var settings = try MQTTSettings(address)
      settings.clientID += "-reader"
      messages = BrokerMessages(try MQTTClient(settings))
    } catch {
      throw .broker(name, error)
    }
    // Every record comes by the stream's topic, and the latest of them stands at the topic itself. What stood there before may be
    // hours old: it is no reading of now.
    messages.client.subscribe(to: address.ofState.topic + MQTTAddress.streamEnd, takesOld: false)
    if takesStates { messages.client.subscribe(to: address.topic, takesOld: false) }
  }

  var source: (any ByteSource)? { isThere ? messages : nil }
  var descriptor: Int32? { messages.descriptor < 0 ? nil : messages.descriptor }
  var interest: Poller.Interest { messages.client.interest }
  var wakeTime: MonotonicTime? { messages.client.wakeTime }

  func close() {
    isThere = false
    if messages.lines.isDenied { presence.isAwaited = true }  // and `advance` says why it does not come back
  }

  func advance(_ now: MonotonicTime) throws(StreamError) -> Bool {
    messages.tend()
    if let reason = messages.lines.absence, !presence.wasFound {
      let client = messages.client
      throw .broker(
        name, client.isUnreachable ? .unreachable(reason) : client.rejectsUser ? .rejected(reason) : .refused(reason))
    }
    if messages.lines.isDenied { throw .broker(name, .denied) }
    isThere = messages.client.isConnected
    return isThere
  }
}

/// The messages of a broker as lines, one after the other.
struct BrokerLines {
  /// Why the broker is not there; nil while it is, or is being looked for the first time.
  private(set) var absence: String?
  /// The broker does not let this user read the topic.
  private(set) var isDenied = false
  private var bytes: [UInt8] = []
  private var position = 0

  /// No record is longer, in bytes; a message that is comes from somebody else.
  private static let longest = 65_536

  /// Takes in what has happened.
  mutating func take(_ event: MQTTClient.Event) {
    switch event {
    case .connected: absence = nil
    case .away(let reason): absence = reason
    case .denied: isDenied = true
    case .refused: break  // nothing is published here
    case .message(_, let payload):
      guard payload.count <= Self.longest else { return }
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
  private(set) var lines = BrokerLines()
  private var poller = Poller()

  init(_ client: MQTTClient) { self.client = client }

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
