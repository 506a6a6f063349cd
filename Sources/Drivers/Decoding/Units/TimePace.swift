import Glibc

/// The correction of a live board's times once their pace against arrival contradicts the unit that was assumed.
public enum TimeCorrection: Equatable, Sendable {
  /// The factor by which one of them is more seconds than were assumed.
  case scale(Double)
  /// Ticks of no usual unit: the moments of arrival are taken.
  case arrival
}

/// The pace of a live board's times against the moments they arrive at: a unit that was assumed is right, or off by a
/// power of a thousand, or is none. Two looks must agree, from and to other moments, so that no single damaged time
/// decides.
struct TimePace: Sendable {
  /// Seconds at the start that are left out: lines that had gathered in a buffer arrive all at once.
  private static let burst = 0.05
  /// Seconds and times after the burst that tell.
  private static let span = 1.0
  private static let fewest = 4
  /// Nanoseconds for seconds, or seconds for nanoseconds: past that no unit is meant.
  private static let largestPower = 9.0

  private(set) var correction: TimeCorrection?
  /// Whether enough has come to know the pace.
  private(set) var isKnown = false
  private var first: Double?
  /// The moments at which the two looks begin.
  private var reference, second: (board: Double, arrival: Double)?
  private var count = 0
  /// Whether the first look is done.
  private var hasLooked = false
  private var seen: TimeCorrection?

  /// The distance of a pace from a power of a thousand, as a power of ten: a clock that is read is nobody's guess,
  /// while counted messages are times only where they come exactly at the pace of a unit.
  private static let (ofClock, ofCount) = (0.5, 0.02)

  /// Seconds in a second that was assumed; nil where arrival tells more.
  var scale: Double? {
    switch correction {
    case nil: 1
    case .scale(let scale): scale
    case .arrival: nil
    }
  }

  mutating func noteGap() {
    first = nil
    restart(at: nil)
  }

  private mutating func restart(at moment: (board: Double, arrival: Double)?) {
    (reference, second, count, hasLooked) = (moment, nil, 0, false)
  }

  /// Takes a time in, or the number of a message. Once enough have come they show what they are.
  mutating func add(_ board: Double, arrival: Double, isCount: Bool = false) {
    guard !isKnown else { return }
    let first = first ?? arrival
    self.first = first
    guard let reference, arrival - first >= Self.burst, board > reference.board else {
      return restart(at: (board, arrival))
    }
    count += 1
    guard let second else { return self.second = (board, arrival) }
    guard arrival - reference.arrival >= Self.span, count >= Self.fewest else { return }
    guard hasLooked else {
      seen = Self.correction(log10((board - reference.board) / (arrival - reference.arrival)), isCount)
      hasLooked = true
      return
    }
    guard board > second.board,
      seen == Self.correction(log10((board - second.board) / (arrival - second.arrival)), isCount)
    else { return restart(at: (board, arrival)) }
    isKnown = true
    correction = seen
  }

  /// The correction for a pace, as a power of ten.
  private static func correction(_ exponent: Double, _ isCount: Bool) -> TimeCorrection? {
    let nearest = 3 * (exponent / 3).rounded()
    guard abs(exponent - nearest) < (isCount ? ofCount : ofClock), abs(nearest) <= largestPower else { return .arrival }
    return nearest == 0 ? nil : .scale(pow(10, -nearest))
  }
}
