import Glibc

/// Waits at least this long, whatever signals come; at most a minute.
func pause(milliseconds: Double) {
  guard milliseconds > 0 else { return }
  let nanoseconds = Int(min(milliseconds, 60_000) * 1e6)
  var left = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
  var rest = timespec()
  while nanosleep(&left, &rest) != 0, errno == EINTR { left = rest }
}
