import LodestoneCore

/// NMEA 2000 as canboat's programs write it ("plain"): date and time in UTC, priority, parameter group, sender,
/// destination, how many bytes, the bytes. Source: canboat's README and samples.
///
///     2026-09-27T17:33:21.107Z,2,127250,2,255,8,ff,40,3d,ff,7f,ff,7f,fd
struct Canboat: NMEA2000Lines {
  static let name = "canboat"

  var framer = LineFramer()
  var reader = NMEA2000Reader()

  init() {}

  static func frame(of line: Span<UInt8>) -> (frame: CANFrame, time: Double?)? {
    var cursor = LineCursor()
    guard let time = instant(line, &cursor), cursor.pass(",", line) != nil,
      let priority = cursor.integer(line), priority < 8, cursor.pass(",", line) != nil,
      let group = cursor.integer(line), group < 1 << 24, cursor.pass(",", line) != nil,
      let source = cursor.integer(line), source < 256, cursor.pass(",", line) != nil,
      let destination = cursor.integer(line), destination < 256, cursor.pass(",", line) != nil,
      let count = cursor.integer(line), cursor.pass(",", line) != nil
    else { return nil }
    var frame = CANFrame(
      group: group, priority: priority, source: UInt8(truncatingIfNeeded: source),
      destination: UInt8(truncatingIfNeeded: destination))
    guard cursor.data(into: &frame, line) != nil, count > CANFrame.longest || count == frame.count else { return nil }
    return (frame, time)
  }

  /// `2026-09-27T17:33:21.107Z`, or `2026-09-27-17:33:21.107` as older versions wrote it.
  static func instant(_ line: Span<UInt8>, _ cursor: inout LineCursor) -> Double? {
    guard let year = cursor.integer(line), cursor.pass("-", line) != nil,
      let month = cursor.integer(line), cursor.pass("-", line) != nil, let day = cursor.integer(line),
      cursor.pass("T", line) != nil || cursor.pass("-", line) != nil || cursor.pass(" ", line) != nil,
      let seconds = cursor.timeOfDay(line),
      let date = CalendarTime(year: year, month: month, day: day)
    else { return nil }
    _ = cursor.pass("Z", line)
    return date.unixTime + seconds
  }

  static func append(_ frame: CANFrame, at time: Double?, to text: inout TextBuffer) {
    text.append(utc: time ?? 0)
    for number in [frame.priority, frame.group, Int(frame.source), Int(frame.destination), frame.count] {
      text.append(",")
      text.append(number)
    }
    text.append(",")
    text.append(dataOf: frame, between: ",")
    text.append("\n")
  }
}
