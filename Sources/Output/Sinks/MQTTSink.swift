import LodestoneCore
import LodestonePorts

/// An MQTT broker. At the topic stands the latest record, retained, once a second or as often as wanted; at its end
/// `/stream` has every record, `/event` has each event by its name, and `/status` says `online` while records come, and
/// `offline` before the first of them, while the device is away and once the program has ended. With JSON, Home
/// Assistant is told what there is (one retained message).
public final class MQTTSink: StateSink {
  /// `mqtt://host/topic`; `mqtts://` is the same encrypted.
  public static let scheme = "mqtt"
  /// `mqtts`, with TLS.
  public static let encryptedScheme: String? = "mqtts"
  /// Sends to a broker.
  public static let example = "mqtt://[user@]host[:port]/topic to send to a broker"
  /// No wildcards, which are for readers, and no password, which other users of the machine would see.
  public static let limits: String? =
    "The topic has no + or # and no / at its end; a password stands in LODESTONE_MQTT_PASSWORD"

  private let address: MQTTAddress
  private let client: MQTTClient
  private let discovery: String
  private var announcement: [UInt8] = []
  private var latest: [UInt8] = []
  /// Whether the latest record is not the state yet.
  private var isStateOld = false
  private var stateDue = MonotonicTime.now
  /// Whether the latest record holds: the device has not gone since.
  private var isCurrent = false
  private var say: (SinkNotice) -> Void = { _ in }
  /// Whether the user was told of another publisher at the topic.
  private var isSharedTold = false
  /// Messages lost before the broker went away; nil while it is there.
  private var lostBefore: Int?

  /// The highest rate of states, in Hz.
  public var stateRate = 1.0

  /// Whether it names a broker and a topic.
  public static func accepts(_ address: String) -> Bool { MQTTAddress(address) != nil }

  /// Begins to connect.
  public init(address text: String) throws(SinkError) {
    // Whoever names the stream of a topic means the topic.
    guard let address = MQTTAddress(text)?.ofState else { throw .badAddress(text) }
    self.address = address
    discovery = "homeassistant/device/lodestone_\(address.plainTopic)/config"
    do throws(MQTTError) {
      var settings = try MQTTSettings(address)
      settings.will = (address.topic + "/status", "offline")
      client = try MQTTClient(settings)
    } catch {
      throw .broker(text, error)
    }
  }

  /// The address without the user's name.
  public var name: String { address.description }

  /// Messages that the broker did not get.
  public var losses: [SinkLoss] { client.lostCount > 0 ? [.undelivered(client.lostCount)] : [] }

  /// Remembers whom to tell.
  public func tell(_ say: @escaping (SinkNotice) -> Void) { self.say = say }

  /// Prepares what Home Assistant is told; of another device than before, at once.
  public func begin(_ stream: SinkStream) {
    deviceIsAway()
    guard stream.format == "json" else { return }
    announcement = Array(HomeAssistant.device(stream, topic: address.topic).line.utf8)
    if client.isConnected { retain(announcement, at: discovery) }
  }

  /// Every record to the stream, and the latest to the state.
  public func send(_ lines: UnsafeRawBufferPointer) {
    var count = lines.count
    while count > 0, lines[count - 1] == 10 || lines[count - 1] == 13 { count -= 1 }
    let message = UnsafeRawBufferPointer(rebasing: lines[..<count])
    client.publish(message, to: address.topic + MQTTAddress.streamEnd)
    latest = Array(message)
    isStateOld = true
    guard !isCurrent else { return publishState(at: .now) }
    // Whoever hears that it is online finds this record, and not that of before.
    renewState()
    isCurrent = true
    publishStatus()
  }

  /// The latest record stays at the topic, and the status says that it holds no longer.
  public func deviceIsAway() {
    guard isCurrent else { return }
    isCurrent = false
    publishStatus()
  }

  /// True: it takes events, too.
  public var takesEvents: Bool { true }

  /// The name of an event, not retained.
  public func send(event: String) {
    Array(event.utf8).withUnsafeBytes { client.publish($0, to: address.topic + "/event") }
  }

  private func publishStatus() { retain(Array((isCurrent ? "online" : "offline").utf8), at: status) }

  /// Puts the latest record at the topic, whether or not that is due.
  private func renewState() {
    isStateOld = true
    stateDue = .now
    publishState(at: stateDue)
  }

  private func publishState(at now: MonotonicTime) {
    guard isStateOld, stateDue <= now else { return }
    isStateOld = false
    stateDue = now + 1 / stateRate
    retain(latest, at: address.topic)
  }

  private func retain(_ bytes: [UInt8], at topic: String) {
    bytes.withUnsafeBytes { client.publish($0, to: topic, isRetained: true) }
  }

  /// The time at which the client wants to be served, or the state is due.
  public var wakeTime: MonotonicTime? { [client.wakeTime, isStateOld ? stateDue : nil].compactMap { $0 }.min() }

  /// The broker's socket.
  public func watch(with poller: inout Poller) { client.watch(with: &poller) }

  /// Reads and writes what can be, and says again what a broker that came back should know.
  public func serve(_ poller: Poller) {
    client.serve(poller)
    publishState(at: .now)
    tellEvents()
  }

  private func tellEvents() {
    for event in client.takeEvents() {
      switch event {
      case .connected:
        if let lostBefore {
          say(.arrived(lost: client.lostCount - lostBefore))
          // A broker that was started again may have lost the state, and the next record may be far off.
          if isCurrent { renewState() }
        }
        lostBefore = nil
        announce()
      case .away(let trouble, let reason):
        lostBefore = client.lostCount
        say(.away(trouble, reason: reason))
      case .refused(let topic, let reason): say(.refused(topic, reason: reason))
      // Not to know when Home Assistant starts, or another publisher ends, is no loss worth a word.
      case .denied: break
      case .message(let topic, let payload): hear(String(decoding: payload, as: UTF8.self), at: topic)
      }
    }
  }

  /// Home Assistant has started and knows nothing yet; or another publisher of the topic is there, or has ended and
  /// left word that there is none.
  private func hear(_ word: String, at topic: String) {
    if topic == status, word == "offline", isCurrent { publishStatus() }
    if topic == status, word == "online", !client.hearsItself, !isSharedTold {
      isSharedTold = true
      say(.shared)
      publishStatus()  // so that the other publisher hears it too
    }
    if topic == Self.homeAssistant, word == "online", !announcement.isEmpty { retain(announcement, at: discovery) }
  }

  /// The topic at which Home Assistant says that it has started.
  private static let homeAssistant = "homeassistant/status"
  private var status: String { address.topic + "/status" }

  private func announce() {
    publishStatus()
    client.subscribe(to: status, takesOld: false, takesOwn: false)
    guard !announcement.isEmpty else { return }
    retain(announcement, at: discovery)
    client.subscribe(to: Self.homeAssistant)
  }

  /// Leaves the last record as the state and says goodbye, once what waits has arrived: a single record too, though the
  /// broker has not greeted yet.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {
    publishState(at: stateDue)
    do throws(SystemError) {
      try client.meet(until: deadline)
      serve(Poller())
      if client.isConnected { retain(Array("offline".utf8), at: status) }
      try client.finish(until: deadline)
      tellEvents()
    } catch {
      throw .system(error)
    }
  }
}
