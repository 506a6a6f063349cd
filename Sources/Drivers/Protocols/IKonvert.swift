import LodestoneCore

/// NMEA 2000 as Digital Yacht's iKonvert sends it: `!PDGY`, parameter group, priority, sender, destination, seconds
/// since its start, the data in base 64. Source: Digital Yacht iKonvert user manual, "Raw mode"; canboat's samples.
///
///     !PDGY,127250,2,3,255,481.734,2C20AAAAAAE=
struct IKonvert: NMEA2000Lines {
  static let name = "ikonvert"

  var framer = LineFramer()
  var reader = NMEA2000Reader()

  init() {}

  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)? {
    if line.holds("$PDGY,") { return (CANFrame(identifier: 0), nil) }  // what it says of itself
    guard line.holds("!PDGY,") else { return nil }
    var cursor = LineCursor()
    guard cursor.passAll(to: ",", line) != nil,
      let group = cursor.integer(line), group < 1 << 24, cursor.pass(",", line) != nil,
      let priority = cursor.integer(line), priority < 8, cursor.pass(",", line) != nil,
      let source = cursor.integer(line), source < 256, cursor.pass(",", line) != nil,
      let destination = cursor.integer(line), destination < 256, cursor.pass(",", line) != nil,
      let time = cursor.decimal(line), cursor.pass(",", line) != nil
    else { return nil }
    var frame = CANFrame(
      group: group, priority: priority, source: UInt8(truncatingIfNeeded: source),
      destination: UInt8(truncatingIfNeeded: destination))
    guard base64(line, &cursor, into: &frame) != nil else { return nil }
    return (frame, time)
  }

  /// The rest of the line in base 64 (RFC 4648, section 4); more than eight bytes leave the frame empty.
  private static func base64(_ line: Span<UInt8>, _ cursor: inout LineCursor, into frame: inout CANFrame) -> Void? {
    var bits: UInt32 = 0, bitCount = 0, isLonger = false, isOver = false
    while let byte = cursor.byte(line), !byte.isBlank {
      if byte == UInt8(ascii: "=") {
        isOver = true
        continue
      }
      guard !isOver, let six = value(byte) else { return nil }
      bits = bits << 6 | six
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      if !frame.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))) { isLonger = true }
    }
    if isLonger { frame = CANFrame(identifier: frame.identifier) }
    return ()
  }

  private static func value(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - 65)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - 97 + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - 48 + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer) {
    text.append("!PDGY")
    for number in [frame.group, frame.priority, Int(frame.source), Int(frame.destination)] {
      text.append(",")
      text.append(number)
    }
    text.append(",")
    text.append(time ?? 0, decimals: 3)
    text.append(",")
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for start in stride(from: 0, to: frame.count, by: 3) {
      let three = UInt32(frame[start]) << 16 | UInt32(frame[start + 1]) << 8 | UInt32(frame[start + 2])
      for place in 0..<4 {
        let isData = place <= frame.count - start
        text.append(byte: isData ? digits[Int(three >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    text.append("\r\n")
  }
}
