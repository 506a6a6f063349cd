/// The settings of a calibration. Everything has a default that suits a board in the hand.
public struct CalibrationSettings: Sendable {
  /// The Earth's field where the sweep was made.
  public struct Place: Sendable, Equatable {
    /// The strength of the field in µT.
    public var fieldStrength: Double
    /// The inclination in degrees, down positive.
    public var inclination: Double

    /// The field of a place, as a geomagnetic model gives it.
    public init(fieldStrength: Double, inclination: Double) {
      self.fieldStrength = fieldStrength
      self.inclination = inclination
    }
  }

  /// nil where it is not known: the field is then taken to be 48 µT within 35 %, and the sign of the inclination is
  /// found from the axes.
  public var place: Place?
  /// How the magnetometer's axes lie in the accelerometer's, from the user or an earlier calibration of the same board:
  /// for a sweep that cannot tell. nil takes them as they come, with a warning.
  public var knownAxes: AxisMap?
  /// A full calibration that the sweep refines: only the hard iron, and a little the strength, are free. nil for a
  /// calibration of its own.
  public var earlier: EarlierCalibration?
  /// A heading that the board keeps while the samples are taken: the hard iron alone is found, from the field of the
  /// place.
  public var facing: KnownHeading?
  /// The calibration whose soft iron a known heading starts from; nil for none.
  public var facingFrom: EarlierCalibration?
  /// The calibration that this one refines, or whose soft iron it starts from; nil for one of its own.
  var before: EarlierCalibration? { facing == nil ? earlier : facingFrom }
  /// Whether to look for the signed permutation between the two chips' axes.
  public var findsAxes = true
  /// Whether the instrument is held in positions, with no sweep between them; false finds that out where there is
  /// nothing between them.
  public var isHeld = false
  /// Whether a guided calibration of positions held asks for rolled shots too, which tell the axis of a laser or a
  /// sight.
  public var asksForLaser = false
  /// Whether the unit is known; false for raw counts: the sweep is first scaled so that its sphere has the strength of
  /// the Earth's field, and the soft iron holds that scale. A profile keeps a scale of 1/20 to 20: other counts are
  /// scaled before, as a `CalibrationSession` does, and `countsPerMicrotesla` tells by what.
  public var unitIsKnown = true
  /// Counts of the device that were taken for 1 µT, where it sends counts of unknown scale: the profile keeps it.
  public var countsPerMicrotesla: Double?
  /// Counts of the accelerometer that were taken for 1 g, where it sends counts: the profile keeps it.
  public var countsPerGravity: Double?
  /// Causes other than iron that may change the field, in the order in which the stream was asked for them.
  public var causes: [SoughtCause] = []
  /// The predicted heading error in degrees that a guided sweep aims at.
  public var target = 1.0
  /// The standard error in degrees of a laser's axis that a guided calibration aims at: a quarter of the target, which
  /// makes headings worse by a thirtieth of it.
  var laserTarget: Double { target / 4 }

  /// Settings without any knowledge.
  public init() {}
}
