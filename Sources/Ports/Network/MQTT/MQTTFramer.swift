/// Something that no broker may send: the connection is of no use any more.
enum MQTTFault: Error, Equatable {
  case malformed

  /// For the user.
  var reason: String { "what arrives is not MQTT" }
}

/// Packets out of the bytes of a connection (MQTT 3.1.1 and 5, section 2). Whatever length a peer tells, at most
/// `longest` bytes of a packet are kept: the rest of it is read and forgotten.
struct MQTTFramer {
  /// A packet as it came.
  struct Packet: Equatable {
    /// Kind and flags.
    var first: UInt8
    var body: [UInt8]
    /// Nothing of the body is missing.
    var isWhole = true
  }

  private enum Stage {
    case first
    case length(first: UInt8, value: Int, shift: Int)
    case body(left: Int)
  }

  /// A topic and a message of 65 535 bytes each, and all that may stand beside them.
  static let longest = 196_608

  private var stage = Stage.first
  private var packet = Packet(first: 0, body: [])
  /// The first byte of all; nil before it has come.
  private(set) var greeting: UInt8?

  /// Takes bytes; returns the packets that end in them.
  mutating func append(_ bytes: Span<UInt8>) throws(MQTTFault) -> [Packet] {
    var packets: [Packet] = []
    var index = 0
    if greeting == nil, !bytes.isEmpty { greeting = bytes[0] }
    while index < bytes.count {
      switch stage {
      case .first:
        stage = .length(first: bytes[index], value: 0, shift: 0)
        index += 1
      case .length(let first, let value, let shift):
        try take(lengthByte: bytes[index], first, value, shift, &packets)
        index += 1
      case .body(let left):
        let count = min(left, bytes.count - index)
        keep(bytes.extracting(index..<index + count))
        index += count
        if count == left { end(&packets) } else { stage = .body(left: left - count) }
      }
    }
    return packets
  }

  /// A length has up to four bytes of seven bits each, the lowest first.
  private mutating func take(
    lengthByte byte: UInt8, _ first: UInt8, _ value: Int, _ shift: Int, _ packets: inout [Packet]
  ) throws(MQTTFault) {
    let value = value | Int(byte & 0x7F) << shift
    guard byte & 0x80 == 0 else {
      guard shift < 21 else { throw .malformed }
      stage = .length(first: first, value: value, shift: shift + 7)
      return
    }
    packet = Packet(first: first, body: [])
    if value == 0 { end(&packets) } else { stage = .body(left: value) }
  }

  private mutating func keep(_ bytes: Span<UInt8>) {
    let count = min(bytes.count, Self.longest - packet.body.count)
    if count < bytes.count { packet.isWhole = false }
    bytes.extracting(first: count).withUnsafeBytes { packet.body += $0 }
  }

  private mutating func end(_ packets: inout [Packet]) {
    packets.append(packet)
    packet = Packet(first: 0, body: [])
    stage = .first
  }
}

/// The fields of a packet, one after the other.
struct MQTTFields {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  mutating func byte() throws(MQTTFault) -> UInt8 {
    guard position < bytes.count else { throw .malformed }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func word() throws(MQTTFault) -> UInt16 { UInt16(try byte()) << 8 | UInt16(try byte()) }

  mutating func longWord() throws(MQTTFault) -> UInt32 { UInt32(try word()) << 16 | UInt32(try word()) }

  /// A number of up to four bytes of seven bits each.
  mutating func number() throws(MQTTFault) -> Int {
    var value = 0
    for shift in [0, 7, 14, 21] {
      let byte = try byte()
      value |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw .malformed
  }

  /// Bytes behind their count.
  mutating func data() throws(MQTTFault) -> ArraySlice<UInt8> { try take(Int(try word())) }

  mutating func text() throws(MQTTFault) -> String {
    guard let text = String(validating: try data(), as: UTF8.self), !text.utf8.contains(0) else { throw .malformed }
    return text
  }

  mutating func take(_ count: Int) throws(MQTTFault) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw .malformed }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// All that is left.
  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = bytes.count }
    return bytes[position...]
  }
}
