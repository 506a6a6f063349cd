/// Moments in UTC as recordings write them.
enum UnixTime {
  /// Seconds since 1970-01-01 of `2026-03-01T09:30:00.250Z`; nil for anything else.
  static func parse(_ text: Substring) -> Double? {
    let parts = text.split(whereSeparator: { "-T:Z".contains($0) })
    guard parts.count == 6, let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let hour = Int(parts[3]), let minute = Int(parts[4]), let second = Double(parts[5]),
      (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), second >= 0, second < 61
    else { return nil }
    return Double(days(year, month, day) * 86_400 + hour * 3600 + minute * 60) + second
  }

  /// Days since 1970-01-01 in the Gregorian calendar, with years that begin in March so that the leap day is the last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
  }
}
