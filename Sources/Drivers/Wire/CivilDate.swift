import Core

/// Dates of the Gregorian calendar as seconds since 1970-01-01, UTC.
enum CivilDate {
  /// The first second of a day; nil for a month or a day that no month has.
  static func seconds(year: Int, month: Int, day: Int) -> Double? {
    guard (1...12).contains(month), (1...31).contains(day), (1900...2200).contains(year) else { return nil }
    return Double(daysSince1970(year: year, month: month, day: day)) * 86_400
  }

  /// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013).
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = y / 400, yearOfEra = y % 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// `2010-06-04T10:31:00.289Z`; nil for anything else.
  static func seconds(iso text: Span<UInt8>) -> Double? {
    var position = 0
    guard let year = whole(text, 4, "-", &position), let month = whole(text, 2, "-", &position),
      let day = whole(text, 2, "T", &position), let hour = whole(text, 2, ":", &position),
      let minute = whole(text, 2, ":", &position), let second = parseDecimal(text, from: &position),
      position == text.count - 1, text[position] == UInt8(ascii: "Z"),
      let start = seconds(year: year, month: month, day: day)
    else { return nil }
    return start + Double(hour * 3600 + minute * 60) + second
  }

  private static func whole(
    _ text: Span<UInt8>, _ digits: Int, _ end: Unicode.Scalar, _ position: inout Int
  ) -> Int? {
    guard text.count - position > digits else { return nil }
    var value = 0
    for index in position..<position + digits {
      guard text[index].isDigit else { return nil }
      value = value * 10 + Int(text[index] - 48)
    }
    position += digits + 1
    return text[position - 1] == UInt8(ascii: end) ? value : nil
  }
}
