import LodestoneCore

/// NMEA 2000 as Linux' can-utils print it: candump's log (`-L`, `-l`) and what it shows on a screen, with and without
/// times. Only identifiers of 29 bits are NMEA 2000. Source: can-utils, candump.c and log2asc.c; canboat's samples.
///
///     (1790530401.107000) can0 09F11202#FF403DFF7FFF7FFD
///      (1790530401.107000)  can0  09F11202   [8]  FF 40 3D FF 7F FF 7F FD
struct Candump: NMEA2000Lines {
  static let name = "candump"

  var framer = LineFramer()
  var reader = NMEA2000Reader()

  init() {}

  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)? {
    var cursor = LineCursor(), time: Double?
    _ = cursor.passBlanks(line)
    if cursor.pass("(", line) != nil {
      guard let seconds = cursor.decimal(line), cursor.pass(")", line) != nil, cursor.passBlanks(line) != nil else {
        return nil
      }
      time = seconds
    }
    guard passName(line, &cursor) != nil else { return nil }
    let isBracketed = cursor.pass("<", line) != nil
    if isBracketed { guard cursor.pass("0", line) != nil, cursor.pass("x", line) != nil else { return nil } }
    guard let identifier = cursor.hexadecimal(digits: 8, line), identifier < 1 << 29 else { return nil }
    if isBracketed { guard cursor.pass(">", line) != nil else { return nil } }
    var frame = CANFrame(identifier: identifier)
    if cursor.pass("#", line) == nil {
      guard cursor.passBlanks(line) != nil, cursor.pass("[", line) != nil, let count = cursor.integer(line),
        count <= CANFrame.longest, cursor.pass("]", line) != nil, cursor.data(into: &frame, line) != nil,
        frame.count == count
      else { return nil }
      return (frame, time)
    }
    // What a log may hold behind the data: the direction.
    while let byte = cursor.byte(line), !byte.isBlank {
      guard let high = byte.hexadecimalValue, let low = cursor.byte(line)?.hexadecimalValue,
        frame.append(high << 4 | low)
      else { return nil }
    }
    return (frame, time)
  }

  /// The interface's name, as in `can0`, `vcan1`, `slcan0`; nothing before an identifier in brackets.
  private static func passName(_ line: Span<UInt8>, _ cursor: inout LineCursor) -> Void? {
    guard cursor.index < line.count, line[cursor.index] != UInt8(ascii: "<") else { return () }
    guard line[cursor.index].isLetter else { return nil }
    while let byte = cursor.byte(line) {
      if byte.isBlank {
        _ = cursor.passBlanks(line)
        return ()
      }
    }
    return nil
  }

  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer) {
    text.append("(")
    text.append(time ?? 0, decimals: 6)
    text.append(") can0 ")
    text.append(hexadecimal: frame.identifier, digits: 8)
    text.append("#")
    text.append(dataOf: frame)
    text.append("\n")
  }
}
