import Glibc
import LodestoneCore

/// A saved calibration of one device: the correction, what it was made for, and how good it is.
public struct Profile: Equatable, Sendable {
  /// The identity of the device the sweep came from, as its address or serial number says it.
  public var device: String
  /// The time at which the calibration was made, in whole seconds since 1970-01-01 UTC.
  public var created: Int
  /// Hard iron and soft iron.
  public var correction: Correction
  /// The Earth's field where the sweep was made, in µT: the length that corrected fields have.
  public var fieldStrength: Double
  /// The dip of the field where the sweep was made, in degrees, down positive; nil without gravity.
  public var inclination: Double?
  /// The accelerometer's axes as the magnetometer names them, signed axes as in `y,x,-z`. `correction` contains it.
  public var axes: String
  /// Whether the accelerometer reads gravity itself, (0, 0, −1) g face up, where specific force is meant: up is against
  /// it.
  public var accelerometerIsReversed = false
  /// Whether no place told which way up the axes are: under their negation, or a reversed accelerometer, every heading
  /// is another.
  public var signIsAssumed = false
  /// The accelerometer's zeros and gains, which come before its sign and the mounting; none where they were not found.
  public var forceCorrection = ForceCorrection.none
  /// Whether headings use the accelerometer; false where its axes have nothing to do with the field's.
  public var forceIsUsed = true
  /// The axis of the instrument's laser or sight; nil where it is not known. Corrected fields are turned by it, so that
  /// the axis nearest to it is that line.
  public var laser: LaserAxis?
  /// The gyroscope's zero, its reading at rest; nil where it was not found.
  public var gyroscopeZero: GyroscopeZero?
  /// The gain matrix for the gyroscope's readings less its zero; nil where it was not found.
  public var gyroscopeGain: GyroscopeGain?
  /// The time by which the field comes later than the rate beside it; nil where it was not found.
  public var fieldLag: FieldLag?
  /// Causes other than iron that change the field, and by how much, in the order in which a stream is asked for them:
  /// each is subtracted where the device tells its value. The correction holds in the middle of their ranges.
  public var causes: [Cause] = []
  /// The chip's mean temperature during the sweep, in degrees Celsius; nil for a device that told none.
  public var temperature: Double?
  /// Counts of the device that were taken for 1 µT, where it sends counts of unknown scale: the correction holds
  /// for that scale alone. nil for a device that says its unit.
  public var countsPerMicrotesla: Double?
  /// Counts of the accelerometer that were taken for 1 g, where the device sends counts: `forceCorrection` holds
  /// for that scale. nil for a device that says its unit.
  public var countsPerGravity: Double?
  /// Counts of the device in 1 µT by the correction, whose soft iron brings the counts to `fieldStrength`:
  /// the mean of the axes. nil for a device that says its unit.
  public var trueCountsPerMicrotesla: Double? {
    let gain = cbrt(abs(correction.softIron.determinant))
    return gain > 0 ? countsPerMicrotesla.map { $0 / gain } : nil
  }
  /// Whether the device sends counts and `fieldStrength` is a usual one, because no place told it. Directions are
  /// right, and strengths are not measured.
  public var strengthIsAssumed = false
  /// How the device turned what its sensors measured during the sweep; nil for one that is no flight controller, or did
  /// not tell.
  public var flightController: FlightController?
  /// Standard deviation of one raw sample on one axis, in µT; nil where nobody measured it.
  public var noise: Double?
  /// The parameters of the fit, in the order of the rows of `covariance`; empty for an imported profile.
  public var parameters: [Parameter]
  /// The covariance of `parameters`, row by row, symmetric and positive; empty when `parameters` is.
  public var covariance: [[Double]]
  /// How good it is.
  public var quality: CalibrationQuality

  /// Keys of the file that this version does not know. They are written back where they stood.
  var unknown = JSONValue.object([])
  /// 1, or 1.x when a later minor version wrote the file.
  var version = 1.0

  /// A profile by its parts.
  public init(
    device: String, created: Int, correction: Correction, fieldStrength: Double, inclination: Double? = nil,
    axes: String = "x,y,z", noise: Double? = nil, parameters: [Parameter] = [], covariance: [[Double]] = [],
    quality: CalibrationQuality
  ) {
    self.device = device
    self.created = created
    self.correction = correction
    self.fieldStrength = fieldStrength
    self.inclination = inclination
    self.axes = axes
    self.noise = noise
    self.parameters = parameters
    self.covariance = covariance
    self.quality = quality
  }

  /// One estimated quantity.
  public struct Parameter: Equatable, Sendable {
    /// Its name, with the unit.
    public var name: String
    /// Its estimate.
    public var value: Double

    /// A parameter.
    public init(name: String, value: Double) {
      self.name = name
      self.value = value
    }
  }
}

/// Why a profile cannot be read or written. `key` names the place in the file, as in `quality.verdict`.
public enum ProfileProblem: Error, Equatable, Sendable {
  /// A file larger than `Profile.sizeLimit`.
  case tooLarge(byteCount: Int)
  /// A text that is not JSON.
  case notJSON
  /// JSON, but `format` is not `lodestone-profile`.
  case notProfile
  /// Made by a later major version.
  case newerVersion(Int)
  /// A key that must be there is not.
  case missing(key: String)
  /// A value of another kind than the key wants.
  case wrongType(key: String, expected: String)
  /// Infinite or not a number.
  case notFinite(key: String)
  /// A number, a text or a list that no profile has.
  case outOfRange(key: String, expected: String)
  /// A profile of a flight controller that turned its compass by its board's own default, which nobody told.
  case compassTurnUnknown
  /// The form of an export takes counts, and the profile does not keep how many of them are 1 µT and 1 g.
  case noCounts
  /// The form of an export takes an accelerometer's calibration, and the profile has none.
  case noForceFit
  /// The profile's laser is along another axis than the form of an export has it.
  case laserElsewhere
  /// A number of the profile is larger than the form of an export can hold.
  case tooLargeForForm
  /// `soft_iron` cannot be inverted.
  case singularSoftIron
  /// `covariance` has not as many rows and columns as there are `parameters`.
  case covarianceNotSquare(parameterCount: Int)
  /// `covariance` differs from its transpose.
  case covarianceNotSymmetric
  /// `covariance` gives some combination of parameters a negative variance.
  case covarianceNotPositive
}
