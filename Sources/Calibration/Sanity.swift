import Core

/// What can be said of a sweep before any fit, so that nobody sweeps for minutes with a dead axis.
enum Sanity {
  /// Measurements below which nothing is fitted.
  static let fewest = 30
  private static let axisNames = ["x", "y", "z"]

  /// The first thing that is wrong; nil when a fit makes sense.
  static func problem(of sweep: Sweep) -> CalibrationRefusal? {
    let points = sweep.measurements
    guard sweep.received > 0 else { return .noField }
    if let stuck = stuckAxis(points) { return stuck }
    if let clipped = clipped(sweep) { return clipped }
    guard points.count >= fewest else { return .tooFewSamples(count: points.count, needed: fewest) }
    return sameAxes(points)
  }

  private static func stuckAxis(_ points: [Measurement]) -> CalibrationRefusal? {
    guard points.count >= 20, let first = points.first?.raw else { return nil }
    for axis in 0..<3 where points.allSatisfy({ $0.raw[axis] == first[axis] }) {
      return .stuckAxis(axis: axisNames[axis], value: first[axis])
    }
    return nil
  }

  private static func clipped(_ sweep: Sweep) -> CalibrationRefusal? {
    let flagged = Double(sweep.saturated) / Double(max(sweep.received - sweep.repeated, 1)) * 100
    if flagged > 5 { return .clipped(axis: nil, percent: flagged) }
    for axis in 0..<3 {
      let values = sweep.measurements.map { $0.raw[axis] }
      guard let low = values.min(), let high = values.max(), values.count >= 100 else { continue }
      for limit in [low, high] {
        let atLimit = values.filter { $0 == limit }.count
        let inside = Set(values.filter { abs($0 - limit) < 0.05 * (high - low) }).count
        let share = Double(atLimit) / Double(values.count)
        if share > 0.02, inside > 5, atLimit > 20 {
          return .clipped(axis: axisNames[axis], percent: share * 100)
        }
      }
    }
    return nil
  }

  private static func sameAxes(_ points: [Measurement]) -> CalibrationRefusal? {
    for (a, b) in [(0, 1), (0, 2), (1, 2)] where points.allSatisfy({ $0.raw[a] == $0.raw[b] }) {
      return .sameAxes(axisNames[a], axisNames[b])
    }
    return nil
  }
}
