import Glibc

/// The noise in each bin of a spectrum, told from the bins themselves: noise that is stronger the slower it is, as most
/// is, must not pass for lines where it is strongest.
struct SpectralNoise {
  /// Mean power in each bin.
  let powers: [Double]

  /// The first bins are filled by drift and count for nothing.
  static let first = 3
  /// The end of the first band of bins; each band after it is an octave.
  private static let firstBand = 12
  /// The multiple of its band's median past which a bin is a line, left out of the band's mean.
  private static let wild = 5.0

  /// The noise of a spectrum: the mean of each octave without its lines, and a power of the frequency from middle to
  /// middle.
  init(_ powers: [Double]) {
    var edges = [Self.first, min(Self.firstBand, powers.count)]
    while let last = edges.last, 2 * last < powers.count { edges.append(2 * last) }
    edges[edges.count - 1] = powers.count
    let bands = zip(edges, edges.dropFirst()).filter { $0 < $1 }.map { from, to in
      (place: log(Double(from) * Double(to - 1)) / 2, level: log(max(Self.mean(powers[from..<to]), 1e-300)))
    }
    guard let lowest = bands.first, let highest = bands.last else {
      self.powers = powers
      return
    }
    let slope = bands.count > 1 ? min(0, (bands[1].level - lowest.level) / (bands[1].place - lowest.place)) : 0
    self.powers = powers.indices.map { bin in
      let place = log(Double(max(bin, 1)))
      if place <= lowest.place { return exp(lowest.level + slope * (place - lowest.place)) }
      guard let upper = bands.firstIndex(where: { $0.place >= place }) else { return exp(highest.level) }
      let (low, high) = (bands[upper - 1], bands[upper])
      return exp(low.level + (high.level - low.level) * (place - low.place) / (high.place - low.place))
    }
  }

  /// The mean of what is no line.
  static func mean(_ powers: some Collection<Double>) -> Double {
    let sorted = powers.sorted()
    guard !sorted.isEmpty else { return 0 }
    let limit = Self.wild * sorted[sorted.count / 2]
    let kept = sorted.prefix { $0 <= limit }
    return kept.reduce(0, +) / Double(max(kept.count, 1))
  }
}
