import Core

/// How far a sweep has come: what a guiding screen shows.
public struct SweepProgress: Sendable {
  /// What to do now.
  public enum Phase: String, Sendable {
    /// Turn the board through all directions.
    case sweep
    /// Hold it still, eight ways.
    case rests
    /// Enough.
    case done
  }

  /// What to do now.
  public internal(set) var phase = Phase.sweep
  /// Samples received.
  public internal(set) var samples = 0
  /// From the first to the last.
  public internal(set) var seconds = 0.0
  /// Directions of the corrected field met and missing, in the accelerometer's axes; nil before the first fit.
  public internal(set) var coverage: Coverage?
  /// Attitudes held still so far.
  public internal(set) var rests = 0
  /// Attitudes that must be held still.
  public let restsNeeded = Rests.needed
  /// The board is being held still just now.
  public internal(set) var isStill = false
  /// The last sample had a specific force: rests make sense.
  public internal(set) var hasAccelerometer = false
  /// The fit as it stands, with the predicted heading error; nil before the first.
  public internal(set) var result: CalibrationResult?
  /// Why the sweep would be refused if it ended now; nil when it would not.
  public internal(set) var refusal: CalibrationRefusal?
  /// What no further sweeping will mend: a dead axis, a wrong unit.
  public internal(set) var problem: CalibrationRefusal?
  /// What is wrong just now.
  public internal(set) var warnings: Set<SweepWarning> = []
  /// The motion that would help most.
  public internal(set) var next: NextMotion?
  /// Of the residuals in µT.
  var deviation = 0.0

  /// Percent of the sphere that must be met before rests are asked for.
  static let coverageNeeded = 75.0
  /// Percent of the sphere without an accelerometer, where directions are all there is.
  static let coverageAlone = 85.0

  init() {}

  /// The directions still missing, in the device frame.
  public func missing(mounting: Mounting) -> [Vector3] { (coverage?.missing ?? []).map { mounting.matrix * $0 } }

  /// The directions met, in the device frame.
  public func met(mounting: Mounting) -> [Vector3] { (coverage?.met ?? []).map { mounting.matrix * $0 } }

  mutating func take(_ outcome: CalibrationOutcome, result: CalibrationResult, deviation: Double) {
    self.result = result
    self.deviation = deviation
    coverage = result.coverage
    rests = result.quality.rests
    refusal = outcome.refusal
    next = outcome.next
  }

  mutating func settlePhase(target: Double) {
    guard let result, problem == nil else {
      phase = .sweep
      return
    }
    let percent = result.quality.coveragePercent
    if !hasAccelerometer {
      let isEnough = percent >= Self.coverageAlone && result.quality.headingErrorAlignedDegrees <= target
      phase = isEnough && refusal == nil ? .done : .sweep
    } else if percent < Self.coverageNeeded {
      phase = .sweep
    } else {
      phase = result.quality.kind == .full && result.quality.headingErrorDegrees <= target ? .done : .rests
    }
  }
}

/// What is wrong with a sweep at the moment.
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
  private var disturbed = 0.0
  private var shaking = 0.0
  private var saturated = 0.0
  private var unchangedSince: Double?
  private var unchangedFor = 0.0

  mutating func note(_ sample: Sample, isNew: Bool) {
    saturated += (((sample.flags.contains(.saturated)) ? 1 : 0) - saturated) / Self.persistence
    if sample.flags.contains(.gap) { gaps &+= 1 }
    let force = sample.acceleration?.g.length ?? 1
    shaking += ((abs(force - 1) > 0.5 ? 1 : 0) - shaking) / Self.persistence
    if isNew || unchangedSince == nil { unchangedSince = sample.time }
    unchangedFor = sample.time - (unchangedSince ?? sample.time)
  }

  /// Whether the field has been off the fitted model for some time; single wild samples are not.
  mutating func isDisturbed(_ measurement: Measurement, parameters: Parameters?, deviation: Double) -> Bool {
    guard let parameters, deviation > 0 else { return false }
    let limit = max(4 * deviation, 0.03 * parameters.strength)
    let isOff = abs(NormModel(parameters, deviation: 1).value(measurement.raw)) > limit
    disturbed += ((isOff ? 1 : 0) - disturbed) / Self.persistence
    return isOff
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
