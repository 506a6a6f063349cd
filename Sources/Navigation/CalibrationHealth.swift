import Core
import Glibc

/// Whether a calibration still fits: running means of what it should keep constant, the field's strength and its dip.
///
/// A car parked beside the compass moves them for a while; a magnet screwed to the board moves them for good. So the
/// means run over a minute, and have to be off for half a minute before it is said. Nothing is recalibrated.
public struct CalibrationHealth: Sendable {
  /// What has happened.
  public enum Event: Equatable, Sendable {
    /// The field is stronger (positive) or weaker than the calibration found it, by this share; the dip is off by so
    /// many degrees, nil where it is not known.
    case noLongerFits(strengthShare: Double, inclinationDegrees: Double?)
    /// It fits again.
    case fitsAgain
  }

  /// |b|/F − 1 over the last minute; nil before the first sample.
  public var strengthShare: Double? { strength.value }
  /// Measured less expected inclination over the last minute, in degrees; nil where either is unknown.
  public var inclinationDegrees: Double? { inclination.value }
  /// False from one event to the other.
  public private(set) var fits = true

  /// Seconds over which the means run.
  static let span = 60.0
  /// Seconds for which they must be off, or back.
  static let patience = 30.0
  /// How far off the field's strength may be, as a share of it.
  public static let strengthLimit = 0.04
  /// How far off the inclination may be, in degrees.
  public static let inclinationLimit = 3.0

  private let expectedStrength: Double
  private let expectedInclination: Double?
  private var strength = RunningMean()
  private var inclination = RunningMean()
  private var changedSince: Double?

  /// Of a calibration that found this strength in µT and this inclination in degrees.
  public init(strength: Double, inclination: Double?) {
    expectedStrength = strength
    expectedInclination = inclination
  }

  /// Takes a sample: the corrected field's strength in µT and its inclination in degrees, nil without gravity. Samples
  /// of a hand in motion should have none. An event, when one has happened.
  public mutating func add(time: Double, strength: Double, inclination: Double?) -> Event? {
    guard time.isFinite, strength.isFinite, expectedStrength > 0 else { return nil }
    self.strength.add(strength / expectedStrength - 1, time: time, span: Self.span)
    if let inclination, inclination.isFinite, let expectedInclination {
      self.inclination.add(inclination - expectedInclination, time: time, span: Self.span)
    }
    return settle(time)
  }

  private mutating func settle(_ time: Double) -> Event? {
    let isOff =
      abs(strength.value ?? 0) > Self.strengthLimit || abs(inclination.value ?? 0) > Self.inclinationLimit
    guard isOff == fits else {
      changedSince = nil
      return nil
    }
    let since = changedSince.flatMap { $0 <= time ? $0 : nil } ?? time
    changedSince = since
    guard time - since >= Self.patience else { return nil }
    fits = !isOff
    changedSince = nil
    return isOff
      ? .noLongerFits(strengthShare: strength.value ?? 0, inclinationDegrees: inclination.value) : .fitsAgain
  }
}

/// A mean in which the past fades over a span; at first the mean of all there is.
struct RunningMean: Sendable {
  private(set) var value: Double?
  private var last = 0.0
  private var weight = 0.0

  mutating func add(_ sample: Double, time: Double, span: Double) {
    guard let mean = value else {
      value = sample
      last = time
      weight = 0
      return
    }
    let step = max(0, time - last)
    last = time
    weight = min(span, weight + step)
    value = mean + (sample - mean) * (weight > 0 ? min(1, step / weight) : 0)
  }
}
