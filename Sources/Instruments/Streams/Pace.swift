import LodestonePorts

/// Lets events of a recorded or simulated clock happen at the pace of the real one.
public struct Pace {
  /// Seconds to the next event, at most; a longer gap is skipped.
  private static let longestGap = 60.0
  /// Seconds by which an event may be late. After more the program was stopped, or the machine asleep: the recorded
  /// clock was, too, and nothing happens in a burst.
  private static let latest = 2.0

  private var start: (real: MonotonicTime, stream: Double)?

  /// Before the first event.
  public init() {}

  /// The time at which an event with this time, in seconds, is due. The first one is due at once, and so is what
  /// follows a clock set back, a gap or a stop.
  public mutating func due(_ time: Double, _ now: MonotonicTime = .now) -> MonotonicTime {
    if let start {
      let due = start.real + (time - start.stream)
      if time >= start.stream, -Self.latest..<Self.longestGap ~= due - now { return due }
    }
    start = (now, time)
    return now
  }

  /// Puts off all that is still to come, by some seconds.
  public mutating func putOff(by seconds: Double) { start = start.map { ($0.real + seconds, $0.stream) } }
}
