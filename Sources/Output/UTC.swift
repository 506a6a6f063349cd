import Core

extension TextBuffer {
  /// Appends a moment as ISO 8601 in UTC to the millisecond: `2026-03-01T09:30:00.250Z`.
  public mutating func append(utc unixTime: Double) {
    let milliseconds = Int((max(0, min(unixTime, 253_402_300_799)) * 1000).rounded(.down))
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    let (year, month, day) = Self.civil(daysSince1970: days)
    append(padded: year, width: 4)
    append("-")
    append(padded: month, width: 2)
    append("-")
    append(padded: day, width: 2)
    append("T")
    append(padded: rest / 3_600_000, width: 2)
    append(":")
    append(padded: rest / 60_000 % 60, width: 2)
    append(":")
    append(padded: rest / 1000 % 60, width: 2)
    append(".")
    append(padded: rest % 1000, width: 3)
    append("Z")
  }

  private mutating func append(padded value: Int, width: Int) {
    var power = 1
    for _ in 1..<width { power *= 10 }
    while power > 0 {
      append(byte: UInt8(truncatingIfNeeded: 48 + value / power % 10))
      power /= 10
    }
  }

  /// The Gregorian date of a day, counted in eras of 400 years of 146097 days that begin on 1 March.
  private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
