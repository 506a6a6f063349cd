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

  var gaps = 0
  /// Seconds of nothing that fits after which the model is doubted.
  private static let patience = 5.0

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
    if sample.flags.contains(.gap) { gaps &+= 1 }
    let force = sample.acceleration?.g.length ?? 1
    shaking += ((abs(force - 1) > 0.5 ? 1 : 0) - shaking) / Self.persistence
    // A device that sends no field has none that could stand still.
    let hasField = unchangedSince != nil || sample.field != nil
    if hasField, isNew || isStill || unchangedSince == nil { unchangedSince = sample.time }
    unchangedFor = sample.time - (unchangedSince ?? sample.time)
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
    if gaps > 0 { warnings.insert(.samplesLost) }
    return warnings
  }
}
