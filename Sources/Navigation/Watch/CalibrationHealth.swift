import LodestoneCore

/// Whether a calibration still fits: what it should keep constant, the field's strength and its dip, by their running
/// means and by what the strength does as the board turns.
///
/// A car parked beside the compass moves the means for a while; a magnet screwed to the board moves them for good. So
/// the means run over a minute, and have to be off for half a minute before it is said. A magnet on the board may also
/// leave the mean as it is, and make the field stronger on one side of the board and weaker on the other: that is said
/// as soon as the board has been turned far enough. Nothing is recalibrated.
public struct CalibrationHealth: Sendable {
  /// A change of whether the calibration fits.
  public enum Event: Equatable, Sendable {
    /// The field is stronger (positive) or weaker than the calibration found it, by this share; the inclination is
    /// off by `inclinationDegrees`, nil if unknown; the strength changes by this share (a standard deviation) as
    /// the board turns.
    case noLongerFits(strengthShare: Double, inclinationDegrees: Double?, turningShare: Double)
    /// It fits again.
    case fitsAgain
  }

  /// |b|/F − 1 over the last minute; nil before the first sample.
  public var strengthShare: Double? { strength.value }
  /// Measured less expected inclination over the last minute, in degrees; nil where either is unknown.
  public var inclinationDegrees: Double? { inclination.value }
  /// The standard deviation of |b|/F that comes with the side of the board that faces the field; 0 until it is turned.
  public private(set) var turningShare = 0.0
  /// False from one event to the other.
  public private(set) var fits = true

  /// Seconds over which the means run.
  static let span = 60.0
  /// Seconds for which they must be off, or back.
  static let patience = 30.0
  /// Seconds for which the turning board must show it: a field that the board passes through does not repeat that long.
  static let turningPatience = 8.0
  /// How far off the field's strength may be, as a share of it, and how much it may change as the board turns.
  public static let strengthLimit = 0.04
  /// How far off the inclination may be, in degrees.
  public static let inclinationLimit = 3.0
  /// Directions that must have been seen before turning says anything: four in five of a level turn where the field is
  /// steep, a sixth of one about another axis.
  private static let fewestDirections = 24
  /// The share of the changes of |b| that the side of the board must explain.
  private static let explainedShare = 0.7

  private let expectedStrength: Double
  private let expectedInclination: Double?
  private var strength = RunningMean()
  private var inclination = RunningMean()
  private var changedSince: Double?
  private var iron = ResidualHardIron()

  /// For a calibration that found this strength in µT and this inclination in degrees.
  public init(strength: Double, inclination: Double?) {
    expectedStrength = strength
    expectedInclination = inclination
  }

  /// Takes a sample: the corrected field in µT, in axes of the board, and its inclination in degrees, nil without
  /// gravity. Samples of a hand in motion should have none. An event, when one has happened.
  public mutating func add(time: Double, field: Vector3, inclination: Double?) -> Event? {
    guard time.isFinite, field.isFinite, expectedStrength > 0 else { return nil }
    strength.add(field.length / expectedStrength - 1, time: time, span: Self.span)
    if let inclination, inclination.isFinite, let expectedInclination {
      self.inclination.add(inclination - expectedInclination, time: time, span: Self.span)
    }
    if iron.add(field), iron.count >= Self.fewestDirections { turn() }
    return settle(time)
  }

  /// Looks at the sides of the board.
  private mutating func turn() {
    let (deviation, share) = iron.explained
    turningShare = share >= Self.explainedShare ? deviation / expectedStrength : 0
  }

  private mutating func settle(_ time: Double) -> Event? {
    let turnsBadly = turningShare > Self.strengthLimit
    let isOff =
      turnsBadly || abs(strength.value ?? 0) > Self.strengthLimit
      || abs(inclination.value ?? 0) > Self.inclinationLimit
    guard isOff == fits else {
      changedSince = nil
      return nil
    }
    let since = changedSince.flatMap { $0 <= time ? $0 : nil } ?? time
    changedSince = since
    guard time - since >= (turnsBadly ? Self.turningPatience : Self.patience) else { return nil }
    fits = !isOff
    changedSince = nil
    return isOff
      ? .noLongerFits(
        strengthShare: strength.value ?? 0, inclinationDegrees: inclination.value, turningShare: turningShare)
      : .fitsAgain
  }
}
