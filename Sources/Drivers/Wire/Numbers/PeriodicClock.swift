/// A clock that begins again after a period, as one that goes on.
struct PeriodicClock: Sendable {
  private var last = 0.0, past = 0.0

  /// A time with the periods that have passed since the first.
  /// - Parameter period: in seconds; nil for a clock that does not begin again.
  @inline(__always)
  mutating func unwrapped(_ time: Double, period: Double?) -> Double {
    guard let period else { return time }
    if time < last - period / 2 { past += period }
    last = time
    return time + past
  }

  /// A time of day that goes on past midnight; one with a date as it is.
  mutating func unwrapped(clock seconds: Double) -> Double {
    unwrapped(seconds, period: (0..<86_400).contains(seconds) ? 86_400 : nil)
  }

  /// The time of a row, which a clock may tell.
  @inline(__always)
  mutating func unwrapped(_ time: CSVTable.RowTime) -> Double? {
    guard time.isOfClock, let seconds = time.seconds else { return time.seconds }
    return time.isOfHour ? unwrapped(seconds, period: 3600) : unwrapped(clock: seconds)
  }
}
