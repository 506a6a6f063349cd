import LodestonePorts

/// Lets events of a recorded or simulated clock happen at the pace of the real one.
struct Pace {
  private var start: (real: MonotonicTime, stream: Double)?

  /// The time at which a sample with this time is due. The first one is due at once, and so is what follows a clock set
  /// back or a gap of more than a minute.
  mutating func due(_ time: Double) -> MonotonicTime {
    let now = MonotonicTime.now
    if let start {
      let due = start.real + (time - start.stream)
      if time >= start.stream, due - now < 60 { return due }
    }
    start = (now, time)
    return now
  }
}
