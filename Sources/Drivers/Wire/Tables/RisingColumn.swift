import Glibc

/// The rise of a column of numbers from row to row: a time does so evenly, as no measured value does.
struct RisingColumn {
  /// Whether it rises from row to row.
  let rises: Bool
  /// Whether it does so in even steps, but for a few: a board that begins again counts from zero, and a digit may be
  /// lost.
  let isClock: Bool
  /// Whether it may be one, of too few rows to tell odd steps.
  let mayBeClock: Bool
  /// Whether it does so in steps that are nearly even.
  let isUnevenClock: Bool
  /// The usual step.
  let step: Double
  /// Whether all are whole numbers.
  let isWhole: Bool

  /// Rows in which two steps may be odd ones; of more rows one of these many.
  private static let (fewRows, rowsOfOddStep) = (12, 16)

  init(_ values: [Double]) {
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    let usual = steps.isEmpty ? 0 : steps.sorted()[steps.count / 2]
    let mean = steps.isEmpty ? 0 : steps.reduce(0, +) / Double(steps.count)
    (step, isWhole) = (usual, values.allSatisfy { $0 == $0.rounded() })
    let stray = isWhole && usual > 9 ? max(1.5, 0.04 * usual) : 0.02 * usual
    let odd = steps.count { abs($0 - usual) > stray }
    let mayBeOdd = values.count < Self.fewRows ? 0 : max(2, values.count / Self.rowsOfOddStep)
    let begins = values.first ?? -1 >= 0
    isClock = begins && usual > 0 && odd <= mayBeOdd
    mayBeClock = begins && usual > 0 && odd <= 2 && values.count < Self.fewRows
    let neverFalls = begins && mean > 0 && steps.allSatisfy { $0 >= 0 } && 2 * steps.count { $0 > 0 } > steps.count
    rises = isClock || neverFalls
    let change = steps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, steps.count))
    isUnevenClock = neverFalls && values.count >= Self.fewRows && change.squareRoot() < 0.2 * mean
  }
}
