/// Board time to stream time. The first message decides where times come from: the board's clock, or the moments of
/// arrival.
///
/// A live stream begins at zero, goes on evenly where a counter wraps or the board restarts, and never goes back. A
/// recording keeps its own times, also where a clock was set back; where a board counts from zero again it goes on
/// evenly. One stamp alone that does not follow the one before may be damaged: it moves nothing. A second one that
/// follows the first of them is a clock that was set, unless in a recording a third goes on from before them: then both
/// were damaged. A message without a stamp has that of the one before; once the next is overdue, time goes on by
/// arrival, in a recording at the rate of the messages.
struct StreamClock: Sendable {
  /// A time of the board.
  private struct Stamp {
    var board: Double
    let arrival: Double
    /// The number of its message.
    let row: Int
  }

  private let keepsTime: Bool
  /// The board's clock is followed; nil before the first message.
  private(set) var followsBoard: Bool?
  /// The last stamp that is believed, and one after it that does not follow it.
  private var trusted: Stamp?
  private var doubted: Stamp?
  /// The last stamp of a recording before its clock went to another count, with the offset that held for it.
  private var former: (stamp: Stamp, offset: Double)?
  /// Stream time less board time.
  private var offset = 0.0
  private var row = 0
  /// Seconds from a stamp to the next, and from a message to the next, without gaps.
  private var (step, period) = (0.0, 0.0)
  /// Seconds by which times have been ahead of arrival: the first lines may have waited in a buffer.
  private var lead = 0.0
  /// The last stamp was of another count than the ones before it, in a recording: the time between them is not known.
  private(set) var hasBegunAnew = false
  /// The last time that was given out.
  private var latest = -Double.infinity

  /// 2³² microseconds, tenths of a millisecond (Xsens) and milliseconds, in seconds: where the counters of most boards
  /// wrap.
  private static let wraps = [4294.967296, 429_496.7296, 4_294_967.296]
  /// Seconds up to which a board counts that has just begun: some wait for a network or a fix before their first line.
  private static let restart = 30.0
  /// Rows of a new count after which it is no longer doubted.
  private static let doubtfulRowCount = 8
  /// Seconds that stamps may go back, and that arrival may be late.
  private static let jitter = 0.5
  /// Seconds that stamps may run ahead of arrival from one to the next, besides two steps.
  private static let slack = 0.2

  init(keepsTime: Bool) { self.keepsTime = keepsTime }

  /// The unit of the board's times is not known for sure.
  var isAssumed = false
  /// Whether the times count its messages.
  var isIndex = false
  private var pace = TimePace()

  /// The correction of the board's times; nil where the unit that was assumed has not been contradicted.
  var correction: TimeCorrection? { isAssumed ? pace.correction : nil }

  mutating func noteGap() {
    guard !keepsTime else { return }
    (trusted, doubted) = (nil, nil)
    pace.noteGap()
  }

  mutating func time(board: Double?, arrival: Double) -> Double {
    row &+= 1
    if hasBegunAnew { hasBegunAnew = false }
    var board = board.flatMap { $0.isFinite && !(keepsTime && isIndex) ? $0 : nil }
    if isAssumed, !keepsTime, let assumed = board {
      // A time that has run ahead could not be taken back: until the pace is known those of arrival are given.
      pace.add(assumed, arrival: arrival, isCount: isIndex)
      followsBoard = followsBoard ?? true
      guard pace.isKnown, let scale = pace.scale else { return advance(to: arrival) }
      board = assumed * scale
    }
    let followsBoard = self.followsBoard ?? (board != nil)
    self.followsBoard = followsBoard
    guard followsBoard else { return advance(to: arrival) }
    let time = board.map { follow(Stamp(board: $0, arrival: arrival, row: row)) } ?? timeWithoutStamp(arrival)
    return keepsTime ? time : advance(to: time)
  }

  private mutating func advance(to time: Double) -> Double {
    latest = max(latest, time)
    return latest
  }

  // MARK: Stamps

  @inline(__always)
  private mutating func follow(_ stamp: Stamp) -> Double {
    guard let trusted, doubted == nil, follows(stamp, trusted) else { return weigh(stamp) }
    return believe(stamp, after: trusted)
  }

  /// The time of a stamp that does not follow the one before, or comes after such a one, or is the first.
  @inline(never)
  private mutating func weigh(_ stamp: Stamp) -> Double {
    guard let trusted else {
      trusted = stamp
      offset = keepsTime ? 0 : stamp.arrival - stamp.board
      lead = 0
      return stamp.board + offset
    }
    if let wrap = Self.wraps.first(where: { trusted.board <= $0 && trusted.board - stamp.board > $0 - 10 }) {
      offset += wrap
      return believe(stamp, after: Stamp(board: trusted.board - wrap, arrival: trusted.arrival, row: trusted.row))
    }
    let returns = follows(stamp, trusted)
    if !returns, let former = takeFormer(for: stamp) {
      offset = former.offset
      return believe(stamp, after: former.stamp)
    }
    if let doubted, isSteady(stamp, doubted, trusted) {
      (step, period) = (0, 0)
      return believe(stamp, after: doubted)
    }
    if let doubted, goesOn(stamp, from: doubted, trusted),
      !returns || abs(excess(stamp, doubted)) < abs(excess(stamp, trusted))
    {
      // The clock was set, unless lines were lost while others waited to be read.
      let isEarly =
        doubted.board > trusted.board && stamp.board + offset - stamp.arrival <= lead + Self.jitter
      former = keepsTime ? (trusted, offset) : nil
      if !keepsOwn(doubted, trusted), keepsTime || !isEarly {
        offset += trusted.board + advance(since: trusted, stamp) - stamp.board
        hasBegunAnew = keepsTime
      }
      return believe(stamp, after: doubted)
    }
    if returns { return believe(stamp, after: trusted) }
    doubted = stamp
    if keepsOwn(stamp, trusted) { return stamp.board + offset }
    // Were it a board that begins again, nothing would be known of how it was turned meanwhile.
    hasBegunAnew = keepsTime
    return trusted.board + offset + advance(since: trusted, stamp)
  }

  /// The count from before another, where a stamp soon goes on from it: the other was damage.
  private mutating func takeFormer(for stamp: Stamp) -> (stamp: Stamp, offset: Double)? {
    guard let former, follows(stamp, former.stamp) else { return nil }
    self.former = nil
    return stamp.row &- former.stamp.row <= Self.doubtfulRowCount ? former : nil
  }

  @inline(__always)
  private mutating func believe(_ stamp: Stamp, after last: Stamp) -> Double {
    let elapsed = stamp.board - last.board
    if elapsed > 0 {
      let rows = stamp.row &- last.row
      let each = rows == 1 ? elapsed : elapsed / Double(rows)
      step = step == 0 ? elapsed : min(elapsed, 2 * step)
      period = period == 0 ? each : min(each, 2 * period)
    }
    // One that is a little early must not make the next one look late.
    (trusted, doubted) = (elapsed < 0 ? last : stamp, nil)
    let time = stamp.board + offset
    lead = max(lead, time - stamp.arrival)
    return time
  }

  /// A stamp can be the next one after another.
  @inline(__always)
  private func follows(_ stamp: Stamp, _ last: Stamp) -> Bool {
    stamp.board >= last.board - Self.jitter && excess(stamp, last) <= Self.slack + 2 * step
  }

  /// A stamp bears out one that was doubted. In a recording nobody knows how long it took to come.
  private func goesOn(_ stamp: Stamp, from doubted: Stamp, _ trusted: Stamp) -> Bool {
    follows(stamp, doubted) || keepsTime && doubted.board > trusted.board && stamp.board >= doubted.board
  }

  /// Three stamps go ahead evenly, faster than arrival: somebody plays what a board has sent.
  private func isSteady(_ stamp: Stamp, _ doubted: Stamp, _ trusted: Stamp) -> Bool {
    let (first, second) = (doubted.board - trusted.board, stamp.board - doubted.board)
    return first > 0 && second > first / 2 && second < 2 * first
  }

  /// A stamp of a recording that does not follow keeps its time, where no board begins to count: there may be a gap,
  /// its clock was set back, or the damaged one was the first.
  private func keepsOwn(_ stamp: Stamp, _ trusted: Stamp) -> Bool {
    keepsTime && (stamp.board > trusted.board || stamp.board > Self.restart || period == 0)
  }

  /// Seconds by which the board's clock went ahead more than it should from one stamp to another.
  @inline(__always)
  private func excess(_ stamp: Stamp, _ last: Stamp) -> Double {
    stamp.board - last.board - elapsed(since: last, stamp.arrival)
  }

  @inline(__always)
  private func elapsed(since last: Stamp, _ arrival: Double) -> Double {
    keepsTime ? Double(row &- last.row) * period : arrival - last.arrival
  }

  /// Seconds to where a stamp should be. Short ones by the rate: lines that arrive together were not sent so.
  private func advance(since last: Stamp, _ stamp: Stamp) -> Double {
    let elapsed = elapsed(since: last, stamp.arrival)
    return elapsed > Self.jitter || period == 0 ? elapsed : min(Double(stamp.row &- last.row) * period, Self.jitter)
  }

  private func timeWithoutStamp(_ arrival: Double) -> Double {
    guard let trusted else { return arrival }
    return trusted.board + offset + max(0, elapsed(since: trusted, arrival) - step)
  }
}
