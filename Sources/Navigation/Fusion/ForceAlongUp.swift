import LodestoneCore

/// The part of the force along up, in g: what gravity reads on this accelerometer, and whether up is where it was.
struct ForceAlongUp: Sendable {
  /// Means over long, and lately.
  private var (gravity, upward) = (RunningMean(), RunningMean())

  /// Seconds of both.
  private static let (gravitySpan, upwardSpan) = (10.0, 3.0)
  /// The least lately: below, the attitude is lost.
  private static let least = 0.2

  /// A force that has just begun to be measured, at this time in seconds.
  init(at time: Double = 0) { add(1, time: time) }

  /// The length of gravity as this accelerometer reads it.
  var length: Double { max(gravity.value ?? 1, 0.5) }
  /// It has been next to none lately, or down.
  var isLost: Bool { upward.value.map { $0 <= Self.least } ?? true }

  /// Takes the part along up of a force.
  mutating func add(_ along: Double, time: Double) {
    gravity.add(along, time: time, span: Self.gravitySpan)
    upward.add(along, time: time, span: Self.upwardSpan)
  }
}
