import LodestoneCore

/// A moment as the models count it: the year, and the part of it that has passed. 2024-07-01 is 2024 + 182/366.
public struct DecimalYear: Comparable, Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Years of the Common Era, as in 2026.7.
  public let value: Double

  /// A year from a number such as 2026.7.
  public init(_ value: Double) { self.value = value }
  /// A year from a literal such as 2026.7.
  public init(floatLiteral value: Double) { self.value = value }
  /// A year from a literal such as 2025.
  public init(integerLiteral value: Int) { self.value = Double(value) }

  /// A year from a day of the Gregorian calendar and the part of that day that has passed; nil where there is no such
  /// day.
  public init?(year: Int, month: Int, day: Int, partOfDay: Double = 0) {
    guard (0...1).contains(partOfDay), let date = CalendarTime(year: year, month: month, day: day) else { return nil }
    self.init(date, partOfDay: partOfDay)
  }

  /// A year from seconds since 1970-01-01 00:00 UTC, as clocks count them; outside the years 1 to 9999 the nearest
  /// moment in them.
  public init(secondsSince1970 seconds: Double) {
    self.init(CalendarTime(unixTime: seconds))
  }

  /// A year from a moment of the calendar.
  public init(_ time: CalendarTime) {
    self.init(time, partOfDay: min(time.secondOfDay / 86_400, 1))
  }

  private init(_ date: CalendarTime, partOfDay: Double) {
    value = Double(date.year) + (Double(date.dayOfYear - 1) + partOfDay) / Double(date.daysInYear)
  }

  /// Earlier first.
  public static func < (a: DecimalYear, b: DecimalYear) -> Bool { a.value < b.value }
}

// MARK: Text

extension DecimalYear {
  /// Reads a decimal year (`2026.7`) or an ISO 8601 date in UTC (`2026-09-12`, `2026-09-12T14:30`,
  /// `2026-09-12T14:30:00Z`) of the years 0 to 9999, with blanks allowed around it; nil for anything else, as
  /// `20260912`.
  public init?(_ text: Span<UInt8>) {
    if let number = Double(decimal: text) {
      guard (0..<10_000).contains(number) else { return nil }
      self.init(number)
      return
    }
    var range = 0..<text.count
    while let first = range.first, text[first] == 0x20 { range = range.dropFirst() }
    while let last = range.last, text[last] == 0x20 { range = range.dropLast() }
    guard let time = CalendarTime(iso: text.extracting(range)) else { return nil }
    self.init(time)
  }

  /// Reads a decimal year or an ISO 8601 date; nil for anything else.
  public init?(_ text: String) {
    self.init(Array(text.utf8).span)
  }
}
