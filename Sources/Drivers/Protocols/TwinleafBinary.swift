import LodestoneCore

/// Twinleaf's TIO packets in SLIP frames: type, routing size, payload length (16 bits, little-endian), payload,
/// routing, CRC-32. Streams of type 128 carry a 32-bit sample number and then floats: the first three are the field in
/// nT, as the magnetometers send them. Source: twinleaf/libtio.
struct TwinleafBinary: FrameProtocol {
  static let name = "twinleaf-binary"
  static let proof = WireProof.checksum

  private enum Mark {
    static let end: UInt8 = 0xC0, escape: UInt8 = 0xDB, escapedEnd: UInt8 = 0xDC, escapedEscape: UInt8 = 0xDD
  }
  private static let firstStream: UInt8 = 128
  /// Header, 500 bytes of payload, 8 of routing, CRC: and all of it escaped.
  private static let longestFrame = 2 * (4 + 500 + 8 + 4) + 2

  /// The packet without escapes. Kept to be used again.
  private var packet: [UInt8] = []

  init() { packet.reserveCapacity(600) }

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: Mark.end, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == Mark.end else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    // Two marks in a row: the first ended a packet.
    guard bytes[start + 1] != Mark.end else { return .none }
    let limit = min(bytes.count, start + Self.longestFrame)
    var index = start + 1
    while index < limit, bytes[index] != Mark.end { index &+= 1 }
    guard index < limit else { return limit < bytes.count ? .none : .incomplete }
    guard index - start > 8 else { return .none }
    return isIntact(bytes.extracting(start + 1..<index)) ? .whole(index - start + 1) : .damaged
  }

  /// The CRC at the end of an escaped packet is that of the bytes before it.
  private func isIntact(_ escaped: Span<UInt8>) -> Bool {
    var crc = Checksum.CRC32()
    var index = 0
    while index < escaped.count {
      guard let byte = Self.unescaped(escaped, &index) else { return false }
      crc.add(byte)
    }
    return crc.isIntact
  }

  /// Reads one byte of a packet; nil for an escape that is none.
  @inline(__always)
  private static func unescaped(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8? {
    let byte = bytes[index]
    index &+= 1
    guard byte == Mark.escape else { return byte }
    guard index < bytes.count else { return nil }
    defer { index &+= 1 }
    return bytes[index] == Mark.escapedEnd ? Mark.end : bytes[index] == Mark.escapedEscape ? Mark.escape : nil
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    packet.removeAll(keepingCapacity: true)
    var index = 1
    while index < frame.count - 1, let byte = Self.unescaped(frame, &index) { packet.append(byte) }
    let bytes = packet.span
    guard let length = bytes.little(UInt16.self, at: 2), bytes.count == 4 + Int(length) + Int(bytes[1] & 0x0F) + 4
    else {
      return .rejected(.malformed)
    }
    guard bytes[0] >= Self.firstStream, length >= 16, let field = bytes.littleFloatVector(at: 8) else { return .other }
    message.field = field
    message.fieldUnit = .nanotesla
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    var packet: [UInt8] = [Self.firstStream, 0, 16, 0]
    packet.append(little: UInt32(0))
    packet.append(littleFloat: field / FieldUnit.nanotesla.microtesla)
    packet.append(little: Checksum.crc32(packet.span))
    bytes.append(Mark.end)
    for byte in packet {
      switch byte {
      case Mark.end: bytes += [Mark.escape, Mark.escapedEnd]
      case Mark.escape: bytes += [Mark.escape, Mark.escapedEscape]
      default: bytes.append(byte)
      }
    }
    bytes.append(Mark.end)
  }
}
