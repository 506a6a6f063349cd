import LodestoneCore

/// NMEA 2000 as Yacht Devices' gateways send it over the network: time of day, `R` (received) or `T` (sent), the
/// identifier of 29 bits and the data in base 16. Source: Yacht Devices YDWG-02 manual, appendix E.
///
///     17:33:21.107 R 09F11202 FF 40 3D FF 7F FF 7F FD
struct YDWG: NMEA2000Lines {
  static let name = "ydwg"
  /// A day.
  static let clockPeriod: Double? = 86_400

  var framer = LineFramer()
  var reader = NMEA2000Reader()

  init() {}

  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)? {
    var cursor = LineCursor()
    guard let time = cursor.timeOfDay(line), cursor.passBlanks(line) != nil, let way = cursor.byte(line),
      way == UInt8(ascii: "R") || way == UInt8(ascii: "T"), cursor.passBlanks(line) != nil,
      let identifier = cursor.hexadecimal(digits: 8, line), identifier < 1 << 29
    else { return nil }
    var frame = CANFrame(identifier: identifier)
    guard cursor.data(into: &frame, line) != nil else { return nil }
    return (frame, time)
  }

  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer) {
    text.append(ydwg: frame, timeOfDay: time ?? 0)
  }
}

extension TextBuffer {
  /// Appends a frame as a raw line of Yacht Devices, CR LF included.
  /// - Parameter timeOfDay: in seconds; whole days are taken off.
  public mutating func append(ydwg frame: CANFrame, timeOfDay: Double) {
    append(timeOfDay: timeOfDay, between: ":")
    append(" R ")
    append(hexadecimal: frame.identifier, digits: 8)
    append(" ")
    append(dataOf: frame, between: " ")
    append("\r\n")
  }
}

extension CANFrame {
  /// The frame of a raw line of Yacht Devices, without its end; nil for what is no such line.
  public init?(ydwg line: Span<UInt8>) {
    guard let frame = YDWG.frame(of: line)?.frame else { return nil }
    self = frame
  }

  /// The frame, as if sent by another sender.
  public func sent(from source: UInt8) -> CANFrame {
    CANFrame(identifier: identifier & ~0xFF | UInt32(source), bits: bits, count: count)
  }
}
