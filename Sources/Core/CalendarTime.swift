/// A moment in UTC as the Gregorian calendar counts it, in the years 1 to 9999.
public struct CalendarTime: Hashable, Sendable {
  /// Year of the Common Era.
  public let year: Int
  /// 1 for January to 12.
  public let month: Int
  /// Day of the month, from 1.
  public let day: Int
  /// Seconds since midnight, 0 ..< 86 401: a leap second has a place.
  public let secondOfDay: Double

  /// A day of the calendar and a time in it; nil where there is no such day or time.
  public init?(year: Int, month: Int, day: Int, secondOfDay: Double = 0) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...Self.days(inMonth: month, of: year)).contains(day),
      secondOfDay >= 0, secondOfDay < 86_401
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.secondOfDay = secondOfDay
  }

  /// A moment from seconds since 1970-01-01T00:00:00Z, as clocks count them; the nearest one in the years 1 to 9999.
  /// Counted in eras of 400 years (146 097 days) of years that begin on 1 March, so that the leap day is the last
  /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2013).
  public init(unixTime: Double) {
    let first = -62_135_596_800.0
    let seconds = unixTime > first ? min(unixTime, 253_402_300_799.999) : first
    let days = (seconds / 86_400).rounded(.down)
    let shifted = Int(days) + 719_468
    let era = shifted / 146_097, dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    secondOfDay = seconds - days * 86_400
  }

  /// Days since 1970-01-01; negative before.
  public var daysSince1970: Int {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400, yearOfEra = marchYear % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public var unixTime: Double { Double(daysSince1970 * 86_400) + secondOfDay }

  /// Day of the year, 1 for the first of January.
  public var dayOfYear: Int { (1..<month).reduce(day) { $0 + Self.days(inMonth: $1, of: year) } }

  /// 366 in a leap year, else 365.
  public var daysInYear: Int { Self.isLeap(year) ? 366 : 365 }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// MARK: Reading

extension CalendarTime {
  /// Reads ISO 8601: `2026-09-12`, `2026-09-12T14:30`, `2026-09-12T14:30:05.25`, with a blank in place of the `T` and
  /// with `Z` or an offset such as `+02:00` or ` +0200` behind the time; without one it is UTC. Nil for anything else.
  public init?(iso text: Span<UInt8>) {
    var scan = ISOScan()
    guard let year = scan.digits(4, of: text), scan.accept("-", in: text), let month = scan.digits(2, of: text),
      scan.accept("-", in: text), let day = scan.digits(2, of: text), let time = scan.timeOfDay(text),
      scan.position == text.count,
      let local = CalendarTime(year: year, month: month, day: day, secondOfDay: time.second)
    else { return nil }
    self = time.offset == 0 ? local : CalendarTime(unixTime: local.unixTime - time.offset)
  }

  /// Reads ISO 8601 from a string; nil for anything else.
  public init?(iso text: some StringProtocol) {
    self.init(iso: Array(text.utf8).span)
  }
}

/// Reads the parts of an ISO 8601 date from left to right.
private struct ISOScan {
  var position = 0

  mutating func accept(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  /// Exactly `count` digits.
  mutating func digits(_ count: Int, of text: Span<UInt8>) -> Int? {
    guard text.count - position >= count else { return nil }
    var value = 0
    for index in position..<(position + count) {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    position += count
    return value
  }

  /// Seconds since midnight, and how many the clock is ahead of UTC; zeros where there is no time, nil for a wrong one.
  mutating func timeOfDay(_ text: Span<UInt8>) -> (second: Double, offset: Double)? {
    guard position < text.count else { return (0, 0) }
    guard accept("T", in: text) || accept(" ", in: text), let hour = digits(2, of: text), hour < 24,
      accept(":", in: text), let minute = digits(2, of: text), minute < 60
    else { return nil }
    var second = 0.0
    if accept(":", in: text) {
      guard position < text.count, text[position] &- UInt8(ascii: "0") <= 9,
        let value = parseDecimal(text, from: &position), value < 61
      else { return nil }
      second = value
    }
    guard let offset = offset(text) else { return nil }
    return (Double(hour * 60 + minute) * 60 + second, offset)
  }

  private mutating func offset(_ text: Span<UInt8>) -> Double? {
    if position == text.count || accept("Z", in: text) { return 0 }
    _ = accept(" ", in: text)
    let isBehind = accept("-", in: text)
    guard isBehind || accept("+", in: text), let hours = digits(2, of: text), hours < 24 else { return nil }
    _ = accept(":", in: text)
    guard let minutes = position < text.count ? digits(2, of: text) : 0, minutes < 60 else { return nil }
    return Double((hours * 60 + minutes) * 60) * (isBehind ? -1 : 1)
  }
}

// MARK: Writing

extension TextBuffer {
  /// Appends a moment (seconds since 1970-01-01T00:00:00Z) as ISO 8601 in UTC, cut to whole seconds or to 1 to 6
  /// decimals of one: `2026-03-01T09:30:00.250Z`. Other files want something else between day and time, and behind it.
  public mutating func append(
    utc unixTime: Double, decimals: Int = 3, between separator: StaticString = "T", zone: StaticString = "Z"
  ) {
    // A Double is good to 0.12 µs today: without that much more, every other millisecond would be cut to the one
    // before.
    let time = CalendarTime(unixTime: unixTime + 2e-7)
    append(time.year, width: 4)
    append("-")
    append(time.month, width: 2)
    append("-")
    append(time.day, width: 2)
    append(separator)
    let decimals = min(max(decimals, 0), 6)
    let power = (0..<decimals).reduce(1) { value, _ in value * 10 }
    let parts = Int((time.secondOfDay * Double(power)).rounded(.down))
    let second = parts / power
    append(second / 3600, width: 2)
    append(":")
    append(second / 60 % 60, width: 2)
    append(":")
    append(second % 60, width: 2)
    if decimals > 0 {
      append(".")
      append(parts % power, width: decimals)
    }
    append(zone)
  }

  /// Appends the last `width` digits (1 ... 19) of an integer that is not negative, with zeros before them.
  public mutating func append(_ value: Int, width: Int) {
    var power = 1
    for _ in 1..<min(max(width, 1), 19) { power *= 10 }
    while power > 0 {
      append(byte: UInt8(truncatingIfNeeded: 48 + value / power % 10))
      power /= 10
    }
  }
}

extension CalendarTime {
  /// A moment (seconds since 1970-01-01T00:00:00Z) as `2026-05-01T12:00:00Z`.
  public static func text(unixTime: Int) -> String {
    var text = TextBuffer(capacity: 32)
    text.append(utc: Double(unixTime), decimals: 0)
    return text.text
  }
}
