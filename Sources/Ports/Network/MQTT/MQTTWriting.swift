/// Packets for a broker (MQTT 3.1.1 and 5, section 3), appended to what is to be sent.
struct MQTTWriting {
  let version: MQTTVersion

  /// CONNECT: a session without a past.
  func connect(_ settings: MQTTSettings, keepAlive: Int, to output: inout [UInt8]) {
    var body: [UInt8] = []
    append("MQTT", to: &body)
    var flags: UInt8 = 0x02  // clean
    if settings.will != nil { flags |= 0x2C }  // retained, confirmed
    if settings.user != nil { flags |= 0x80 }
    if settings.user != nil, settings.password != nil { flags |= 0x40 }
    body += [version.rawValue, flags]
    append(UInt16(keepAlive), to: &body)
    if version == .five {
      // Maximum Packet Size: longer ones would be thrown away here.
      body += [5, 0x27]
      let longest = UInt32(MQTTFramer.longest)
      append(UInt16(longest >> 16), to: &body)
      append(UInt16(longest & 0xFFFF), to: &body)
    }
    append(settings.clientID, to: &body)
    if let will = settings.will {
      if version == .five { body.append(0) }
      append(will.topic, to: &body)
      append(will.payload, to: &body)
    }
    if let user = settings.user {
      append(user, to: &body)
      if let password = settings.password { append(password, to: &body) }
    }
    append(packet: 0x10, body, to: &output)
  }

  /// PUBLISH, to be confirmed where it has a number.
  func publish(_ message: MQTTMessage, id: UInt16?, isRetained: Bool, to output: inout [UInt8]) {
    var body: [UInt8] = []
    body.reserveCapacity(message.byteCount)
    append(message.topic, to: &body)
    if let id { append(id, to: &body) }
    if version == .five { body.append(0) }
    body += message.payload
    append(packet: 0x30 | (id == nil ? 0 : 2) | (isRetained ? 1 : 0), body, to: &output)
  }

  /// SUBSCRIBE to one topic, whose messages are confirmed.
  func subscribe(_ topic: MQTTSubscription, id: UInt16, to output: inout [UInt8]) {
    var body: [UInt8] = []
    append(id, to: &body)
    if version == .five { body.append(0) }
    append(topic.filter, to: &body)
    body.append(version == .five && !topic.takesOwn ? 5 : 1)  // bit 2 is "No Local"
    append(packet: 0x82, body, to: &output)
  }

  /// PUBACK.
  func confirm(_ id: UInt16, to output: inout [UInt8]) {
    output += [0x40, 2, UInt8(id >> 8), UInt8(id & 0xFF)]
  }

  /// PINGREQ.
  func ping(to output: inout [UInt8]) { output += [0xC0, 0] }

  /// DISCONNECT, which makes the broker forget the will.
  func disconnect(to output: inout [UInt8]) { output += [0xE0, 0] }

  private func append(_ word: UInt16, to bytes: inout [UInt8]) { bytes += [UInt8(word >> 8), UInt8(word & 0xFF)] }

  private func append(_ text: String, to bytes: inout [UInt8]) {
    let text = text.utf8.prefix(65_535)
    append(UInt16(text.count), to: &bytes)
    bytes += text
  }

  private func append(packet first: UInt8, _ body: [UInt8], to output: inout [UInt8]) {
    output.append(first)
    var length = body.count
    repeat {
      output.append(UInt8(length & 0x7F) | (length > 0x7F ? 0x80 : 0))
      length >>= 7
    } while length > 0
    output += body
  }
}

/// A wish for the messages of a topic.
struct MQTTSubscription {
  /// The topic, or a pattern of topics.
  var filter: String
  /// Also the one that stands there from before.
  var takesOld: Bool
  /// Also those of the client itself.
  var takesOwn: Bool
}

/// A message for a topic.
struct MQTTMessage {
  var topic: String
  var payload: [UInt8]
  var isRetained: Bool

  /// Bytes of its packet, and a little more.
  var byteCount: Int { topic.utf8.count + payload.count + 16 }
}

/// Words for the codes of CONNACK, PUBACK and DISCONNECT.
enum MQTTReason {
  /// The name, the password or the rights of a user are the reason.
  static func areOfUser(_ code: UInt8) -> Bool { [4, 5, 0x86, 0x87, 0x8A].contains(code) }

  /// MQTT 3.1.1, 3.2.2.3, and from 0x80 on MQTT 5, 2.4.
  static func words(_ code: UInt8) -> String {
    switch code {
    case 1, 0x84: "it does not speak MQTT 5 or 3.1.1"
    case 2, 0x85: "the client identifier is not valid"
    case 3, 0x88: "the server is unavailable"
    case 4, 0x86: "bad user name or password"
    case 5, 0x87: "not authorized"
    case 0x89: "the server is busy"
    case 0x8A: "banned"
    case 0x8B: "the server is shutting down"
    case 0x8D: "keep alive timeout"
    case 0x8E: "another client took over the session"
    case 0x90: "the topic name is not valid"
    case 0x95: "the packet is too large"
    case 0x96: "the message rate is too high"
    case 0x97: "a quota is exceeded"
    case 0x9A: "retained messages are not supported"
    case 0x9C, 0x9D: "the server has moved"
    case 0x9F: "the connection rate is too high"
    default: "the broker answered with code \(code)"
    }
  }
}
