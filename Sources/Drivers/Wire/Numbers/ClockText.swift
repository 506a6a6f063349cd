import LodestoneCore

/// A time as clocks and calendars show it, in a column of a table or before a line.
struct ClockText {
  /// Seconds since 1970 where there is a date, else since midnight.
  let seconds: Double

  /// Reads `2026-09-12T14:30:05.25` and its like (ISO 8601), `12-Sep-2026 14:30:05.25` (MATLAB), `9/12/2026 2:30:05.25
  /// PM`, `2026/09/12 14:30:05.25` (Go), `12.09.2026 14:30:05`, `Sat Sep 12 14:30:05.25 2026` (C, Tera Term) and the
  /// time of day alone. Nil for anything else.
  init?(_ text: Span<UInt8>) {
    guard
      let moment = CalendarTime(iso: text) ?? Self.stroked(text) ?? Self.matlab(text) ?? Self.local(text)
        ?? Self.commaed(text)
        ?? Self.yearLast(text)
    else { return nil }
    seconds = moment.unixTime
  }

  /// Reads minutes, seconds and a fraction of them, `59:05.3`, as Excel writes a time of day into a table that it was
  /// shown. Seconds since the hour; nil for anything else.
  init?(sinceHour text: Span<UInt8>) {
    var index = 0
    guard let minutes = Self.number(text, &index), minutes < 60, index < text.count, text[index] == UInt8(ascii: ":")
    else { return nil }
    index += 1
    guard index + 2 < text.count, text[index].isDigit, text[index + 1].isDigit, ".,".utf8.contains(text[index + 2]),
      let second = parseDecimal(text, from: &index, decimalMark: text[index + 2]), index == text.count, second < 60
    else { return nil }
    seconds = Double(minutes) * 60 + second
  }

  /// The end of a time of day that begins at `start`, perhaps behind its date: `14:02:00`, `2026-05-04T14:02:00.1Z`,
  /// `2026/05/04 14:02:00,1`. Nil where none begins there.
  static func end(in line: Span<UInt8>, from start: Int) -> Int? {
    guard line[start].isDigit else { return nil }
    let date = endOfDate(line, from: start)
    var index = date ?? start
    if date != nil {
      guard index < line.count, line[index] == .space || line[index] | 0x20 == UInt8(ascii: "t") else { return nil }
      index += 1
    }
    let hour = endOfDigits(line, from: index)
    guard (1...2).contains(hour - index), line.holds(":", at: hour) else { return nil }
    let minute = endOfDigits(line, from: hour + 1)
    guard minute == hour + 3, line.holds(":", at: minute) else { return nil }
    var end = endOfDigits(line, from: minute + 1)
    guard end == minute + 3 else { return nil }
    if end + 1 < line.count, ".,:".utf8.contains(line[end]), line[end + 1].isDigit {
      let fraction = endOfDigits(line, from: end + 1)
      // Behind a comma may be the next number.
      if line[end] != .comma || fraction == end + 4 { end = fraction }
    }
    return date == nil ? end : endOfZone(line, from: end)
  }

  /// The end of a year, a month and a day; nil where no date begins.
  private static func endOfDate(_ line: Span<UInt8>, from start: Int) -> Int? {
    let marks = "-/.".utf8
    guard start + 9 < line.count, marks.contains(line[start + 4]), line[start + 7] == line[start + 4] else {
      return nil
    }
    let isDate = (0..<10).allSatisfy { $0 == 4 || $0 == 7 || line[start + $0].isDigit }
    return isDate ? start + 10 : nil
  }

  private static func endOfDigits(_ line: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < line.count, line[index].isDigit { index += 1 }
    return index
  }

  /// The place behind an offset from UTC, `Z` or `+02:00`, where one stands there.
  private static func endOfZone(_ line: Span<UInt8>, from start: Int) -> Int {
    guard start < line.count else { return start }
    if line[start] | 0x20 == UInt8(ascii: "z") { return start + 1 }
    guard "+-".utf8.contains(line[start]) else { return start }
    let hours = endOfDigits(line, from: start + 1)
    return line.holds(":", at: hours) ? endOfDigits(line, from: hours + 1) : hours
  }

  private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// The number of a month by its first three letters, of two digits; nil for other letters.
  private static func month(_ letters: some Sequence<UInt8>) -> String? {
    let name = String(decoding: letters.map { $0 | 0x20 }, as: UTF8.self)
    return months.firstIndex(of: name).map { padded($0 + 1) }
  }

  /// A day, the first letters of a month and a year, with minus signs between them, and the rest as in ISO 8601.
  private static func matlab(_ text: Span<UInt8>) -> CalendarTime? {
    guard text.count > 11, text[2] == UInt8(ascii: "-"), text[6] == UInt8(ascii: "-"),
      let month = month(text.bytes(in: 3..<6))
    else { return nil }
    let number = Array("-\(month)-".utf8)
    return iso(text.bytes(in: 7..<11) + number + text.bytes(in: 0..<2) + text.bytes(in: 11..<text.count))
  }

  /// A time as in ISO 8601, with strokes or points between year, month and day.
  private static func stroked(_ text: Span<UInt8>) -> CalendarTime? {
    guard text.count > 10, text[4] == text[7], "/.".utf8.contains(text[4]) else { return nil }
    let (minus, rest) = ([UInt8(ascii: "-")], text.bytes(in: 8..<text.count))
    return iso(text.bytes(in: 0..<4) + minus + text.bytes(in: 5..<7) + minus + rest)
  }

  /// A weekday, a month, a day, a time of day and a year.
  private static func yearLast(_ text: Span<UInt8>) -> CalendarTime? {
    let parts = text.bytes(in: 0..<text.count).split(whereSeparator: { $0.isBlank })
    guard parts.count == 5, let month = month(parts[1]), parts[4].count == 4 else { return nil }
    let day = parts[2].count == 1 ? [UInt8(ascii: "0")] + parts[2] : Array(parts[2])
    return iso(Array(parts[4]) + Array("-\(month)-".utf8) + day + [UInt8(ascii: "T")] + Array(parts[3]))
  }

  /// A time as in ISO 8601, with the comma that it allows before a fraction.
  private static func commaed(_ text: Span<UInt8>) -> CalendarTime? {
    guard let comma = text.firstIndex(of: .comma), text.firstIndex(of: UInt8(ascii: ".")) == nil else { return nil }
    return iso(text.bytes(in: 0..<comma) + [UInt8(ascii: ".")] + text.bytes(in: (comma + 1)..<text.count))
  }

  /// A time of day, and before it perhaps a date with the year last. With strokes the month comes first where it may:
  /// steps between times are right even where it was the day, but for the last days of a month.
  private static func local(_ text: Span<UInt8>) -> CalendarTime? {
    var index = 0
    guard let first = number(text, &index), index < text.count else { return nil }
    let mark = text[index]
    guard mark == UInt8(ascii: "/") || mark == UInt8(ascii: ".") else {
      return timeOfDay(text, from: 0, on: "1970-01-01T")
    }
    index += 1
    guard let second = number(text, &index), index < text.count, text[index] == mark, index + 4 < text.count else {
      return nil
    }
    let year = String(decoding: text.bytes(in: (index + 1)..<(index + 5)), as: UTF8.self)
    let isMonthFirst = mark == UInt8(ascii: "/") && first <= 12
    let (month, day) = isMonthFirst ? (first, second) : (second, first)
    index += 5
    while index < text.count, text[index].isBlank || text[index] == .comma { index += 1 }
    return timeOfDay(text, from: index, on: "\(year)-\(padded(month))-\(padded(day))T")
  }

  /// A time of day as in ISO 8601, but for an hour of one digit, AM or PM behind it, and a colon or a comma in place of
  /// the point or in its digits.
  private static func timeOfDay(_ text: Span<UInt8>, from start: Int, on date: String) -> CalendarTime? {
    var index = start
    guard let hour = number(text, &index), index < text.count, text[index] == UInt8(ascii: ":") else { return nil }
    let hasTwoDigits = index == start + 2
    var (rest, colons) = ([UInt8](), 0)
    while index < text.count, text[index].isDigit || ":.,".utf8.contains(text[index]) {
      colons += text[index] == UInt8(ascii: ":") ? 1 : 0
      let isPoint = text[index] == UInt8(ascii: ":") && colons == 3 || text[index] == .comma && !rest.contains(0x2E)
      if isPoint { rest.append(UInt8(ascii: ".")) } else if text[index] != .comma { rest.append(text[index]) }
      index += 1
    }
    // One digit, a colon and two are as well minutes and seconds.
    guard colons > 1 || hasTwoDigits else { return nil }
    var end = text.count
    while end > index, text[end - 1].isBlank { end -= 1 }
    while index < end, text[index].isBlank { index += 1 }
    let suffix = String(decoding: text.bytes(in: index..<end), as: UTF8.self)
    switch suffix.lowercased() {
    case "am" where (1...12).contains(hour): return iso(date, hour % 12, rest, "")
    case "pm" where (1...12).contains(hour): return iso(date, hour % 12 + 12, rest, "")
    default: return iso(date, hour, rest, suffix)
    }
  }

  private static func iso(_ date: String, _ hour: Int, _ rest: [UInt8], _ zone: String) -> CalendarTime? {
    iso(Array(date.utf8) + Array(padded(hour).utf8) + rest + Array(zone.utf8))
  }

  private static func iso(_ text: [UInt8]) -> CalendarTime? { CalendarTime(iso: text.span) }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Reads one or two digits.
  private static func number(_ text: Span<UInt8>, _ index: inout Int) -> Int? {
    let start = index
    var value = 0
    while index < text.count, index < start + 2, text[index].isDigit {
      value = value * 10 + Int(text[index] &- UInt8(ascii: "0"))
      index += 1
    }
    return index > start ? value : nil
  }
}

extension Span<UInt8> {
  /// A number of seconds, or a clock behind the dots of its date, that holds a fraction of a second.
  var isExact: Bool {
    let clock = extracting((firstIndex(of: UInt8(ascii: ":")) ?? 0)..<count)
    return clock.indices.contains { clock[$0] == UInt8(ascii: ".") || clock[$0] == .comma }
      || clock.indices.count { clock[$0] == UInt8(ascii: ":") } == 3
  }
}
