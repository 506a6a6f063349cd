import Core

/// A moment as the models count it: the year, and the part of it that has passed. 2024-07-01 is 2024 + 182/366.
public struct DecimalYear: Comparable, Hashable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// Years of the Common Era, as in 2026.7.
  public let value: Double

  /// From a number such as 2026.7.
  public init(_ value: Double) { self.value = value }
  /// From a literal such as 2026.7.
  public init(floatLiteral value: Double) { self.value = value }
  /// From a literal such as 2025.
  public init(integerLiteral value: Int) { self.value = Double(value) }

  /// From a day of the Gregorian calendar and the part of that day that has passed; nil where there is no such day.
  public init?(year: Int, month: Int, day: Int, partOfDay: Double = 0) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
      (0...1).contains(partOfDay)
    else { return nil }
    let daysBefore = (1..<month).reduce(day - 1) { $0 + Self.days(in: $1, of: year) }
    value = Double(year) + (Double(daysBefore) + partOfDay) / (Self.isLeap(year) ? 366 : 365)
  }

  /// From seconds since 1970-01-01 00:00 UTC, as clocks count them; what is not in the years 1 to 9999 reads as the
  /// nearest of their moments.
  public init(secondsSince1970 seconds: Double) {
    let days = seconds > -719_162 * 86_400 ? min(seconds / 86_400, 2_932_896) : -719_162
    var year = 1970 + Int((days / 365.2425).rounded(.down))
    while Double(Self.daysSince1970(to: year + 1)) <= days { year += 1 }
    while Double(Self.daysSince1970(to: year)) > days { year -= 1 }
    value = Double(year) + (days - Double(Self.daysSince1970(to: year))) / (Self.isLeap(year) ? 366 : 365)
  }

  /// Earlier first.
  public static func < (a: DecimalYear, b: DecimalYear) -> Bool { a.value < b.value }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Days from 1970-01-01 to the first of January of a year.
  private static func daysSince1970(to year: Int) -> Int {
    let past = year - 1
    return past * 365 + past / 4 - past / 100 + past / 400 - 719_162
  }
}

// MARK: Text

extension DecimalYear {
  /// Reads a decimal year (`2026.7`) or an ISO 8601 date in UTC (`2026-09-12`, `2026-09-12T14:30`,
  /// `2026-09-12T14:30:00Z`), with blanks allowed around it; nil for anything else.
  public init?(_ text: Span<UInt8>) {
    if let number = Double(decimal: text) {
      self.init(number)
      return
    }
    var scan = DateScan()
    scan.skipBlanks(text)
    guard let year = scan.digits(4, of: text), scan.accept("-", in: text), let month = scan.digits(2, of: text),
      scan.accept("-", in: text), let day = scan.digits(2, of: text), let partOfDay = scan.partOfDay(text)
    else { return nil }
    scan.skipBlanks(text)
    guard scan.position == text.count else { return nil }
    self.init(year: year, month: month, day: day, partOfDay: partOfDay)
  }

  /// Reads a decimal year or an ISO 8601 date; nil for anything else.
  public init?(_ text: String) {
    self.init(Array(text.utf8).span)
  }
}

/// Reads the parts of an ISO 8601 date from left to right.
private struct DateScan {
  var position = 0

  mutating func skipBlanks(_ text: Span<UInt8>) {
    while position < text.count, text[position] == 0x20 { position += 1 }
  }

  mutating func accept(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Exactly `count` digits.
  mutating func digits(_ count: Int, of text: Span<UInt8>) -> Int? {
    guard position + count <= text.count else { return nil }
    var value = 0
    for index in position..<(position + count) {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += count
    return value
  }

  /// `T14:30:05.25Z` or a part of it; 0 where there is none, nil where it is no time of day.
  mutating func partOfDay(_ text: Span<UInt8>) -> Double? {
    guard accept("T", in: text) else { return 0 }
    guard let hour = digits(2, of: text), hour < 24, accept(":", in: text), let minute = digits(2, of: text),
      minute < 60
    else { return nil }
    var second = 0.0
    if accept(":", in: text) {
      guard position < text.count, text[position] &- UInt8(ascii: "0") <= 9,
        let value = parseDecimal(text, from: &position), value < 61
      else { return nil }
      second = value
    }
    _ = accept("Z", in: text)
    return min((Double(hour * 60 + minute) * 60 + second) / 86_400, 1)
  }
}
