import LodestoneCore

/// Points some way apart, boundedly many.
struct SketchPoints: Sendable {
  private(set) var points: [SweepPoint] = []
  private let capacity: Int
  private var low = Vector3.zero
  private var high = Vector3.zero
  private var spacing = 0.025

  init(capacity: Int) { self.capacity = capacity }

  mutating func add(_ measurement: SweepPoint) {
    guard let last = points.last else {
      (low, high) = (measurement.raw, measurement.raw)
      points.append(measurement)
      return
    }
    for axis in 0..<3 {
      low[axis] = min(low[axis], measurement.raw[axis])
      high[axis] = max(high[axis], measurement.raw[axis])
    }
    guard (measurement.raw - last.raw).length > spacing * (high - low).length else { return }
    points.append(measurement)
    guard points.count >= capacity else { return }
    points = stride(from: 0, to: points.count, by: 2).map { points[$0] }
    spacing = min(spacing * 1.2, 0.2)
  }
}
