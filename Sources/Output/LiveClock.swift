import LodestonePorts
import Synchronization

/// UTC of a live stream's time zero, as the machine's clock tells it now: small boards boot in 1970 and are told the
/// time later, and a board that times its records itself is off by minutes a day where its clock is a ceramic
/// resonator. It moves only where a clock was set, or records have become too late or too early, and not with every
/// look at it.
final class LiveClock: Sendable {
  /// The times of records beside those at which they come.
  private struct Pace {
    /// The seconds by which records are later than they used to be, and the board's clock is slow.
    var lateness = 0.0
    /// Seconds from a record's time to the moment at which it comes, as it was at first: it may be of a window that has
    /// just ended; nil before the first look.
    var usual: Double?
    /// The least since the last look, in seconds: others may have waited on the way.
    var least = Double.infinity
    var nextLook: MonotonicTime

    /// A record that is too early tells at once: none comes before its moment.
    mutating func take(_ seconds: Double, _ now: MonotonicTime) {
      least = min(least, seconds)
      let change = least - (usual ?? least)
      guard change < lateness - LiveClock.leastStep || nextLook <= now else { return }
      usual = usual ?? least
      if abs(change - lateness) > LiveClock.leastStep { lateness = change }
      (least, nextLook) = (.infinity, now + LiveClock.span)
    }
  }

  private struct State {
    var known: Double
    var pace: Pace
  }

  /// A clock is never set in small steps: what is less is the time between two looks, in seconds.
  private static let leastStep = 0.5
  /// Seconds from one look at the pace to the next.
  private static let span = 30.0
  /// Seconds within which a stream is used once it has begun; a recording at its own pace began earlier.
  private static let longestStart = 10.0

  private let zero: MonotonicTime
  /// Whether the stream began just now, so that its records are of the moment.
  private let isOfNow: Bool
  private let state: Mutex<State>

  /// Time zero was when the clock said `unixStart`.
  init(unixStart: Double) {
    let age = WallClock.unixTime - unixStart
    let now = MonotonicTime.now
    zero = now + -age
    isOfNow = abs(age) < Self.longestStart
    state = Mutex(State(known: unixStart, pace: Pace(nextLook: now + Self.span)))
  }

  /// UTC of time zero, as seconds since 1970-01-01; nil while the clock is not set.
  /// - Parameter time: of a record that has just come; nil to ask for the clock alone.
  func start(of time: Double? = nil, _ now: MonotonicTime = .now, unixTime: Double = WallClock.unixTime) -> Double? {
    let elapsed = now - zero
    let told = unixTime - elapsed
    return state.withLock { state in
      if abs(told - state.known) > Self.leastStep { state.known = told }
      if let time, isOfNow { state.pace.take(elapsed - time, now) }
      return WallClock.canBeRight(state.known) ? state.known + state.pace.lateness : nil
    }
  }
}
