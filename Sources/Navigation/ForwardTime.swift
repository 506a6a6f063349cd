/// The time of samples in seconds that go on where the clock of a recording is set back or begins again: what was before
/// is not in the future then.
struct ForwardTime: Sendable {
  private var last = -Double.infinity
  /// Seconds by which the clock was set back so far.
  private var behind = 0.0

  /// The seconds of a sample of this time, in seconds.
  mutating func seconds(of time: Double) -> Double {
    if Fusion.isSetBack(time - last) { behind += last - time }
    last = time
    return time + behind
  }
}
