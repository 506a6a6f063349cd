/// A mean in which the past fades over a span; at first the mean of all there is.
struct RunningMean: Sendable {
  /// The mean; nil before the first sample.
  private(set) var value: Double?
  /// The weight of the last sample, 0 ... 1.
  private(set) var lastShare = 1.0
  private var last = 0.0
  private var weight = 0.0

  /// Takes a sample at a time in seconds; the past fades over `span` seconds.
  mutating func add(_ sample: Double, time: Double, span: Double) {
    guard let mean = value else {
      value = sample
      last = time
      weight = 0
      return
    }
    let step = max(0, time - last)
    last = time
    weight = min(span, weight + step)
    lastShare = weight > 0 ? min(1, step / weight) : 0
    value = mean + (sample - mean) * lastShare
  }
}
