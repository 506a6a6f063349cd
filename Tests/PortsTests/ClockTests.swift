import Glibc
import LodestonePorts
import Testing

@Suite struct ClockTests {
  /// The clock goes on while the machine sleeps (clock_gettime(2), CLOCK_BOOTTIME). On a machine that has slept, or in
  /// a time namespace of its own (`unshare --boottime 1000`), no other clock is between the two.
  @Test func sleepCounts() {
    let before = bootTime(), now = MonotonicTime.now, after = bootTime()
    #expect((before...after).contains(now.nanoseconds))
  }

  private func bootTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
