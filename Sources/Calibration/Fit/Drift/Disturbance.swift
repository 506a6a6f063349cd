/// A stretch of time that a fit left out.
public struct IgnoredStretch: Sendable, Equatable {
  /// The reason of a fit: the field was not the Earth's alone.
  public static let disturbed = "disturbed"

  /// Seconds, as the samples count them.
  public var from: Double
  /// Seconds, as the samples count them.
  public var to: Double
  /// The reason, in words.
  public var reason: String
  /// The largest error of the field's strength, in µT; nil where a profile does not say.
  public var excess: Double?

  /// A stretch with the reason it was left out for.
  public init(from: Double, to: Double, reason: String, excess: Double? = nil) {
    self.from = from
    self.to = to
    self.reason = reason
    self.excess = excess
  }
}

/// Finds stretches in which the field changed: runs of residuals over three standard deviations that last 0.3 s or
/// more. A disturbance at a right angle to the field leaves the norm as it is, so gaps up to half a second inside a run
/// belong to it, and it is cut with a margin on either side.
enum Disturbance {
  private static let threshold = 3.0
  private static let shortest = 0.3
  private static let longestGap = 0.5
  private static let margin = 0.2
  /// The share of a run's measurements that must be over the threshold.
  private static let density = 0.4

  /// Runs in residuals given in standard deviations, as index ranges.
  static func runs(_ residuals: [Double], interval: Double) -> [Range<Int>] {
    let gap = Sweep.count(of: longestGap, every: interval, atLeast: 1)
    let shortestCount = Sweep.count(of: shortest, every: interval, atLeast: 3)
    let pad = Sweep.count(of: margin, every: interval, atLeast: 0)
    var found: [Range<Int>] = []
    var start: Int?
    var last = 0
    var over = 0
    func close() {
      guard let begin = start else { return }
      let length = last - begin + 1
      if over >= shortestCount, Double(over) >= density * Double(length) {
        let range = max(0, begin - pad)..<min(residuals.count, last + 1 + pad)
        if let previous = found.last, previous.upperBound >= range.lowerBound {
          found[found.count - 1] = previous.lowerBound..<range.upperBound
        } else {
          found.append(range)
        }
      }
      start = nil
      over = 0
    }
    for (index, residual) in residuals.enumerated() where abs(residual) > threshold {
      if start != nil, index - last > gap { close() }
      if start == nil { start = index }
      last = index
      over += 1
    }
    close()
    return found
  }
}
