/// The unit of a column of times whose name does not say it, told by its steps.
enum TimeSteps {
  /// The meaning of the numbers.
  enum Meaning: Equatable {
    /// Times, with the length of one unit in seconds.
    case seconds(Double)
    /// They count rows by one.
    case index
  }

  /// Whole numbers in steps of 2 to 2000 are milliseconds, in larger ones microseconds; fractions are seconds. A date tells
  /// its unit by its size: 1e11 seconds are the year 5138. Nil while nothing steps.
  static func meaning(of times: [Double]) -> Meaning? {
    guard let last = times.last else { return nil }
    let size = abs(last)
    if size >= 1e9 {
      // Seconds, milliseconds, microseconds, nanoseconds since 1970.
      return .seconds(size < 1e11 ? 1 : size < 1e14 ? 1e-3 : size < 1e17 ? 1e-6 : 1e-9)
    }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return nil }
    guard times.allSatisfy({ $0 == $0.rounded() }) else { return .seconds(1) }
    let step = steps[steps.count / 2]
    if step == 1, steps.last == 1 { return .index }
    return .seconds(step < 2 ? 1 : step <= 2000 ? 1e-3 : 1e-6)
  }
}
