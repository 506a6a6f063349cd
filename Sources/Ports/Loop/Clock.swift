import Glibc

/// A moment on the clock that is never set (CLOCK_BOOTTIME) and means nothing in another run of the machine. It goes on
/// while the machine sleeps, as devices and peers do: what they sent meanwhile is old, and what is missing is a gap.
public struct MonotonicTime: Comparable, Hashable, Sendable {
  /// The nanoseconds since an arbitrary start.
  public let nanoseconds: Int64

  /// A moment.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// This moment.
  public static var now: MonotonicTime { MonotonicTime(nanoseconds: clockNanoseconds(CLOCK_BOOTTIME)) }

  /// Earlier first.
  public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// The time this many seconds later, limited to the range of the clock.
  public static func + (time: MonotonicTime, seconds: Double) -> MonotonicTime {
    let limit = 4e18
    let sum = (seconds * 1e9).rounded() + Double(time.nanoseconds)
    guard abs(sum) < limit else { return MonotonicTime(nanoseconds: sum < 0 ? -Int64(limit) : Int64(limit)) }
    return MonotonicTime(nanoseconds: time.nanoseconds &+ Int64((seconds * 1e9).rounded()))
  }

  /// Seconds from `right` to `left`.
  public static func - (left: MonotonicTime, right: MonotonicTime) -> Double {
    Double(left.nanoseconds &- right.nanoseconds) * 1e-9
  }
}

/// The clock on the wall, in UTC. It may jump; use it to say when, never to measure how long.
public enum WallClock {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public static var unixTime: Double { Double(clockNanoseconds(CLOCK_REALTIME)) * 1e-9 }

  /// The time in whole seconds since 1970, 0 ... 4·10⁹ whatever the clock shows: as a calibration tells when it was
  /// made.
  public static var unixSeconds: Int { Int(max(0, min(unixTime, 4e9))) }

  /// The time in UTC; nil as long as nothing has set the clock of a machine that has none of its own.
  public static var setTime: Double? { canBeRight(unixTime) ? unixTime : nil }

  /// No machine runs this program before 2025.
  public static func canBeRight(_ unixTime: Double) -> Bool { unixTime >= 1_735_689_600 }
}

private func clockNanoseconds(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
