import LodestoneCore

/// What a calibration is told beforehand. Everything has a default that suits a board in the hand.
public struct CalibrationSettings: Sendable {
  /// The Earth's field where the sweep was made.
  public struct Place: Sendable, Equatable {
    /// In µT.
    public var fieldStrength: Double
    /// In degrees, down positive.
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
  /// Whether to look for the signed permutation between the two chips' axes.
  public var findsAxes = true
  /// False for raw counts: the sweep is first scaled so that its sphere has the strength of the Earth's field, and the
  /// soft iron holds that scale.
  public var unitIsKnown = true
  /// How many of the device's counts were taken for 1 µT, where it sends counts of unknown scale: the profile keeps it.
  public var countsPerMicrotesla: Double?
  /// The predicted heading error in degrees that a guided sweep aims at.
  public var target = 1.0

  /// Nothing known.
  public init() {}
}
