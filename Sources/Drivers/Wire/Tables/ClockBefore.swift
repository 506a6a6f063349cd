/// The date and the time of day before bare numbers, in one column or two, as loggers write them without a header:
/// `2026-11-27 12:00:00.05,-12.9,15.7,-43.5`, `27/11/2026;12:00:00;…`.
struct ClockBefore {
  /// Seconds since 1970 where the time's own column has a date, else since midnight.
  private(set) var seconds = 0.0
  /// The number of columns that it takes, and the start of those of the numbers.
  private(set) var columnCount = 0, end = 0

  /// The longest, in bytes.
  private static let limit = 48

  /// The time at the beginning of a line; nil for one that begins otherwise.
  init?(_ line: Span<UInt8>) {
    guard !line.isEmpty, line[0].isDigit else { return nil }
    var start = 0
    for index in 0..<min(line.count, Self.limit) {
      guard line[index] == .comma || line[index] == .semicolon || line[index] == .tab else { continue }
      let text = line.extracting(start..<index)
      columnCount += 1
      if text.firstIndex(of: UInt8(ascii: ":")) != nil {
        guard let clock = ClockText(text) else { return nil }
        (seconds, end) = (clock.seconds, index + 1)
        return
      }
      guard columnCount == 1, Self.isDate(text) else { return nil }
      start = index + 1
    }
    return nil
  }

  /// Digits, and two marks between them.
  private static func isDate(_ text: Span<UInt8>) -> Bool {
    let marks = text.indices.count { "-/.".utf8.contains(text[$0]) }
    return text.count > 7 && marks == 2 && text.indices.allSatisfy { text[$0].isDigit || "-/.".utf8.contains(text[$0]) }
  }
}
