import LodestoneCore

@testable import Drivers

/// Frames whose checksums, lengths and marks are right whatever is in them, so that what lies behind the checks is
/// reached: the input tells the protocol, how large the chunks are, and then the content of one frame after the other.
enum FramesTarget: FuzzTarget {
  static let name = "frames"

  /// How the frames of a protocol are made. A new one is a line here.
  private struct Framing {
    let type: any WireProtocol.Type
    let frame: (_ content: [UInt8]) -> [UInt8]
  }

  private static var framings: [Framing] {
    [
      Framing(type: NMEA0183.self, frame: sentence), Framing(type: OceanServer.self, frame: sentence),
      Framing(type: UM7.self, frame: sentence), Framing(type: VectorNav.self, frame: sentence),
      Framing(type: MAVLink.self, frame: mavlink), Framing(type: MSP.self, frame: msp),
      Framing(type: NGT1.self, frame: ngt1),
      Framing(type: PNI.self, frame: pni), Framing(type: TwinleafBinary.self, frame: twinleaf),
      Framing(type: UM7Binary.self, frame: um7), Framing(type: VectorNavBinary.self, frame: vectorNav),
      Framing(type: WitMotion.self, frame: witMotion), Framing(type: XBus.self, frame: xbus),
    ]
  }

  static func take(_ bytes: Span<UInt8>) {
    var reader = InputReader(bytes)
    guard let framing = reader.choice(framings) else { return }
    let chunk = Int(reader.byte())
    var stream: [UInt8] = []
    while !reader.isAtEnd {
      let count = Int(reader.byte())
      let content = (0..<count).prefix { _ in !reader.isAtEnd }.map { _ in reader.byte() }
      stream += framing.frame(content)
    }
    WireTarget.read(stream.span, as: framing.type, chunk: chunk)
  }

  // MARK: Framings

  private static func sentence(_ content: [UInt8]) -> [UInt8] {
    [UInt8(ascii: "$")] + content + [UInt8(ascii: "*")] + hexadecimal(Checksum.xor8(content.span)) + [13, 10]
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    var text: [UInt8] = []
    text.append(hexadecimal: byte)
    return text
  }

  /// Version, message, then the payload.
  private static func mavlink(_ content: [UInt8]) -> [UInt8] {
    guard content.count >= 4 else { return content }
    let number = Int(content[1]) | Int(content[2]) << 8, payload = content[4...]
    var frame: [UInt8] = [0xFE, UInt8(payload.count), content[3], 1, 1, content[1]]
    if content[0] & 1 == 1 {
      frame = [0xFD, UInt8(payload.count), content[0] >> 1 & 1, 0, content[3], 1, 1] + content[1...2] + [0]
    }
    frame += payload
    let seed = MAVLink.seed(content[0] & 1 == 1 ? number : number & 0xFF) ?? 0
    frame.append(little: Checksum.mavlink(frame.span.extracting(1...), extra: seed))
    if content[0] & 3 == 3 { frame += [UInt8](repeating: 0, count: 13) }
    return (content[0] & 4 == 4 ? [0, 5, 0xE0, 1, 2, 3, 4, 5] : []) + frame
  }

  /// Its subject, the command, then the payload.
  private static func msp(_ content: [UInt8]) -> [UInt8] {
    guard content.count >= 2 else { return content }
    let payload = content[2...], direction = [0x3E, 0x3E, 0x21, 0x3C][Int(content[0] >> 1 & 3)] as UInt8
    var frame: [UInt8] = [0x24, 0x4D, direction, UInt8(payload.count), content[1]]
    if content[0] & 1 == 1 { frame = [0x24, 0x58, direction, 0, content[1], 0, UInt8(payload.count), 0] }
    frame += payload
    let checked = frame.span.extracting(3...)
    return frame + [content[0] & 1 == 1 ? Checksum.dvbS2(checked) : Checksum.xor8(checked)]
  }

  private static func ngt1(_ content: [UInt8]) -> [UInt8] {
    guard content.count > 3 else { return content }
    let data = content[3...]
    var packet: [UInt8] = [0x93, UInt8(truncatingIfNeeded: data.count + 11), 2] + content[..<2] + [1, 0xFF, 0x10]
    packet += [content[2], 0, 0, 0, UInt8(data.count)] + data
    packet.append(0 &- Checksum.sum8(packet.span))
    return [0x10, 2] + packet.flatMap { $0 == 0x10 ? [$0, $0] : [$0] } + [0x10, 3]
  }

  private static func pni(_ content: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = []
    frame.append(big: UInt16(content.count + 4))
    frame += content
    frame.append(big: Checksum.xmodem(frame.span))
    return frame
  }

  private static func twinleaf(_ content: [UInt8]) -> [UInt8] {
    guard content.count > 2 else { return content }
    let routing = Int(content[1] & 0x0F), data = content[2...]
    var packet: [UInt8] = [content[0], content[1]]
    packet.append(little: UInt16(max(0, data.count - routing)))
    packet += data
    packet.append(little: Checksum.crc32(packet.span))
    return [0xC0]
      + packet.flatMap { byte -> [UInt8] in byte == 0xC0 ? [0xDB, 0xDC] : byte == 0xDB ? [0xDB, 0xDD] : [byte] }
      + [0xC0]
  }

  private static func um7(_ content: [UInt8]) -> [UInt8] {
    guard content.count > 2 else { return content }
    let words = min(15, (content.count - 2) / 4)
    var frame: [UInt8] = [0x73, 0x6E, 0x70, 0xC0 | UInt8(words) << 2 | content[0] & 3, content[1]]
    frame += content[2..<2 + 4 * words]
    frame.append(big: Checksum.sum16(frame.span))
    return frame
  }

  /// Groups and fields tell the length: the content is cut there, or zeros are put behind it.
  private static func vectorNav(_ content: [UInt8]) -> [UInt8] {
    let longest = content + [UInt8](repeating: 0, count: 600)
    var lengths = 0..<longest.count
    while !lengths.isEmpty {
      let middle = lengths.lowerBound + lengths.count / 2
      if case .incomplete = VectorNavBinary().frame(at: 0, in: ([0xFA] + longest[..<middle] + [0, 0]).span) {
        lengths = middle + 1..<lengths.upperBound
      } else {
        lengths = lengths.lowerBound..<middle
      }
    }
    var frame = [0xFA] + longest[..<lengths.lowerBound]
    frame.append(big: Checksum.xmodem(frame.span.extracting(1...)))
    return frame
  }

  private static func witMotion(_ content: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x55] + content.prefix(9)
    frame += [UInt8](repeating: 0, count: 10 - frame.count)
    return frame + [Checksum.sum8(frame.span)]
  }

  private static func xbus(_ content: [UInt8]) -> [UInt8] {
    guard let message = content.first else { return content }
    let data = content.dropFirst()
    var frame: [UInt8] = [0xFA, 0xFF, message]
    frame += data.count < 0xFF ? [UInt8(data.count)] : [0xFF, 0, UInt8(data.count)]
    frame += data
    return frame + [0 &- Checksum.sum8(frame.span.extracting(1...))]
  }
}
