/// The unit of a column of times whose name does not say it, told by its steps.
enum TimeSteps {
  /// The meaning of the numbers.
  enum Meaning: Equatable {
    /// Times, with the length of one unit in seconds.
    case seconds(Double)
    /// They count rows by one.
    case index
  }

  /// Seconds in one unit of Xsens' SampleTimeFine, as its MTi count it.
  static let fine = 1e-4

  /// Seconds in one unit of SampleTimeFine by a step of it: Movella's DOT counts microseconds, at 1 to 120 a second, where an
  /// MTi that is as slow as this step says sends one in a second.
  static func fineScale(ofStep step: Double) -> Double { step > 8000 ? 1e-6 : fine }

  /// A longer step is one of nanoseconds: it would be two seconds of microseconds.
  private static let longestStep = 2e6

  /// Seconds, milliseconds or microseconds since 1970, from 1998 to 2100.
  private static func isDate(_ size: Double) -> Bool {
    [1, 1e3, 1e6].contains { (9e8 * $0...4.1e9 * $0).contains(size) }
  }

  /// Whole numbers in steps of 2 to 2000 are milliseconds, in steps of up to two million microseconds, and in larger ones
  /// nanoseconds, as a phone counts them since it was switched on; fractions are seconds. A date tells its unit by its size:
  /// 1e11 seconds are the year 5138. Nil while nothing steps.
  static func meaning(of times: [Double]) -> Meaning? {
    guard let last = times.last else { return nil }
    let size = abs(last)
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    let step = steps.isEmpty ? nil : steps[steps.count / 2]
    if size >= 1e9 {
      if size < 1e17, !isDate(size) {
        guard let step else { return nil }
        if step > longestStep { return .seconds(1e-9) }
      }
      // Seconds, milliseconds, microseconds, nanoseconds since 1970.
      return .seconds(size < 1e11 ? 1 : size < 1e14 ? 1e-3 : size < 1e17 ? 1e-6 : 1e-9)
    }
    guard let step else { return nil }
    guard times.allSatisfy({ $0 == $0.rounded() }) else { return .seconds(1) }
    if step == 1, steps.last == 1 { return .index }
    return .seconds(step < 2 ? 1 : step <= 2000 ? 1e-3 : step <= longestStep ? 1e-6 : 1e-9)
  }
}
