import LodestoneCore

/// The values of one cause over a sweep.
struct CauseSeries: Sendable {
  private(set) var times: [Double] = []
  private(set) var values: [Double] = []

  /// Seconds without a value across which none is made up.
  private static let longestGap = 2.0
  /// Share of the values at either end that may be wild.
  private static let wild = 0.005

  init(_ samples: [Sample], _ place: CausePlace) {
    for sample in samples where sample.time.isFinite {
      guard let value = place.value(in: sample) else { continue }
      times.append(sample.time)
      values.append(value)
    }
  }

  /// The value at a moment, along the straight line between its neighbours; that of an end a little past it. Nil where
  /// there is none near.
  func value(at time: Double) -> Double? {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    let (before, after) = (low - 1, low)
    guard before >= 0 else { return after < times.count && times[after] - time < 0.5 ? values[after] : nil }
    guard after < times.count else { return time - times[before] < 0.5 ? values[before] : nil }
    let step = times[after] - times[before]
    guard step > 0 else { return values[before] }
    // Recordings that count their rows instead of timing them have long steps, and a value at each.
    guard step < Self.longestGap || time == times[before] else { return nil }
    return values[before] + (values[after] - values[before]) * (time - times[before]) / step
  }

  /// The range from the lowest to the highest value; nil where there are none.
  var range: ClosedRange<Double>? {
    guard !values.isEmpty else { return nil }
    let (low, high) = (quantile(values, Self.wild), quantile(values, 1 - Self.wild))
    return low...max(low, high)
  }

  var variance: Double {
    let count = Double(max(values.count, 1))
    let mean = values.reduce(0, +) / count
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
  }

  /// The variance of its own noise, from second differences: what changes steadily, or in few steps, has none.
  var noiseVariance: Double {
    let squares = zip(zip(values, values.dropFirst()), values.dropFirst(2)).map { pair, last in
      let bend = last - 2 * pair.1 + pair.0
      return bend * bend / 6
    }
    // The median of a squared normal number is 0.455.
    return median(squares) / 0.455
  }
}
