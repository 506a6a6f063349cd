import LodestoneCore

/// NMEA 2000 as Actisense's W2K-1 sends it over the network ("N2K ASCII"): `A`, the time of day, sender, destination
/// and priority in base 16, the parameter group's number, the data. Source: Actisense W2K-1 manual; canboat's samples.
///
///     A173321.107 02FF2 1F112 FF403DFF7FFF7FFD
struct N2KASCII: NMEA2000Lines {
  static let name = "n2k-ascii"
  /// A day.
  static let clockPeriod: Double? = 86_400

  var framer = LineFramer()
  var reader = NMEA2000Reader()

  init() {}

  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)? {
    var cursor = LineCursor()
    guard cursor.pass("A", line) != nil, let clock = cursor.decimal(line), let time = secondOfDay(clock),
      cursor.passBlanks(line) != nil,
      let source = cursor.hexadecimal(digits: 2, line), let destination = cursor.hexadecimal(digits: 2, line),
      let priority = cursor.hexadecimal(digits: 1, line), priority < 8, cursor.passBlanks(line) != nil,
      let group = cursor.hexadecimal(digits: 5, line), group < 1 << 18, cursor.passBlanks(line) != nil
    else { return nil }
    var frame = CANFrame(
      group: Int(group), priority: Int(priority), source: UInt8(truncatingIfNeeded: source),
      destination: UInt8(truncatingIfNeeded: destination))
    guard cursor.data(into: &frame, line) != nil else { return nil }
    return (frame, time)
  }

  /// `173321.107`: hours, minutes and seconds written together.
  private static func secondOfDay(_ clock: Double) -> Double? {
    guard (0..<240_000).contains(clock) else { return nil }
    let hours = (clock / 10_000).rounded(.down), minutes = (clock / 100).rounded(.down) - hours * 100
    let seconds = clock - hours * 10_000 - minutes * 100
    return minutes < 60 && seconds < 61 ? hours * 3600 + minutes * 60 + seconds : nil
  }

  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer) {
    text.append(n2kASCII: frame, timeOfDay: time ?? 0)
  }
}

extension TextBuffer {
  /// Appends a frame as a line of Actisense's N2K ASCII, CR LF included.
  /// - Parameter timeOfDay: in seconds; whole days are taken off.
  public mutating func append(n2kASCII frame: CANFrame, timeOfDay: Double) {
    append("A")
    append(timeOfDay: timeOfDay, between: "")
    append(" ")
    append(hexadecimal: UInt32(frame.source), digits: 2)
    append(hexadecimal: UInt32(frame.destination), digits: 2)
    append(hexadecimal: UInt32(frame.priority), digits: 1)
    append(" ")
    append(hexadecimal: UInt32(frame.group), digits: 5)
    append(" ")
    append(dataOf: frame)
    append("\r\n")
  }
}
