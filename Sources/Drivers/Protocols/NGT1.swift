import LodestoneCore

/// NMEA 2000 as Actisense's NGT-1 and its like hand it to a serial port: `10 02`, command 93, a length, the message and a sum
/// that makes all of it zero modulo 256, `10 03`; a 10 within is doubled. Of the messages it takes the vessel's heading
/// (PGN 127250) and attitude (PGN 127257). Sources: canboat (actisense-serial, pgns.json).
struct NGT1: FrameProtocol {
  static let name = "ngt1"
  static let proof = WireProof.checksum

  private enum Mark {
    static let escape: UInt8 = 0x10, start: UInt8 = 0x02, end: UInt8 = 0x03
  }
  /// N2K message received.
  private static let received: UInt8 = 0x93
  /// Mark, command and length, eleven bytes of head, 223 of data, sum and mark, every byte doubled.
  private static let longestFrame = 512
  private static let heading = 127_250, attitude = 127_257
  /// Radians in one count of an angle.
  private static let radians = 1e-4

  /// Pitch and roll for the next heading.
  private var tilt: (pitch: Double, roll: Double)?
  private var packet: [UInt8] = []

  init() { packet.reserveCapacity(256) }

  static func start(in bytes: Span<UInt8>, from place: Int) -> Int {
    bytes.quickIndex(of: Mark.escape, in: place..<bytes.count) ?? bytes.count
  }

  func frame(at start: Int, in bytes: Span<UInt8>) -> FrameStart {
    guard bytes[start] == Mark.escape else { return .none }
    guard start + 1 < bytes.count else { return .incomplete }
    guard bytes[start + 1] == Mark.start else { return .none }
    let limit = min(bytes.count, start + Self.longestFrame)
    var index = start + 2, sum: UInt8 = 0
    while index < limit {
      if bytes[index] == Mark.escape {
        index &+= 1
        guard index < limit else { break }
        if bytes[index] == Mark.end { return sum == 0 && index > start + 5 ? .whole(index + 1 - start) : .damaged }
        guard bytes[index] == Mark.escape else { return .damaged }
      }
      sum &+= bytes[index]
      index &+= 1
    }
    return limit < bytes.count || limit == start + Self.longestFrame ? .none : .incomplete
  }

  mutating func read(_ frame: Span<UInt8>) -> WireEvent? {
    packet.removeAll(keepingCapacity: true)
    var index = 2
    while index < frame.count - 2 {
      if frame[index] == Mark.escape { index += 1 }
      packet.append(frame[index])
      index += 1
    }
    let packet = packet
    let bytes = packet.span
    // Command, length, priority, PGN, destination, source, milliseconds, length of the data, data, sum.
    guard bytes.count > 14, bytes[0] == Self.received, Int(bytes[1]) == bytes.count - 3,
      let milliseconds = bytes.little(UInt32.self, at: 8), Int(bytes[12]) == bytes.count - 14
    else { return .other }
    let number = Int(bytes[3]) | Int(bytes[4]) << 8 | Int(bytes[5]) << 16
    let data = bytes.extracting(13..<bytes.count - 1)
    switch number {
    case Self.heading:
      guard let own = Self.readHeading(data, tilt) else { return .other }
      var message = WireMessage()
      message.own = own
      message.time = Double(milliseconds) / 1000
      return .message(message)
    case Self.attitude:
      tilt = Self.readTilt(data)
      return .other
    default: return .other
    }
  }

  /// Sequence, heading, deviation, variation (east positive), and in two bits which north: 0 true, 1 magnetic. The sensor's
  /// heading with the deviation is magnetic.
  private static func readHeading(_ data: Span<UInt8>, _ tilt: (pitch: Double, roll: Double)?) -> OwnHeading? {
    guard data.count >= 8, let counts = data.little(UInt16.self, at: 1), counts < 0xFFFE else { return nil }
    let degrees = Double(counts) * radians * 180 / .pi
    guard degrees <= 360.01 else { return nil }
    var own = OwnHeading()
    switch data[7] & 3 {
    case 0: own.trueNorth = Heading(degrees: degrees)
    case 1:
      own.magnetic = Heading(degrees: degrees + (angle(data, at: 3) ?? 0))
      if let variation = angle(data, at: 5), let magnetic = own.magnetic {
        own.trueNorth = magnetic + Declination(degrees: variation)
      }
    default: return nil
    }
    own.pitch = tilt?.pitch
    own.roll = tilt?.roll
    return own
  }

  /// Sequence, yaw, pitch (bow up positive), roll (to starboard positive).
  private static func readTilt(_ data: Span<UInt8>) -> (pitch: Double, roll: Double)? {
    guard let pitch = angle(data, at: 3), let roll = angle(data, at: 5) else { return nil }
    return (pitch, roll)
  }

  /// In degrees; nil where the sender has none.
  private static func angle(_ data: Span<UInt8>, at place: Int) -> Double? {
    guard let counts = data.little(Int16.self, at: place), counts < 0x7FFE else { return nil }
    return Double(counts) * radians * 180 / .pi
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    guard let own = message.own, own.magnetic != nil || own.trueNorth != nil else { return }
    if let pitch = own.pitch, let roll = own.roll {
      encode(Self.attitude, message.time, into: &bytes) {
        $0 += [0xFF, 0xFF, 0x7F]
        $0.append(little: Self.counts(pitch))
        $0.append(little: Self.counts(roll))
        $0.append(0xFF)
      }
    }
    encode(Self.heading, message.time, into: &bytes) {
      let degrees = own.magnetic?.degrees ?? own.trueNorth?.degrees ?? 0
      $0.append(0xFF)
      $0.append(little: UInt16(rounding: degrees * .pi / 180 / Self.radians))
      $0 += [0xFF, 0x7F]
      if let magnetic = own.magnetic, let trueNorth = own.trueNorth {
        $0.append(little: Self.counts(Angle.shortestTurn(from: magnetic.degrees, to: trueNorth.degrees)))
      } else {
        $0 += [0xFF, 0x7F]
      }
      $0.append(own.magnetic == nil ? 0xFC : 0xFD)
    }
  }

  private static func counts(_ degrees: Double) -> Int16 { Int16(rounding: degrees * .pi / 180 / radians) }

  private func encode(
    _ number: Int, _ time: Double?, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
  ) {
    var data: [UInt8] = []
    body(&data)
    var packet = [
      Self.received, UInt8(truncatingIfNeeded: data.count + 11), 2, UInt8(truncatingIfNeeded: number),
      UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number >> 16), 0xFF, 0x10,
    ]
    packet.append(little: UInt32(rounding: (time ?? 0) * 1000))
    packet.append(UInt8(truncatingIfNeeded: data.count))
    packet += data
    packet.append(0 &- Checksum.sum8(packet.span))
    bytes += [Mark.escape, Mark.start]
    for byte in packet { bytes += byte == Mark.escape ? [byte, byte] : [byte] }
    bytes += [Mark.escape, Mark.end]
  }
}
