/// The unit of a column of times whose name does not say it, told by its steps.
enum TimeSteps {
  /// The meaning of the numbers.
  enum Meaning: Equatable {
    /// Times, with the length of one unit in seconds.
    case seconds(Double)
    /// Steps that count rows by one.
    case index
  }

  /// Seconds in one unit of Xsens' SampleTimeFine, as its MTi count it.
  static let fine = 1e-4

  /// Seconds in one unit of SampleTimeFine by a step of it: Movella's DOT counts microseconds, at 1 to 120 a second,
  /// where an MTi that is as slow as this step says sends one in a second.
  static func fineScale(ofStep step: Double) -> Double { step > 8000 ? 1e-6 : fine }

  /// A longer step is one of nanoseconds: it would be two seconds of microseconds.
  private static let longestStep = 2e6
  /// Seconds between lines, at most, of what logs dates at odd times; a slower one logs at whole minutes.
  private static let longestPause = 600.0
  /// Seconds since 1970 of what logs at such times: of 2020 to 2033. A board that counts milliseconds reaches the dates
  /// after ten days, and leaves them after 47.
  private static let present = 1.5778368e9...2e9

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970, from 1998 to 2100, as seconds in one unit; nil for
  /// another number.
  private static func dateScale(of size: Double) -> Double? {
    [1, 1e-3, 1e-6, 1e-9].first { (9e8...4.1e9).contains(size * $0) }
  }

  /// The unit of whole numbers, by a step: 2 to 2000 are milliseconds, up to two million microseconds, unless a slow
  /// logger has counted milliseconds, and more nanoseconds, as a phone counts them since it was switched on. Fractions
  /// are seconds. A date tells its unit by its size, but a board that counts microseconds reaches the dates in seconds
  /// after a quarter of an hour. Nil while nothing steps.
  static func meaning(of times: [Double]) -> Meaning? {
    guard let last = times.last else { return nil }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    let step = steps.isEmpty ? nil : steps[steps.count / 2]
    let date = dateScale(of: abs(last))
    if let date, date < 1 {
      if steps.isEmpty, date > 1e-9, !present.contains(abs(last) * date) { return nil }
      return .seconds(areSinceStart(last, steps, date) ? 1e-9 : date)
    }
    guard let step else { return nil }
    guard times.allSatisfy({ $0 == $0.rounded() }) else { return .seconds(areDays(times, step) ? 86_400 : 1) }
    if date != nil {
      let isLogged = step < 2 || present.contains(last) && step <= longestPause
      if isLogged || steps.allSatisfy({ $0.remainder(dividingBy: 60) == 0 }) { return .seconds(1) }
    } else if step == 1, steps.last == 1 {
      return .index
    }
    if step > mostMilliseconds, areOfSlowLogger(times, steps, step) { return .seconds(1e-3) }
    return .seconds(step < 2 ? 1 : step <= mostMilliseconds ? 1e-3 : step <= longestStep ? 1e-6 : 1e-9)
  }

  /// Whole numbers as large as dates are nanoseconds since a phone was switched on, as they are for an hour, and for a
  /// month: as dates they would lie hours apart, or seconds apart in no year of now.
  private static func areSinceStart(_ last: Double, _ steps: [Double], _ date: Double) -> Bool {
    guard date > 1e-9, !steps.isEmpty else { return false }
    let step = steps[steps.count / 2]
    guard nanoseconds.contains(step) else { return false }
    guard present.contains(abs(last) * date) else { return step * date >= 5 }
    return step * date > longestPause && !steps.allSatisfy { ($0 * date).remainder(dividingBy: 60) == 0 }
  }

  /// Steps of nanoseconds that sensors make.
  private static let nanoseconds = 5e5...2e9

  /// Fractions are days since 1900, as spreadsheets count them, of 2000 to 2100: in seconds their steps would be those
  /// of more rows a second than any magnetometer has.
  private static func areDays(_ times: [Double], _ step: Double) -> Bool {
    step < 2e-4 && times.allSatisfy { (36_526...73_050).contains($0) }
  }

  // MARK: Long steps

  /// Milliseconds between lines that no count of microseconds is as likely to be.
  private static let mostMilliseconds = 2000.0
  /// Seconds between lines that fractions of milliseconds are as likely to be.
  private static let slowSeconds = 5.0
  /// A slower logger logs at whole minutes.
  private static let (slowest, minute) = (90_000.0, 60_000.0)
  /// Milliseconds by which the steps of a loop that waits differ.
  private static let stray = 3.0
  /// First times of a board that was just switched on, if they are milliseconds: in so few microseconds hardly any has
  /// printed a line. Those that are counted from the first line on begin at nothing.
  private static let firstMilliseconds = 1000.0..<50_000

  /// The unit rests on little: whole numbers may be milliseconds of a slow logger, or microseconds, and fractions of a
  /// logger that would be as slow are milliseconds where a board's microseconds were divided.
  static func areOpen(_ times: [Double]) -> Bool {
    guard let last = times.last, dateScale(of: abs(last)) == nil else { return false }
    let steps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 0 }.sorted()
    guard !steps.isEmpty else { return false }
    let step = steps[steps.count / 2]
    guard times.allSatisfy({ $0 == $0.rounded() }) else { return step >= slowSeconds && step <= mostMilliseconds }
    return step > mostMilliseconds && step <= max(longestStep, 60 * minute)
  }

  /// Whole numbers in long steps count milliseconds: whole minutes of them, or from a moment on at which no board
  /// prints if they were microseconds. Steps that have been counted from nothing on say no more of the unit.
  private static func areOfSlowLogger(_ times: [Double], _ steps: [Double], _ step: Double) -> Bool {
    guard let first = times.first, dateScale(of: abs(first)) == nil else { return false }
    let isEven = 4 * steps.count { abs($0 - step) <= stray } >= 3 * steps.count
    if isEven, step >= minute, step <= 60 * minute, abs(step.remainder(dividingBy: minute)) <= stray { return true }
    guard step <= slowest, firstMilliseconds.contains(first) else { return false }
    return isEven ? first.remainder(dividingBy: step) != 0 : first >= step
  }
}
