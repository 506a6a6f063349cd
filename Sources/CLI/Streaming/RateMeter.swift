/// The number of samples that arrive in a second, by their own times.
struct RateMeter {
  private var times: (first: Double, last: Double, count: Int)?

  /// Counts a sample; the mean starts again every four seconds. The first of all has nothing before it.
  mutating func count(_ time: Double) {
    guard let before = times, time >= before.last, time - before.first < 4 else {
      times = (times?.last ?? time, time, times == nil ? 0 : 1)
      return
    }
    times = (before.first, time, before.count + 1)
  }

  /// Samples a second; nil before there are two.
  var hertz: Double? {
    guard let times, times.last > times.first else { return nil }
    return Double(times.count) / (times.last - times.first)
  }
}
