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
    case lost(String)
    /// So many publications have arrived at the broker.
    case delivered
    case message(topic: String, payload: [UInt8])
    /// The broker does not let us read a topic.
    case denied
  }

  private let library: mosquitto_functions
  private let handle: OpaquePointer
  private(set) var events: [Event] = []

  init(_ settings: MQTTSettings) throws(MQTTError) {
    guard let library = mosquitto_load()?.pointee else { throw .libraryMissing }
    guard let handle = library.new_client(settings.clientID, true, nil) else { throw .refused("out of memory") }
    self.library = library
    self.handle = handle
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
      MQTTLink.of(context)?.take(code == 0 ? .accepted : .rejected(MQTTLink.connectWords(code)))
    }
    library.disconnect_callback_set(handle) { _, context, code in
      MQTTLink.of(context)?.take(.lost(MQTTLink.words(code)))
    }
    library.publish_callback_set(handle) { _, context, _ in MQTTLink.of(context)?.take(.delivered) }
    library.message_callback_set(handle) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let count = max(0, Int(message.payloadlen))
      let payload = message.payload.map { Array(UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
      MQTTLink.of(context)?.take(.message(topic: String(cString: topic), payload: payload))
    }
    library.subscribe_callback_set(handle) { _, context, _, count, granted in
      // MQTT 3.1.1, 3.9.3: a return code of 0x80 is a failure.
      let codes = UnsafeBufferPointer(start: granted, count: max(0, Int(count)))
      if codes.contains(where: { $0 >= 0x80 }) { MQTTLink.of(context)?.take(.denied) }
    }
    library.user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
  }

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

  /// Hands a message to the library; false when it does not take it.
  func publish(_ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool) -> Bool {
    library.publish(handle, nil, topic, Int32(clamping: payload.count), payload.baseAddress, 1, isRetained)
      == MOSQ_ERR_SUCCESS.code
  }

  func subscribe(_ topic: String) -> Bool { library.subscribe(handle, nil, topic, 1) == MOSQ_ERR_SUCCESS.code }

  private func check(_ code: Int32) throws(MQTTError) {
    guard code == MOSQ_ERR_SUCCESS.code else { throw .refused(Self.words(code)) }
  }

  /// The library's words for a code.
  static func words(_ code: Int32) -> String {
    code == MOSQ_ERR_KEEPALIVE.code
      ? "the broker does not answer"
      : mosquitto_load()?.pointee.strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private static func connectWords(_ code: Int32) -> String {
    mosquitto_load()?.pointee.connack_string(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

extension mosq_err_t {
  /// As the functions return it.
  var code: Int32 { Int32(rawValue) }
}
