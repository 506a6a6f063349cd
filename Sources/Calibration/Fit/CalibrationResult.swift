import LodestoneCore

/// A finished calibration: everything a profile holds except whose it is and when it was made.
public struct CalibrationResult: Sendable, Equatable {
  /// S and o: from raw fields in the magnetometer's axes to the field in the accelerometer's axes.
  public var correction: Correction
  /// The accelerometer's zeros and gains; none where rests did not give them.
  public var forceCorrection: ForceCorrection
  /// Whether headings use the accelerometer; false where its axes have nothing to do with the field's under any map.
  public var forceIsUsed = true
  /// The gyroscope's zero, from the rests or from how the field turned; nil where the sweep did not tell.
  public var gyroscopeZero: GyroscopeZero?
  /// The gain matrix for the gyroscope's readings less its zero; nil where the sweep did not tell.
  public var gyroscopeGain: GyroscopeGain?
  /// The time by which the field comes later than the rate beside it; nil where the sweep did not tell.
  public var fieldLag: FieldLag?
  /// The chip's mean temperature in degrees Celsius; nil for a device that tells none.
  public var temperature: Double?
  /// Counts of the device that were taken for 1 µT; nil for a device that says its unit.
  public var countsPerMicrotesla: Double?
  /// Counts of the accelerometer that were taken for 1 g; nil for a device that says its unit.
  public var countsPerGravity: Double?
  /// Whether the device sends counts and no place told how strong the field is, so that a usual strength was assumed.
  public var strengthIsAssumed = false
  /// Whether no place told which way up the axes are, the map's negation or a reversed accelerometer being as good: the
  /// other one makes every heading another.
  public var signIsAssumed = false
  /// Causes other than iron that change the field, and by how much; the hard iron holds in the middle of their ranges.
  public var causes: [Cause] = []
  /// F in µT.
  public var fieldStrength: Double
  /// The inclination in degrees, down positive, from rests or the place; nil without either.
  public var inclination: Double?
  /// How the magnetometer's axes lie in the accelerometer's. Already part of the correction.
  public var axes: AxisMap
  /// How the device turned what its sensors measured; nil for one that is no flight controller, or did not tell.
  public var flightController: FlightController?
  /// The axis of the laser or sight along which positions held were aimed; nil where they did not tell it.
  public var laser: LaserAxis?
  /// Standard deviation of one axis of one raw measurement in µT.
  public var noise: Double
  /// The model's fourteen parameters.
  public var parameters: [Double]
  /// The names of `parameters`, with their units.
  public var parameterNames: [String]
  /// Their covariance, 14 × 14, row by row; a rotation that could not be solved has the variance it may have.
  public var covariance: [Double]
  /// How good it is.
  public var quality: CalibrationQuality
  /// Warnings for the user, as facts. `quality` has them as text, for the profile.
  public var warnings: [CalibrationWarning] = []
  /// Directions of the corrected field that the sweep met.
  public var coverage: Coverage

  /// Adds a warning, and its text for the profile.
  mutating func add(_ warning: CalibrationWarning) {
    warnings.append(warning)
    quality.warnings.append(warning.text)
  }
}

/// Why there is no calibration.
public enum CalibrationRefusal: Error, Sendable, Equatable {
  /// No sample held a field.
  case noField
  /// No sample held a force, and the fit needs to know where up is.
  case noAccelerometer
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
  /// An axis of the accelerometer that keeps its number, in g, while the board turns.
  case stuckForce(axis: String, value: Double)
  /// The accelerometer's axes, in which the magnetometer's are these, are the mirror image of those of magnetometer and
  /// gyroscope.
  case mirroredForce(map: String)
  /// Two axes that carry the same numbers.
  case sameAxes(String, String)
  /// The board did not move.
  case noMotion(spanMicrotesla: Double)
  /// The field itself changed: what is left over is too large.
  case disturbed(residualMicrotesla: Double, percentOfField: Double, ignoredPercent: Double)
  /// The directions met lie in a plane.
  case planar(headingErrorDegrees: Double)
  /// Up as the force shows it leans by this many degrees in a level turn, as in a vehicle's curve: against the circle
  /// of the fields, or against up while the board stood still.
  case leaning(degrees: Double, headingErrorDegrees: Double)
  /// A level calibration was ended before its circles were full, in whole turns.
  case tooFewCircles(turned: Double, needed: Double)
  /// Too few directions of the sphere.
  case tooFewDirections(coveragePercent: Double, headingErrorDegrees: Double, next: NextMotion?)
  /// Positions held that do not tell enough: too few, or too much alike.
  case tooFewPositions(found: Int, wanted: Int, headingErrorDegrees: Double)
  /// The directions would do, the heading error is still too large.
  case inaccurate(headingErrorDegrees: Double, next: NextMotion?)
  /// The offset moved by this many µT while the sweep was made, and where it ended is not known well enough.
  case drifting(microtesla: Double, headingErrorDegrees: Double)
  /// Under the axes as they come field and gravity do not belong together, and nothing proves other ones.
  case axesUnknown(spreadDegrees: Double)
  /// The board was not held still, as this needs.
  case notStill
  /// A touch-up is not enough: the soft iron has changed too.
  case softIronChanged
  /// The device does not tell the value of a cause.
  case causeMissing(String)
  /// A cause did not vary, or by little more than its own noise.
  case causeConstant(String, range: ClosedRange<Double>)
  /// A cause met too little of the range that was asked for.
  case causeNarrow(String, range: ClosedRange<Double>, wanted: ClosedRange<Double>)
  /// Effects of causes are poorly known at the ends of their ranges: they went with the attitude, or hardly changed.
  case causesUnsettled([String], headingErrorDegrees: Double)
  /// The linear algebra failed: no parameters describe the data.
  case noSolution
}

extension CalibrationRefusal {
  /// Whether no further motion mends it.
  var isOfTheDevice: Bool {
    switch self {
    case .tooFewSamples, .noMotion: false
    default: true
    }
  }

  /// Whether the board was turned too little, or about too few axes.
  var asksForMotion: Bool {
    switch self {
    case .tooFewSamples, .noMotion, .planar, .leaning, .tooFewDirections, .inaccurate: true
    default: false
    }
  }
}

/// The motion that would lower the predicted heading error most.
public enum NextMotion: Sendable, Equatable {
  /// Sweep until the field comes from this direction (unit vector, corrected frame).
  case sweep(field: Vector3)
  /// Hold still with this direction up and the field from that one (unit vectors, accelerometer's axes).
  case rest(up: Vector3, field: Vector3)
  /// Turn it more about this axis of the accelerometer, forth and back (a unit vector).
  case turn(about: Vector3)
  /// Turn the board about itself, in one place: parts of the sweep disagree, as they do where the field is uneven.
  case turnAbout
}

/// The outcome of a sweep.
public struct CalibrationOutcome: Sendable {
  /// The calibration; there even when refused, where one could be computed at all.
  public var result: CalibrationResult?
  /// Why it must not be used; nil when it may.
  public var refusal: CalibrationRefusal?
  /// The motion that would make it better.
  public var next: NextMotion?

  /// The outcome with what the device told, or had told at the calibration that this one starts from, where it is a
  /// flight controller.
  public func noting(_ controller: FlightController?, _ settings: CalibrationSettings) -> Self {
    var outcome = self
    outcome.result?.flightController = controller ?? settings.before?.profile.flightController
    return outcome
  }
}
