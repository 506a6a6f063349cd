import LodestoneCore

/// A problem with a sweep at the moment.
public enum SweepWarning: String, Sendable, Hashable {
  /// The field is not the Earth's: iron or a current is near.
  case disturbed
  /// The hand shakes the board: specific force is far from 1 g.
  case shaking
  /// Samples at the end of the range arrive.
  case saturated
  /// The field has not changed for a second.
  case frozen
  /// Samples were missing.
  case samplesLost
}

/// Looks at the samples as they come, one by one.
struct SweepWatch: Sendable {
  /// Samples over which a state must last.
  private static let persistence = 10.0
  private static let threshold = 0.5

  /// Seconds of nothing that fits after which the model is doubted.
  private static let patience = 5.0
  /// Seconds for which a loss is told.
  private static let lossIsTold = 10.0
  /// Seconds within which two signs of missing samples are one gap.
  private static let oneGap = 1.0

  /// Whether a pause or an absence of the device has just ended: the gap it leaves is no loss.
  var expectsGap = false
  private var now = 0.0
  private var lostAt: Double?
  private var explainedAt: Double?
  private var disturbed = 0.0
  private var fittingAt = -Double.infinity
  private var shaking = 0.0
  private var saturated = 0.0
  private var unchangedSince: Double?
  private var unchangedFor = 0.0

  /// - Parameters:
  ///   - isNew: its field differs from the one before.
  ///   - isStill: the board is held still, so that a field may stay as it is.
  mutating func note(_ sample: Sample, isNew: Bool, isStill: Bool) {
    saturated += (((sample.flags.contains(.saturated)) ? 1 : 0) - saturated) / Self.persistence
    now = sample.time
    if sample.flags.contains(.gap) { noteGap() }
    let force = sample.acceleration?.g.length ?? 1
    shaking += ((abs(force - 1) > 0.5 ? 1 : 0) - shaking) / Self.persistence
    // A device that sends no field has none that could stand still.
    let hasField = unchangedSince != nil || sample.field != nil
    if hasField, isNew || isStill || unchangedSince == nil { unchangedSince = sample.time }
    unchangedFor = sample.time - (unchangedSince ?? sample.time)
  }

  /// Notes that samples are missing before the last one.
  mutating func noteGap() {
    let isExplained = expectsGap || explainedAt.map { abs(now - $0) < Self.oneGap } ?? false
    expectsGap = false
    if isExplained { explainedAt = now } else { lostAt = now }
  }

  /// Whether a field is off the fitted model and must be left out. After some seconds of it the model may be what is
  /// wrong, and everything is taken.
  mutating func isDisturbed(_ measurement: SweepPoint, parameters: Parameters?, deviation: Double) -> Bool {
    guard let parameters, deviation > 0 else { return false }
    let limit = max(4 * deviation, 0.03 * parameters.strength)
    let isOff = abs(NormModel(parameters, deviation: 1).value(measurement.raw)) > limit
    disturbed += ((isOff ? 1 : 0) - disturbed) / Self.persistence
    if !isOff { fittingAt = measurement.time }
    return isOff && measurement.time - fittingAt < Self.patience
  }

  var warnings: Set<SweepWarning> {
    var warnings: Set<SweepWarning> = []
    if disturbed > Self.threshold { warnings.insert(.disturbed) }
    if shaking > Self.threshold { warnings.insert(.shaking) }
    if saturated > 0.05 { warnings.insert(.saturated) }
    if unchangedFor > 1 { warnings.insert(.frozen) }
    if let lostAt, abs(now - lostAt) < Self.lossIsTold { warnings.insert(.samplesLost) }
    return warnings
  }
}
