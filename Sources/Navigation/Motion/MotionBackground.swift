import LodestoneCore

/// Forces of the last quarter of a second.
struct RecentForces: Sendable {
  /// Seconds that they span.
  static let span = 0.25
  /// How far a force at rest stays from its mean, in g.
  static let restSlack = 0.06

  private static let count = 32
  private var forces = InlineArray<32, Vector3>(repeating: .zero)
  private var times = InlineArray<32, Double>(repeating: -.infinity)
  private var next = 0
  private var began = Double.infinity
  private var last = -Double.infinity

  /// Forgets all.
  mutating func restart() { self = RecentForces() }

  /// Takes a force; one that follows the last too closely is left out.
  mutating func add(_ force: Vector3, at time: Double) {
    began = min(began, time)
    guard time - last >= Self.span / Double(Self.count - 1) else { return }
    last = time
    forces[next] = force
    times[next] = time
    next = (next + 1) % Self.count
  }

  /// The forces and their times, the oldest first.
  var listed: (forces: [Vector3], times: [Double]) {
    let order = (0..<Self.count).map { (next + $0) % Self.count }.filter { last - times[$0] <= Self.span }
    return (order.map { forces[$0] }, order.map { times[$0] })
  }

  /// Their mean.
  var mean: Vector3 {
    var (sum, count) = (Vector3.zero, 0.0)
    for index in 0..<Self.count where last - times[index] <= Self.span {
      sum = sum + forces[index]
      count += 1
    }
    return count > 0 ? sum * (1 / count) : Vector3(0, 0, 1)
  }

  /// Their mean where all are near it; nil for a board that is not at rest.
  func rest() -> Vector3? {
    guard last - began >= Self.span * 0.9 else { return nil }
    let (mean, limit) = (mean, Self.restSlack)
    for index in 0..<Self.count where last - times[index] <= Self.span {
      if (forces[index] - mean).squaredLength > limit * limit { return nil }
    }
    return mean
  }
}

/// The motion that goes on without a push on purpose: steps, a road, an engine. The strongest pushes of quarters of a
/// second over four seconds tell; a few of them with a push on purpose do not change it.
struct MotionBackground: Sendable {
  private static let seconds = 0.25
  private static let count = 16
  /// The number of the sixteen that are quieter.
  private static let quieter = 5
  private static let factor = 2.2

  private var peaks = InlineArray<16, Double>(repeating: 0)
  private var next = 0
  private var peak = 0.0
  private var begin = 0.0
  /// The level in g.
  private(set) var level = 0.0

  /// The least strength of a push on purpose, in g.
  var limit: Double { level * Self.factor }

  /// Takes the strongest axis of a push.
  mutating func add(_ strength: Double, at time: Double) {
    peak = max(peak, strength)
    guard time - begin >= Self.seconds || time < begin else { return }
    peaks[next] = peak
    next = (next + 1) % Self.count
    (peak, begin) = (0, time)
    var sorted: [Double] = []
    for index in 0..<Self.count { sorted.append(peaks[index]) }
    sorted.sort()
    level = sorted[Self.quieter]
  }
}
