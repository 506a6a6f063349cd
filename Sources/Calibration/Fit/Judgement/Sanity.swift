import LodestoneCore

/// Checks of a sweep before any fit, so that a dead axis is reported before minutes of sweeping.
enum Sanity {
  /// Measurements below which nothing is fitted.
  static let fewest = 30
  /// Ranges that both other axes of a sensor go through while one of it is stuck: of the field as a share of the widest
  /// axis, of the force in g, of the rate in radians per second.
  private static let (ofField, ofForce, ofRate) = (0.5, 0.5, Angle.radians(60))

  /// The first thing that is wrong; nil when a fit makes sense.
  /// - Parameter isHeld: its user says that positions were held: each may be one measurement.
  static func problem(of sweep: Sweep, isHeld: Bool = false) -> CalibrationRefusal? {
    let points = sweep.measurements.kept
    guard sweep.received > 0 else { return .noField }
    if let stuck = stuckAxis(points) { return stuck }
    if let clipped = clipped(sweep) { return clipped }
    if isHeld, points.count < HeldPositions.fewest {
      return .tooFewPositions(found: points.count, wanted: HeldPositions.plenty, headingErrorDegrees: 180)
    }
    guard points.count >= fewest || isHeld else { return .tooFewSamples(count: points.count, needed: fewest) }
    return sameAxes(points) ?? stuckForce(sweep)
  }

  private static func stuckAxis(_ points: [SweepPoint]) -> CalibrationRefusal? {
    guard points.count >= 20, let first = points.first?.raw else { return nil }
    for axis in 0..<3 where points.allSatisfy({ $0.raw[axis] == first[axis] }) {
      return .stuckAxis(axis: StuckAxis.names[axis], value: first[axis])
    }
    return StuckAxis(points, least: max(ofField * span(points), .leastNonzeroMagnitude)) { $0.raw }
      .map { .stuckAxis(axis: $0.name, value: $0.value) }
  }

  private static func stuckForce(_ sweep: Sweep) -> CalibrationRefusal? {
    StuckAxis(sweep.rows.kept, least: ofForce) { $0.force }.map { .stuckForce(axis: $0.name, value: $0.value) }
  }

  /// The axis of the gyroscope that is stuck, its value in radians per second; nil for none.
  static func stuckRate(_ sweep: Sweep) -> StuckAxis? { StuckAxis(sweep.rows.kept, least: ofRate) { $0.rate } }

  private static func clipped(_ sweep: Sweep) -> CalibrationRefusal? {
    let flagged = Double(sweep.saturated) / Double(max(sweep.received - sweep.repeated, 1)) * 100
    if flagged > 5 { return .clipped(axis: nil, percent: flagged) }
    for axis in 0..<3 {
      if let percent = pileUp(sweep.measurements.kept, axis: axis) {
        return .clipped(axis: StuckAxis.names[axis], percent: percent)
      }
    }
    return nil
  }

  /// The least ratio of the measurements at a limit to those at the value next to it. A circle that just touches
  /// its extreme value has 2.4 times as many there: √1 to √2 − √1 of steps from it.
  private static let piled = 4.0

  /// Percentage of measurements that sit exactly at an extreme of an axis while it has many values near by, and far
  /// fewer measurements at the next of them: where a board turns back by itself they are not piled up.
  private static func pileUp(_ points: [SweepPoint], axis: Int) -> Double? {
    guard points.count >= 100, var low = points.first?.raw[axis] else { return nil }
    var high = low
    for point in points {
      low = min(low, point.raw[axis])
      high = max(high, point.raw[axis])
    }
    for limit in [low, high] {
      let way = 0.01 * (high - low)
      let count = Double(moved(points, where: axis, is: limit, by: way))
      guard count > 0.02 * Double(points.count) else { continue }
      let near = Set(points.lazy.map { $0.raw[axis] }.filter { abs($0 - limit) < 0.05 * (high - low) })
      let next = near.filter { $0 != limit }.min { abs($0 - limit) < abs($1 - limit) }
      guard near.count > 5, let next, count > piled * Double(moved(points, where: axis, is: next, by: way)) else {
        continue
      }
      return count / Double(points.count) * 100
    }
    return nil
  }

  /// The number of measurements with this value of an axis, of those alone that moved since the last of them: a rest at
  /// the extreme is one.
  private static func moved(_ points: [SweepPoint], where axis: Int, is value: Double, by way: Double) -> Int {
    var (last, count): (Vector3?, Int) = (nil, 0)
    for point in points where point.raw[axis] == value {
      if let last, (point.raw - last).length < way { continue }
      last = point.raw
      count += 1
    }
    return count
  }

  /// The problem of readings in µT that cannot be the Earth's field, whatever the offsets; nil when they can be. Only
  /// when they are spread widely or lie on a sphere is their unit to blame: else the board was not moved.
  static func impossible(_ points: [SweepPoint], strength: Double) -> CalibrationRefusal? {
    let span = span(points)
    guard span < leastSpan * strength || span > mostSpan else { return nil }
    let step = max(1, points.count / 500)
    let some = stride(from: 0, to: points.count, by: step).map { points[$0].raw }
    guard let sphere = Starts.guesses(some, strength: span / 2).first else { return .noMotion(spanMicrotesla: span) }
    let misfit = median(some.map { abs(($0 - sphere.centre).length - sphere.radius) })
    let isRound =
      Coverage(some.map { $0 - sphere.centre }).percent > 60 && misfit < 0.1 * sphere.radius
    return span > mostSpan || isRound
      ? .impossibleUnit(sphereMicrotesla: sphere.radius) : .noMotion(spanMicrotesla: span)
  }

  /// Share of the field's strength that the readings of some axis must span.
  private static let leastSpan = 0.15
  /// The largest span in µT: more than twice the strongest field on Earth through a chip of twice the gain.
  private static let mostSpan = 300.0

  /// The range that nine tenths of an axis's values span, for the widest axis.
  static func span(_ points: [SweepPoint]) -> Double {
    (0..<3).map { axis in
      let values = stride(from: 0, to: points.count, by: max(1, points.count / 500)).map { points[$0].raw[axis] }
      return quantile(values, 0.95) - quantile(values, 0.05)
    }.max() ?? 0
  }

  private static func sameAxes(_ points: [SweepPoint]) -> CalibrationRefusal? {
    for (a, b) in [(0, 1), (0, 2), (1, 2)] where points.allSatisfy({ $0.raw[a] == $0.raw[b] }) {
      return .sameAxes(StuckAxis.names[a], StuckAxis.names[b])
    }
    return nil
  }
}
