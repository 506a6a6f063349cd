/// How good a calibration is, and from what it was made: of a fresh fit and of a saved profile alike.
public struct CalibrationQuality: Equatable, Sendable {
  /// The grade of the predicted heading error: good up to 1°, fair up to 3°, poor past that or unknown.
  public enum Verdict: String, Sendable, CaseIterable {
    case good
    case fair
    case poor
  }

  /// The parameters that were solved, and so the attitudes for which the calibration holds.
  public enum Kind: String, Sendable, CaseIterable {
    /// Hard iron, soft iron and the rotation between the chips: any attitude.
    case full
    /// A calibration for a board that stays level, as in a boat or a car.
    case level
    /// Hard iron and soft iron; the rotation between the chips is taken to be none.
    case normOnly = "norm-only"
  }

  /// Whether the rotation between magnetometer and accelerometer is known.
  public enum Misalignment: String, Sendable, CaseIterable {
    case solved
    case unknown
  }

  /// How it came about, where that was no sweep.
  public enum Method: String, Sendable, CaseIterable {
    /// An instrument held in positions.
    case held
    /// A short motion, and how the gyroscope saw it.
    case gyroscope
    /// An earlier calibration with another hard iron.
    case touchUp = "touch-up"
    /// The hard iron alone, from one known heading.
    case facing = "one-heading"
  }

  /// The grade of `headingErrorDegrees`.
  public var verdict: Verdict
  /// The parameters that were solved.
  public var kind: Kind
  /// How it came about; nil for a sweep, and for a way that this version does not know.
  public var method: Method?
  /// Whether the rotation between the chips was solved.
  public var misalignment: Misalignment
  /// Predicted root mean square over all headings and tilts up to `tiltLimitDegrees`, in degrees; nil where it cannot
  /// be predicted, as for an import.
  public var headingErrorDegrees: Double?
  /// Predicted root mean square over all headings, level, in degrees.
  public var headingErrorLevelDegrees: Double?
  /// `headingErrorDegrees` if there were no rotation between the chips: equal to it where that was solved. A profile
  /// does not keep it.
  public var headingErrorAlignedDegrees: Double?
  /// Predicted at the worst heading and tilt, in degrees. A profile does not keep it.
  public var headingErrorWorstDegrees: Double?
  /// The largest tilt the figures hold for: 30, or 5 for a level calibration; of a fresh one 1 where it does not know
  /// whether the field dips down or up.
  public package(set) var tiltLimitDegrees: Double
  /// Measurements used.
  public var samples = 0
  /// Attitudes held still.
  public var rests = 0
  /// Share of the directions of the sphere met, 0 to 100.
  public var coveragePercent = 0.0
  /// Root mean square distance of the measurements from the model in µT; nil where nobody measured it.
  public var residual: Double?
  /// Angle residual of every third rest under a fit without them, root mean square in degrees; nil with too few. A
  /// profile does not keep it.
  public var holdOutDegrees: Double?
  /// Stretches left out.
  public var ignored: [IgnoredStretch] = []
  /// Warnings for the user, one sentence each.
  public var warnings: [String] = []

  /// Forgets the heading errors, where the axes are not known and headings may be off by anything.
  mutating func forgetHeadingError() {
    verdict = .poor
    (headingErrorDegrees, headingErrorLevelDegrees) = (nil, nil)
  }

  /// A quality; what the sweep was made of is added after.
  public init(
    verdict: Verdict, kind: Kind, misalignment: Misalignment, headingErrorDegrees: Double? = nil,
    headingErrorLevelDegrees: Double? = nil
  ) {
    self.verdict = verdict
    self.kind = kind
    self.misalignment = misalignment
    tiltLimitDegrees = kind == .level ? ParameterFit.levelTilt : 30
    self.headingErrorDegrees = headingErrorDegrees
    self.headingErrorLevelDegrees = headingErrorLevelDegrees
  }
}
