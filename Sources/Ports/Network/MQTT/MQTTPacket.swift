/// The version of the protocol, as `CONNECT` has it.
enum MQTTVersion: UInt8 {
  /// MQTT 3.1.1.
  case four = 4
  /// MQTT 5.
  case five = 5
}

/// The limits that a broker sets its client (MQTT 5, 3.2.2.3); a broker of 3.1.1 tells nothing of it.
struct MQTTLimits: Equatable {
  /// Publications that may be unconfirmed at a time.
  var unconfirmed = 65_535
  /// Bytes of a packet.
  var packetByteCount = Int.max
  /// It confirms publications.
  var confirms = true
  /// It keeps the last message of a topic.
  var retains = true
  /// Seconds after which a silent client is let go; nil where the broker leaves that to the client.
  var keepAlive: Int?
}

/// A packet from a broker (MQTT 3.1.1 and 5, section 3).
enum MQTTPacket: Equatable {
  /// CONNACK: 0 is a welcome.
  case connected(code: UInt8, MQTTLimits)
  /// PUBLISH; its number where it is to be confirmed. The payload is nil where it was longer than is kept. `isOld` is a
  /// message that stood at the topic before the subscription.
  case published(topic: String, payload: [UInt8]?, id: UInt16?, isOld: Bool)
  /// PUBACK: 0x80 and more tell of a failure.
  case confirmed(id: UInt16, code: UInt8)
  /// SUBACK, with a code for each topic.
  case subscribed(codes: [UInt8])
  /// PINGRESP.
  case alive
  /// DISCONNECT of MQTT 5.
  case dismissed(code: UInt8)

  /// Anything that a broker may not send to a client like ours is a fault: we want no message exactly once, no
  /// authentication in steps and no aliases of topics.
  init(_ packet: MQTTFramer.Packet, _ version: MQTTVersion) throws(MQTTFault) {
    let kind = packet.first >> 4
    guard packet.isWhole || kind == 3, packet.first & 0x0F == 0 || kind == 3 else { throw .malformed }
    var fields = MQTTFields(packet.body)
    switch kind {
    case 2: self = try Self.greeting(&fields, version)
    case 3: self = try Self.publication(&fields, packet, version)
    case 4:
      let id = try fields.word()
      self = .confirmed(id: id, code: version == .five && !fields.isAtEnd ? try fields.byte() : 0)
    case 9:
      _ = try fields.word()
      if version == .five { _ = try MQTTProperties(&fields) }
      let codes = Array(fields.rest())
      guard !codes.isEmpty else { throw .malformed }
      self = .subscribed(codes: codes)
    case 13 where fields.isAtEnd: self = .alive
    case 14 where version == .five: self = .dismissed(code: fields.isAtEnd ? 0 : try fields.byte())
    default: throw .malformed
    }
  }

  /// A broker that does not speak our version answers in its own, without properties.
  private static func greeting(_ fields: inout MQTTFields, _ version: MQTTVersion) throws(MQTTFault) -> Self {
    guard try fields.byte() <= 1 else { throw .malformed }
    let code = try fields.byte()
    guard version == .five, !fields.isAtEnd else {
      guard fields.isAtEnd, version == .four || code != 0 else { throw .malformed }
      return .connected(code: code, MQTTLimits())
    }
    let limits = try MQTTProperties(&fields).limits
    guard fields.isAtEnd else { throw .malformed }
    return .connected(code: code, limits)
  }

  private static func publication(
    _ fields: inout MQTTFields, _ packet: MQTTFramer.Packet, _ version: MQTTVersion
  ) throws(MQTTFault) -> Self {
    let level = packet.first >> 1 & 3
    guard level <= 1 else { throw .malformed }
    let topic = try fields.text()
    let id = level == 1 ? try fields.word() : nil
    if version == .five { _ = try MQTTProperties(&fields) }
    let payload = packet.isWhole ? Array(fields.rest()) : nil
    return .published(topic: topic, payload: payload, id: id, isOld: packet.first & 1 == 1)
  }
}

/// The properties of a packet (MQTT 5, 2.2.2), of which we want the limits alone.
private struct MQTTProperties {
  private(set) var limits = MQTTLimits()

  init(_ fields: inout MQTTFields) throws(MQTTFault) {
    let count = try fields.number()
    var inner = MQTTFields(Array(try fields.take(count)))
    while !inner.isAtEnd { try take(try inner.number(), &inner) }
  }

  private mutating func take(_ property: Int, _ fields: inout MQTTFields) throws(MQTTFault) {
    switch property {
    case 0x13:
      let seconds = Int(try fields.word())
      limits.keepAlive = seconds > 0 ? seconds : nil  // 0: it waits without end (3.2.2.3.14)
    case 0x21:
      limits.unconfirmed = Int(try fields.word())
      guard limits.unconfirmed > 0 else { throw .malformed }
    case 0x24: limits.confirms = try fields.byte() > 0
    case 0x25: limits.retains = try fields.byte() > 0
    case 0x27:
      limits.packetByteCount = Int(try fields.longWord())
      guard limits.packetByteCount > 0 else { throw .malformed }
    case 0x01, 0x17, 0x19, 0x28, 0x29, 0x2A: _ = try fields.byte()
    case 0x22, 0x23: _ = try fields.word()
    case 0x02, 0x11, 0x18: _ = try fields.longWord()
    case 0x0B: _ = try fields.number()
    case 0x03, 0x08, 0x09, 0x12, 0x15, 0x16, 0x1A, 0x1C, 0x1F: _ = try fields.data()
    case 0x26:
      _ = try fields.data()
      _ = try fields.data()
    default: throw .malformed
    }
  }
}
