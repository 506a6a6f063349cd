import LodestoneCore

/// The part of the force along up, in g: what gravity reads on this accelerometer, and whether up is where it was.
struct ForceAlongUp: Sendable {
  /// Means over long, and lately: one force says nothing of either.
  private var (gravity, upward) = (1.0, 1.0)

  /// Seconds of both.
  private static let (gravitySpan, upwardSpan) = (10.0, 3.0)
  /// The least lately: below, the attitude is lost.
  private static let least = 0.2

  /// The length of gravity as this accelerometer reads it.
  var length: Double { max(gravity, 0.5) }
  /// It has been next to none lately, or down.
  var isLost: Bool { upward <= Self.least }

  /// The lean of a force past which it is not known to be up that gravity is measured along, in radians.
  private static let leans = Angle.radians(7)

  /// Takes the part along up of a force, `step` seconds after the one before, where forces lean lately by `lean`
  /// radians about two axes.
  mutating func add(_ along: Double, lean: SIMD2<Double>, step: Double) {
    if (lean * lean).sum() < Self.leans * Self.leans {
      gravity += (along - gravity) * min(1, step / Self.gravitySpan)
    }
    upward += (along - upward) * min(1, step / Self.upwardSpan)
  }
}
