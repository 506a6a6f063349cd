import LodestoneCore

/// MotionCal's first, binary form: packets between `7E` marks, with `7D` before what had to be escaped. Type 6, 14
/// bytes, carries one point of the field in tenths of a microtesla (numbers from 10 on; smaller ones are parts of a
/// calibration); type 1, 34 bytes, the board's attitude in an order that differs between firmwares, which is passed
/// over. There is no checksum. Source: PaulStoffregen/MotionCal, serialdata.c.
struct MotionCalBinary: FrameProtocol {
  static let name = "motioncal-binary"
  static let proof = WireProof.framing

  private static let mark: UInt8 = 0x7E, escape: UInt8 = 0x7D
  private static let attitude: (type: UInt8, length: Int) = (1, 34)
  private static let calibration: (type: UInt8, length: Int) = (6, 14)
  private static let firstPoint = 10

  /// The packet without escapes. Kept to be used again.
  private var packet: [UInt8] = []

  init() { packet.reserveCapacity(64) }

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: Self.mark, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == Self.mark else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    guard bytes[start + 1] == Self.attitude.type || bytes[start + 1] == Self.calibration.type else { return .none }
    let length = bytes[start + 1] == Self.attitude.type ? Self.attitude.length : Self.calibration.length
    var index = start + 1, count = 0
    while index < bytes.count, bytes[index] != Self.mark {
      if bytes[index] == Self.escape { index += 1 }
      index += 1
      count += 1
      guard count <= length else { return .none }
    }
    guard index < bytes.count else { return .incomplete }
    return count == length && bytes[index] == Self.mark ? .whole(index - start + 1) : .none
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    packet.removeAll(keepingCapacity: true)
    var isEscaped = false
    for index in 1..<frame.count - 1 {
      if frame[index] == Self.escape {
        isEscaped = true
      } else {
        packet.append(isEscaped ? frame[index] ^ 0x20 : frame[index])
        isEscaped = false
      }
    }
    let bytes = packet.span
    guard bytes.count == Self.calibration.length, let number = bytes.little(UInt16.self, at: 6),
      number >= Self.firstPoint, let counts = bytes.littleInt16Vector(at: 8)
    else { return .other }
    message.field = counts / MotionCal.countsPerMicrotesla
    message.fieldUnit = .microtesla
    return .message
  }

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let field = message.microtesla else { return }
    var packet: [UInt8] = [Self.calibration.type, UInt8(Self.calibration.length), 0, 0, 0, 0]
    packet.append(little: UInt16(Self.firstPoint))
    packet.append(littleInt16: field * MotionCal.countsPerMicrotesla)
    bytes.append(Self.mark)
    for byte in packet {
      if byte == Self.mark || byte == Self.escape {
        bytes += [Self.escape, byte ^ 0x20]
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(Self.mark)
  }
}
