import LodestonePorts

/// How old a calibration is.
enum CalibrationAge {
  /// "3 days", "5 hours", "2 minutes", from seconds since 1970-01-01 UTC until now.
  static func words(since created: Int) -> String {
    let seconds = max(0, WallClock.unixTime - Double(created))
    for (name, length) in [("year", 31_557_600.0), ("month", 2_629_800), ("day", 86_400), ("hour", 3600)]
    where seconds >= length {
      let count = Int(seconds / length)
      return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    let minutes = Int(seconds / 60)
    if minutes == 0 { return "less than a minute" }
    return "\(minutes) minute\(minutes == 1 ? "" : "s")"
  }
}
