import Glibc

/// How a live board's times are corrected once their pace against arrival contradicts the unit that was assumed.
public enum TimeCorrection: Equatable, Sendable {
  /// One of them is as many seconds as were assumed, times this.
  case scale(Double)
  /// Ticks of no usual unit: the moments of arrival are taken.
  case arrival
}

/// The pace of a live board's times against the moments they arrive at: a unit that was assumed is right, or off by a power
/// of a thousand, or is none.
struct TimePace: Sendable {
  /// Seconds at the start that are left out: lines that had gathered in a buffer arrive all at once.
  private static let burst = 0.05
  /// Seconds and times after the burst that tell.
  private static let span = 1.0
  private static let fewest = 4
  /// Nanoseconds for seconds, or seconds for nanoseconds: past that no unit is meant.
  private static let largestPower = 9.0

  private(set) var correction: TimeCorrection?
  /// Enough has come.
  private(set) var isKnown = false
  private var first: Double?
  private var reference: (board: Double, arrival: Double)?
  private var count = 0

  /// Seconds in a second that was assumed; nil where arrival tells more.
  var scale: Double? {
    switch correction {
    case nil: 1
    case .scale(let scale): scale
    case .arrival: nil
    }
  }

  mutating func noteGap() { (first, reference, count) = (nil, nil, 0) }

  /// Takes a time in. Once enough have come they show what they are.
  mutating func add(_ board: Double, arrival: Double) {
    guard !isKnown else { return }
    let first = first ?? arrival
    self.first = first
    guard let reference, arrival - first >= Self.burst, board > reference.board else {
      self.reference = (board, arrival)
      count = 0
      return
    }
    count += 1
    let elapsed = arrival - reference.arrival
    guard elapsed >= Self.span, count >= Self.fewest else { return }
    isKnown = true
    let exponent = log10((board - reference.board) / elapsed)
    let nearest = 3 * (exponent / 3).rounded()
    guard abs(exponent - nearest) < 0.5, abs(nearest) <= Self.largestPower else {
      correction = .arrival
      return
    }
    if nearest != 0 { correction = .scale(pow(10, -nearest)) }
  }
}
