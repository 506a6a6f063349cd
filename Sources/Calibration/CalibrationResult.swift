import Core

/// A finished calibration: everything a profile holds except whose it is and when it was made.
public struct CalibrationResult: Sendable, Equatable {
  /// S and o: from raw fields in the magnetometer's axes to the field in the accelerometer's axes.
  public var correction: Correction
  /// F in µT.
  public var fieldStrength: Double
  /// In degrees, down positive; nil without gravity.
  public var inclination: Double?
  /// How the magnetometer's axes lie in the accelerometer's. Already part of the correction.
  public var axes: AxisMap
  /// Standard deviation of one axis of one raw measurement in µT.
  public var noise: Double
  /// The model's fourteen parameters.
  public var parameters: [Double]
  /// What each of them is.
  public var parameterNames: [String]
  /// Their covariance, 14 × 14, row by row; a rotation that could not be solved has the variance it may have.
  public var covariance: [Double]
  /// How good it is.
  public var quality: CalibrationQuality
  /// Directions of the corrected field that the sweep met.
  public var coverage: Coverage
}

/// How good a calibration is.
public struct CalibrationQuality: Sendable, Equatable {
  /// By the predicted heading error: up to 1°, up to 3°, more.
  public enum Verdict: String, Sendable, CaseIterable {
    case good
    case fair
    case poor
  }

  /// What was solved.
  public enum Kind: String, Sendable, CaseIterable {
    /// Hard iron, soft iron and the rotation between the chips.
    case full
    /// For a board that stays level.
    case level
    /// Hard iron and soft iron; the rotation between the chips is taken to be none.
    case normOnly = "norm-only"
  }

  /// Whether the rotation between magnetometer and accelerometer is known.
  public enum Misalignment: String, Sendable, CaseIterable {
    case solved
    case unknown
  }

  /// By the predicted heading error.
  public var verdict: Verdict
  /// What was solved.
  public var kind: Kind
  /// Predicted root mean square over all headings and tilts up to `tiltLimitDegrees`, in degrees.
  public var headingErrorDegrees: Double
  /// Predicted root mean square over all headings, level, in degrees.
  public var headingErrorLevelDegrees: Double
  /// `headingErrorDegrees` if there were no rotation between the chips: the same where it was solved.
  public var headingErrorAlignedDegrees: Double
  /// Predicted at the worst heading and tilt, in degrees.
  public var headingErrorWorstDegrees: Double
  /// The largest tilt the figures hold for: 30, or 5 for a level calibration.
  public var tiltLimitDegrees: Double
  /// Whether the rotation between the chips was solved.
  public var misalignment: Misalignment
  /// Measurements used.
  public var samples: Int
  /// Attitudes held still.
  public var rests: Int
  /// Share of the directions of the sphere met, 0 to 100.
  public var coveragePercent: Double
  /// Root mean square distance of the measurements from the model in µT.
  public var residual: Double
  /// Angle residual of every third rest under a fit without them, root mean square in degrees; nil with too few.
  public var holdOutDegrees: Double?
  /// Stretches left out.
  public var ignored: [IgnoredStretch]
  /// What else its user should know.
  public var warnings: [CalibrationWarning]
}

/// What a user should know of a calibration that was made.
public enum CalibrationWarning: Sendable, Equatable {
  /// The angle between the chips is unknown; each degree of it costs so many degrees of heading.
  case misalignmentUnknown(restsFound: Int, restsNeeded: Int, headingDegreesPerDegree: Double)
  /// Stretches were left out.
  case disturbed(seconds: Double)
  /// The magnetometer's axes are not the accelerometer's.
  case axesDiffer(map: String, isLeftHanded: Bool)
  /// Without a place the map and its negation cannot be told apart.
  case axesSignAssumed(map: String)
  /// The accelerometer reads (0, 0, −1) g face up.
  case accelerometerReversed
  /// The field dips upwards: a place in the southern hemisphere, or a reversed accelerometer.
  case inclinationNegative(degrees: Double)
  /// There was no specific force, so inclination and misalignment are unknown.
  case noAccelerometer
  /// Most samples were copies of the one before.
  case repeatedSamples(percent: Double)
  /// Samples at the end of the range were left out.
  case saturatedSamples(percent: Double)
  /// Shape parameters that the data say little of and that stay near their usual values.
  case weaklyDetermined([String])
  /// The board was not tilted: for use within so many degrees of level.
  case levelOnly(tiltDegrees: Double)
  /// The rests held out do not agree with the others.
  case holdOutDisagrees(degrees: Double, expectedDegrees: Double)
}

/// Why there is no calibration.
public enum CalibrationRefusal: Error, Sendable, Equatable {
  /// No sample held a field.
  case noField
  /// Fewer measurements than the model needs.
  case tooFewSamples(count: Int, needed: Int)
  /// The numbers are no field in µT on Earth, whatever the offsets: counts, or another unit.
  case impossibleUnit(sphereMicrotesla: Double)
  /// The fitted field's strength cannot be the Earth's.
  case impossibleField(microtesla: Double, allowed: ClosedRange<Double>)
  /// Measurements at the end of the sensor's range.
  case clipped(axis: String?, percent: Double)
  /// An axis that never changes, or that has only a few values.
  case stuckAxis(axis: String, value: Double)
  /// Two axes that carry the same numbers.
  case sameAxes(String, String)
  /// The board did not move.
  case noMotion(spanMicrotesla: Double)
  /// The field itself changed: what is left over is too large.
  case disturbed(residualMicrotesla: Double, percentOfField: Double, ignoredPercent: Double)
  /// The directions met lie in a plane.
  case planar(headingErrorDegrees: Double)
  /// Too few directions of the sphere.
  case tooFewDirections(coveragePercent: Double, headingErrorDegrees: Double, next: NextMotion?)
  /// The directions would do, the heading error is still too large.
  case inaccurate(headingErrorDegrees: Double, next: NextMotion?)
  /// The linear algebra failed: no parameters describe the data.
  case noSolution
}

/// The motion that would lower the predicted heading error most.
public enum NextMotion: Sendable, Equatable {
  /// Sweep until the field comes from this direction (unit vector, corrected frame).
  case sweep(field: Vector3)
  /// Hold still with this direction up and the field from that one (unit vectors, accelerometer's axes).
  case rest(up: Vector3, field: Vector3)
}

/// What came of a sweep.
public struct CalibrationOutcome: Sendable {
  /// The calibration; there even when refused, where one could be computed at all.
  public var result: CalibrationResult?
  /// Why it must not be used; nil when it may.
  public var refusal: CalibrationRefusal?
  /// What would make it better.
  public var next: NextMotion?
}
