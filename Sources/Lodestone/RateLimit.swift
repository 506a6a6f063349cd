/// Thinning to a rate, by the times of what is thinned: what is nearest to an even rhythm passes. A device that was
/// told the rate is not thinned again, however its samples jitter.
public struct RateLimit: Sendable {
  private let interval: Double
  private var due: Double?
  private var last = 0.0

  /// A limit in Hz; nil for none.
  public init?(_ rate: Double?) {
    guard let rate else { return nil }
    interval = 1 / rate
  }

  /// Whether what is of this time, in seconds, passes.
  public mutating func passes(_ time: Double) -> Bool {
    defer { last = time }
    guard let due, time >= last, time < due + 2 * interval else {
      self.due = time + interval  // the first, or a clock that jumped
      return true
    }
    guard due - time <= (time - last) / 2 else { return false }
    self.due = due + interval
    return true
  }
}
