import CMosquitto
import Glibc

/// One connection of libmosquitto: the handle, and what its callbacks say. While it connects, which may wait for names,
/// sockets and TLS, a thread of its own has it; at all other times the poll loop does. Unchecked for that reason.
final class MQTTLink: @unchecked Sendable {
  /// What the library told.
  enum Event {
    case accepted
    /// The broker does not want us; in the library's words.
    case rejected(String)
    /// The broker does not speak this version of the protocol.
    case versionRejected
    case lost(String)
    /// A publication has arrived at the broker.
    case delivered(id: Int32)
    /// The broker has not taken a publication; in the library's words. MQTT 3.1.1 cannot tell.
    case refused(id: Int32, reason: String)
    case message(topic: String, payload: [UInt8])
    /// The broker does not let us read a topic.
    case denied
  }

  private let library: mosquitto_functions
  private let handle: OpaquePointer
  private(set) var events: [Event] = []
  /// The version of the protocol, as `CONNECT` has it: 5, or 4 for MQTT 3.1.1.
  private var version = Int32(MQTT_PROTOCOL_V5)

  init(_ settings: MQTTSettings) throws(MQTTError) {
    guard let library = mosquitto_load()?.pointee else { throw .libraryMissing }
    guard let handle = library.new_client(settings.clientID, true, nil) else { throw .refused("out of memory") }
    self.library = library
    self.handle = handle
    try check(library.int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version))
    try set(up: settings)
    setCallbacks()
  }

  deinit { library.destroy(handle) }

  private func set(up settings: MQTTSettings) throws(MQTTError) {
    if let will = settings.will {
      let payload = Array(will.payload.utf8)
      try check(library.will_set(handle, will.topic, Int32(payload.count), payload, 1, true))
    }
    if let user = settings.user { try check(library.username_pw_set(handle, user, settings.password)) }
    guard settings.isEncrypted else { return }
    let folder = settings.caFile == nil ? "/etc/ssl/certs" : nil
    guard library.tls_set(handle, settings.caFile, folder, nil, nil, nil) == MOSQ_ERR_SUCCESS.code else {
      throw .badCertificates(settings.caFile ?? "/etc/ssl/certs")
    }
  }

  /// The callbacks run inside `read`, `write` and `tend`, on the thread that calls them.
  private func setCallbacks() {
    library.connect_callback_set(handle) { _, context, code in
      MQTTLink.of(context)?.take(MQTTLink.greeting(code))
    }
    library.disconnect_callback_set(handle) { _, context, code in
      MQTTLink.of(context)?.take(.lost(MQTTLink.words(code)))
    }
    library.publish_v5_callback_set(handle) { _, context, id, code, _ in
      let isRefused = MQTTLink.isFailure(code)
      MQTTLink.of(context)?.take(isRefused ? .refused(id: id, reason: MQTTLink.words(code)) : .delivered(id: id))
    }
    library.message_callback_set(handle) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let count = max(0, Int(message.payloadlen))
      let payload = message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
      MQTTLink.of(context)?.take(.message(topic: String(cString: topic), payload: payload))
    }
    library.subscribe_callback_set(handle) { _, context, _, count, granted in
      let codes = UnsafeBufferPointer(start: granted, count: max(0, Int(count)))
      if codes.contains(where: { MQTTLink.isFailure($0) }) { MQTTLink.of(context)?.take(.denied) }
    }
    library.user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
  }

  /// What a code of `CONNACK` says. Unacceptable versions: MQTT 3.1.1, 3.2.2.3, and MQTT 5, 3.2.2.2.
  private static func greeting(_ code: Int32) -> Event {
    switch code {
    case 0: .accepted
    case 1, 0x84: .versionRejected
    default: .rejected(connectWords(code))
    }
  }

  /// MQTT 5, 2.4, and MQTT 3.1.1, 3.9.3: such codes tell of a failure.
  private static func isFailure(_ code: Int32) -> Bool { code >= 0x80 }

  private static func of(_ context: UnsafeMutableRawPointer?) -> MQTTLink? {
    context.map { Unmanaged<MQTTLink>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ event: Event) { events.append(event) }

  /// What has happened since the last call.
  func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  // MARK: - Calls

  /// Speaks the other version from the next `connect` on, because the broker did not greet in this one. True when it is
  /// the older one, which brokers of long ago want.
  func changeVersion() -> Bool {
    version = version == MQTT_PROTOCOL_V5 ? Int32(MQTT_PROTOCOL_V311) : Int32(MQTT_PROTOCOL_V5)
    return library.int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, version) == MOSQ_ERR_SUCCESS.code
      && version == MQTT_PROTOCOL_V311
  }

  /// Connects, however long that takes. Nil when the socket stands; else why not.
  func connect(to endpoint: NetworkEndpoint) -> String? {
    let code = library.connect(handle, endpoint.host, Int32(endpoint.port), 30)
    if code == MOSQ_ERR_SUCCESS.code { return nil }
    return code == MOSQ_ERR_ERRNO.code ? String(cString: strerror(errno)) : Self.words(code)
  }

  /// The socket, or −1 while there is none.
  var socket: Int32 { library.socket(handle) }
  var wantsWrite: Bool { library.want_write(handle) }
  func read() -> Int32 { library.loop_read(handle, 16) }
  func write() -> Int32 { library.loop_write(handle, 16) }
  func tend() -> Int32 { library.loop_misc(handle) }
  func disconnect() { _ = library.disconnect(handle) }

  /// Hands a message to the library. Returns the number it is told of by later; nil when the library does not take it.
  func publish(_ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool) -> Int32? {
    var id: Int32 = 0
    let code = library.publish(handle, &id, topic, Int32(clamping: payload.count), payload.baseAddress, 1, isRetained)
    return code == MOSQ_ERR_SUCCESS.code ? id : nil
  }

  func subscribe(_ topic: String) -> Bool { library.subscribe(handle, nil, topic, 1) == MOSQ_ERR_SUCCESS.code }

  private func check(_ code: Int32) throws(MQTTError) {
    guard code == MOSQ_ERR_SUCCESS.code else { throw .refused(Self.words(code)) }
  }

  /// The library's words for its own code, or for a failure that the broker tells.
  static func words(_ code: Int32) -> String {
    if code == MOSQ_ERR_KEEPALIVE.code { return "the broker does not answer" }
    let library = mosquitto_load()?.pointee
    let words = isFailure(code) ? library?.reason_string(code) : library?.strerror(code)
    return words.map { String(cString: $0) } ?? "error \(code)"
  }

  private static func connectWords(_ code: Int32) -> String {
    if isFailure(code) { return words(code) }
    return mosquitto_load()?.pointee.connack_string(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension mosq_err_t {
  /// As the functions return it.
  var code: Int32 { Int32(rawValue) }
}
