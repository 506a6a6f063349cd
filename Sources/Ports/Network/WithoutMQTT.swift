#if !MQTT
/// A connection to a broker, for a package without the trait MQTT: there is none.
final class MQTTLink: Sendable {
  enum Event {
    case accepted
    case rejected(String)
    case versionRejected
    case lost(String)
    case delivered(id: Int32)
    case refused(id: Int32, reason: String)
    case message(topic: String, payload: [UInt8])
    case denied
  }

  init(_ settings: MQTTSettings) throws(MQTTError) { throw .libraryMissing }

  let socket: Int32 = -1
  let wantsWrite = false
  func takeEvents() -> [Event] { [] }
  func changeVersion() -> Bool { false }
  func connect(to endpoint: NetworkEndpoint) -> String? { Self.words(0) }
  func read() -> Int32 { 0 }
  func write() -> Int32 { 0 }
  func tend() -> Int32 { 0 }
  func disconnect() {}
  func publish(_ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool) -> Int32? { nil }
  func subscribe(_ topic: String) -> Bool { false }
  static func words(_ code: Int32) -> String { "built without the trait MQTT" }
}

extension MQTTClient {
  /// Never.
  public static var isInstalled: Bool { false }
}
#endif
