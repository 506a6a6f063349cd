import Calibration
import LodestoneCore

/// Whether a board with a gyroscope lies still: neither rate, force nor field change, and the rate is one that a bias
/// can be. A steady turn about the vertical, which gyroscope and force alone take for rest, shows in the field.
struct GyroscopeRest: Sendable {
  /// For three seconds.
  var isAtRest: Bool { stillFor > Self.patience }
  /// Rate and force have not changed for as long, whatever the field did.
  var isSteady: Bool { steadyFor > Self.patience }
  /// The mean rate, in radians per second.
  private(set) var rate = Vector3.zero
  /// How much that still changes about an axis, as a variance in (rad/s)²: of a board that sways, as in a car.
  private(set) var sway = 0.0

  private var force: Vector3?
  /// Its short mean and its long one: noise of a single field, which in small sensors is 1 µT, ends no rest.
  private var (field, usualField): (Vector3?, Vector3?)
  private var hasRate = false
  /// Rate and force have never changed; the rate may be one that no bias can be.
  private(set) var isUntouched = true
  private var (stillFor, steadyFor) = (0.0, 0.0)
  private var slowRate = Vector3.zero

  private static let patience = 3.0
  /// Seconds over which the means of rate and force run.
  private static let span = 0.5
  /// Seconds over which the field's two run: little noise is left in the short one, and a slow turn shows against the
  /// long one.
  private static let (shortSpan, fieldSpan) = (1.0, 4.0)
  // The largest deviation of a rate from its mean, and the largest bias, in radians per second.
  private static var rateLimit: Double { Angle.radians(2) }
  private static var biasLimit: Double { Angle.radians(10) }
  /// The largest bias of all, which counts where a field beside it tells a turn.
  static var rawBiasLimit: Double { Angle.radians(GyroscopeZero.largest) }
  /// The largest deviation of a force from its mean, in g.
  private static let forceLimit = 0.05
  /// The largest deviation of a field from its long mean: in µT, and as a share of it.
  private static let (fieldLimit, fieldShare) = (0.7, 0.0175)

  mutating func add(force newForce: Vector3?, rate newRate: Vector3, field newField: Vector3?, step: Double) {
    let share = min(1, step / Self.span)
    rate = hasRate ? rate + (newRate - rate) * share : newRate
    hasRate = true
    var isStill = (newRate - rate).squaredLength < Self.rateLimit * Self.rateLimit
    if let newForce {
      let mean = force.map { $0 + (newForce - $0) * share } ?? newForce
      force = mean
      isStill = isStill && (newForce - mean).squaredLength < Self.forceLimit * Self.forceLimit
    }
    isUntouched = isUntouched && isStill
    let biasLimit = newField == nil ? Self.biasLimit : Self.rawBiasLimit
    isStill = isStill && rate.squaredLength < biasLimit * biasLimit
    steadyFor = isStill ? steadyFor + step : 0
    if let newField {
      let short = field.map { $0 + (newField - $0) * min(1, step / Self.shortSpan) } ?? newField
      let before = isStill ? usualField ?? short : short
      let long = before + (short - before) * min(1, step / Self.fieldSpan)
      (field, usualField) = (short, long)
      let limit = max(Self.fieldLimit * Self.fieldLimit, Self.fieldShare * Self.fieldShare * long.squaredLength)
      if (short - long).squaredLength >= limit {
        isStill = false
        usualField = short
      }
    }
    stillFor = isStill ? stillFor + step : 0
    follow(step)
  }

  /// Holds the mean rate against that of the whole rest.
  private mutating func follow(_ step: Double) {
    guard stillFor > 0 else {
      (slowRate, sway) = (rate, 0)
      return
    }
    let share = min(1, step / min(stillFor, Self.patience))
    slowRate += (rate - slowRate) * share
    sway += ((rate - slowRate).squaredLength / 3 - sway) * share
  }
}
