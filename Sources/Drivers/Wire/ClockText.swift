import LodestoneCore

/// A time as clocks and calendars show it, in a column of a table.
struct ClockText {
  /// Since 1970 where there is a date, else since midnight.
  let seconds: Double

  /// Reads `2026-09-12T14:30:05.25` and its like (ISO 8601), `12-Sep-2026 14:30:05.25` (MATLAB) and `14:30:05.25`. Nil for
  /// anything else.
  init?(_ text: Span<UInt8>) {
    guard let moment = CalendarTime(iso: text) ?? Self.matlab(text) ?? Self.today(text) else { return nil }
    seconds = moment.unixTime
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// A day, the first letters of a month and a year, with minus signs between them, and the rest as in ISO 8601.
  private static func matlab(_ text: Span<UInt8>) -> CalendarTime? {
    guard text.count > 11, text[2] == UInt8(ascii: "-"), text[6] == UInt8(ascii: "-") else { return nil }
    let name = String(decoding: [text[3] | 0x20, text[4] | 0x20, text[5] | 0x20], as: UTF8.self)
    guard let month = months.firstIndex(of: name) else { return nil }
    let number = month < 9 ? "-0\(month + 1)-" : "-\(month + 1)-"
    return iso(bytes(text, 7..<11) + Array(number.utf8) + bytes(text, 0..<2) + bytes(text, 11..<text.count))
  }

  /// A time of day alone.
  private static func today(_ text: Span<UInt8>) -> CalendarTime? {
    guard text.count >= 5, text[2] == UInt8(ascii: ":") else { return nil }
    return iso(Array("1970-01-01T".utf8) + bytes(text, 0..<text.count))
  }

  private static func iso(_ text: [UInt8]) -> CalendarTime? { CalendarTime(iso: text.span) }

  private static func bytes(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8] { range.map { text[$0] } }
}
