import LodestoneCore

/// NMEA 2000 as Actisense's NGT-1 and its like hand it to a serial port: `10 02`, command 93, a length, the message and
/// a sum that makes all of it zero modulo 256, `10 03`; a 10 within is doubled. Actisense's log files (EBL) hold the
/// same, each message behind a head with its time, `1B 01 03`, eight bytes, `1B 0A`; there a 1B is doubled too.
/// Sources: canboat (actisense-serial, pgns.json).
struct NGT1: FrameProtocol {
  static let name = "ngt1"
  static let proof = WireProof.checksum

  private enum Mark {
    static let escape: UInt8 = 0x10, start: UInt8 = 0x02, end: UInt8 = 0x03
    static let logEscape: UInt8 = 0x1B, headStart: UInt8 = 0x01, headEnd: UInt8 = 0x0A
  }
  /// N2K message received.
  private static let received: UInt8 = 0x93
  /// A log's head that tells a time.
  private static let logTime: UInt8 = 0x03
  /// Mark, command and length, eleven bytes of head, 223 of data, sum and mark, every byte doubled.
  private static let longestFrame = 512
  /// Marks, kind and eight bytes, every one of them doubled.
  private static let longestHead = 24
  /// Seconds from 1601, where a log's clock begins, to 1970.
  private static let logEpoch = 11_644_473_600.0

  private var reader = NMEA2000Reader()
  /// The time of the last head of a log: seconds since 1970.
  private var logged: Double?
  private var packet: [UInt8] = []

  init() { packet.reserveCapacity(256) }

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: Mark.escape, or: Mark.logEscape, from: place)
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard start + 1 < bytes.count else { return .incomplete }
    if bytes[start] == Mark.logEscape { return head(at: start, in: bytes) }
    guard bytes[start + 1] == Mark.start else { return .none }
    let limit = min(bytes.count, start + Self.longestFrame)
    var index = start + 2, sum: UInt8 = 0
    while index < limit {
      let byte = bytes[index]
      if byte == Mark.escape || (byte == Mark.logEscape && logged != nil) {
        index &+= 1
        guard index < limit else { break }
        if byte == Mark.escape, bytes[index] == Mark.end {
          return sum == 0 && index > start + 5 ? .whole(index + 1 - start) : .damaged
        }
        guard bytes[index] == byte else { return .damaged }
      }
      sum &+= byte
      index &+= 1
    }
    return limit < bytes.count || limit == start + Self.longestFrame ? .none : .incomplete
  }

  /// The head of a message in a log.
  private func head(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start + 1] == Mark.headStart else { return .none }
    let limit = min(bytes.count, start + Self.longestHead)
    var index = start + 2
    while index < limit {
      if bytes[index] == Mark.logEscape {
        index &+= 1
        guard index < limit else { break }
        if bytes[index] == Mark.headEnd { return .whole(index + 1 - start) }
        guard bytes[index] == Mark.logEscape else { return .none }
      }
      index &+= 1
    }
    return limit == start + Self.longestHead ? .none : .incomplete
  }

  mutating func read(_ frame: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    let isHead = frame[0] == Mark.logEscape
    packet.removeAll(keepingCapacity: true)
    var index = 2
    while index < frame.count - 2 {
      if frame[index] == Mark.logEscape ? isHead || logged != nil : frame[index] == Mark.escape && !isHead {
        index += 1
      }
      packet.append(frame[index])
      index += 1
    }
    let packet = packet
    return isHead ? readHead(packet.span) : readMessage(packet.span, into: &message)
  }

  /// A kind, and in one that tells a time how many tenths of a microsecond have passed since 1601.
  private mutating func readHead(_ head: Span<UInt8>) -> WireMeaning {
    guard head.count == 9, head[0] == Self.logTime, let ticks = head.little(UInt64.self, at: 1) else { return .other }
    logged = Double(ticks) * 1e-7 - Self.logEpoch
    return .other
  }

  /// Command, length, priority, group, destination, source, milliseconds, length of the data, data, sum.
  private mutating func readMessage(_ bytes: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    guard bytes.count > 14, bytes[0] == Self.received, Int(bytes[1]) == bytes.count - 3,
      let milliseconds = bytes.little(UInt32.self, at: 8), Int(bytes[12]) == bytes.count - 14,
      bytes[12] <= CANFrame.longest
    else { return .other }
    var frame = CANFrame(
      group: Int(bytes[3]) | Int(bytes[4]) << 8 | Int(bytes[5]) << 16, priority: Int(bytes[2]), source: bytes[7],
      destination: bytes[6])
    for index in 13..<bytes.count - 1 { frame.append(bytes[index]) }
    guard case .message = reader.read(frame, at: logged ?? Double(milliseconds) / 1000, into: &message) else {
      return .other
    }
    return .message
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own else { return }
    var frames: [CANFrame] = []
    NMEA2000.forEachFrame(of: NMEA2000.Heading(own), sequence: 0xFF, source: 2) { frames.append($0) }
    for frame in frames { encode(frame, message.time, into: &bytes) }
  }

  private func encode(_ frame: CANFrame, _ time: Double?, into bytes: inout [UInt8]) {
    let group = frame.group
    var packet = [
      Self.received, UInt8(truncatingIfNeeded: frame.count + 11), UInt8(truncatingIfNeeded: frame.priority),
      UInt8(truncatingIfNeeded: group), UInt8(truncatingIfNeeded: group >> 8), UInt8(truncatingIfNeeded: group >> 16),
      frame.destination, frame.source,
    ]
    packet.append(little: UInt32(rounding: (time ?? 0) * 1000))
    packet.append(UInt8(truncatingIfNeeded: frame.count))
    for index in 0..<frame.count { packet.append(frame[index]) }
    packet.append(0 &- Checksum.sum8(packet.span))
    bytes += [Mark.escape, Mark.start]
    for byte in packet { bytes += byte == Mark.escape ? [byte, byte] : [byte] }
    bytes += [Mark.escape, Mark.end]
  }
}
