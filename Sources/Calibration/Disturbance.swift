import Core

/// A stretch of time that a fit left out.
public struct IgnoredStretch: Sendable, Equatable {
  /// Why.
  public enum Reason: String, Sendable {
    /// The field was not the Earth's alone.
    case disturbed
  }

  /// Seconds, as the samples count them.
  public var from: Double
  /// Seconds, as the samples count them.
  public var to: Double
  /// Why.
  public var reason: Reason
  /// By how much the field's strength was off at most, in µT.
  public var excess: Double
}

/// Finds stretches in which the field changed: runs of residuals over three standard deviations that last 0.3 s or
/// more. A disturbance at a right angle to the field leaves the norm as it is, so gaps up to half a second inside a run
/// belong to it, and it is cut with a margin on either side.
enum Disturbance {
  private static let threshold = 3.0
  private static let shortest = 0.3
  private static let longestGap = 0.5
  private static let margin = 0.2
  /// Of a run's measurements, those that must be over the threshold.
  private static let density = 0.4

  /// Runs in residuals given in standard deviations, as index ranges.
  static func runs(_ residuals: [Double], interval: Double) -> [Range<Int>] {
    let gap = max(1, Int(longestGap / interval))
    let shortestCount = max(3, Int(shortest / interval))
    let pad = Int(margin / interval)
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
