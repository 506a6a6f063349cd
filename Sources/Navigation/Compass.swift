import Calibration
import Core

/// Samples in, readings out: corrects, mounts, finds up, picks the heading axis and reads the heading along it.
public struct Compass: Sendable {
  /// What does not change while it runs.
  public struct Settings: Sendable {
    /// Undoes hard and soft iron.
    public var correction: Correction
    /// The chip's axes to the device's, after the correction.
    public var mounting: Mounting
    /// As held; nil derives it from gravity.
    public var orientation: Orientation?
    /// Which axis is the heading once the screen is upright.
    public var pointing: Pointing
    /// The accelerometer reads gravity, (0, 0, −1) g face up, instead of specific force.
    public var accelerometerIsReversed: Bool
    /// How far headings may be off under the correction.
    public var errors: HeadingErrorModel
    /// Whether a calibration stands behind `correction`.
    public var isCalibrated: Bool
    /// A time constant in seconds for the heading; nil leaves each as it is.
    public var smoothing: Double?

    /// A bare, uncalibrated compass with its chip mounted straight.
    public init() {
      correction = .none
      mounting = .aligned
      pointing = .auto
      accelerometerIsReversed = false
      errors = .uncalibrated
      isCalibrated = false
    }
  }

  /// What was asked for.
  public let settings: Settings
  /// True minus magnetic; nil while the place is unknown. May change as the device moves.
  public var declination: Declination?
  /// One standard deviation of the declination in degrees; nil where none is known.
  public var declinationUncertainty: Double?
  private let fromDevice: Matrix3
  private var gravity = ApparentGravity()
  private var upEstimate = UpEstimate()
  private var orientation = OrientationTracker()
  private var pointing: PointingTracker
  private var smoothing: CircularSmoothing?

  /// A compass with these settings.
  public init(_ settings: Settings, declination: Declination? = nil) {
    self.settings = settings
    self.declination = declination
    fromDevice = settings.mounting.matrix.transposed
    pointing = PointingTracker(settings.pointing)
    smoothing = settings.smoothing.map { CircularSmoothing(timeConstant: $0) }
  }

  /// The reading of one sample; nil for a sample that says nothing about a heading.
  public mutating func read(_ sample: Sample) -> Reading? {
    var reading = Reading(time: sample.time)
    return read(sample, into: &reading) ? reading : nil
  }

  /// The same, written where it is wanted; false for no reading. It is part of the caller, so that a sample need not be
  /// copied for each row of a recording.
  @inlinable @inline(always)
  public mutating func read(_ sample: borrowing Sample, into reading: inout Reading) -> Bool {
    if let field = sample.field {
      read(
        field, sample.acceleration, sample.rotationRate, isSaturated: sample.flags.contains(.saturated),
        at: sample.time, into: &reading)
    } else if let own = sample.own {
      take(own, at: sample.time, into: &reading)
    } else {
      return false
    }
    return true
  }

  @usableFromInline
  mutating func read(
    _ raw: MagneticField, _ acceleration: Acceleration?, _ rate: RotationRate?, isSaturated: Bool, at time: Double,
    into reading: inout Reading
  ) {
    reading = Reading(time: time)
    let corrected = settings.correction.apply(to: raw)
    let rotation = settings.mounting.matrix
    reading.field = MagneticField(microtesla: rotation * corrected.field.microtesla)
    let up = followUp(acceleration, rate, corrected, at: time)
    let solution = HeadingSolution(field: corrected, up: up ?? fromDevice * Vector3(0, 0, 1))
    let deviceUp = up == nil ? nil : solution.map { rotation * $0.up }
    let axis = hold(up: deviceUp, into: &reading)
    let forward = fromDevice * axis.forward
    if let deviceUp {
      reading.inclination = solution?.inclination
      reading.pitch = axis.pitch(up: deviceUp)
      reading.roll = axis.roll(up: deviceUp)
    }
    reading.magneticHeading = solution?.heading(of: forward)
    let accuracy = solution.map {
      settings.errors.accuracy(of: $0, along: forward, tilt: up == nil ? Self.assumedLevel : gravity.deviation)
    }
    judge(&reading, accuracy ?? .vertical, isSaturated: isSaturated)
    finish(&reading)
  }

  /// How far up may be from where a board without an accelerometer is assumed to have it: 5° in 95 of 100 cases.
  private static let assumedLevel = Angle.radians(5 / 1.96)

  /// Up in the chip's axes, of any length, and how far it may be off; nil without an accelerometer.
  private mutating func followUp(
    _ acceleration: Acceleration?, _ rate: RotationRate?, _ corrected: CorrectedField, at time: Double
  ) -> Vector3? {
    guard let acceleration else { return nil }
    let force = settings.accelerometerIsReversed ? -acceleration.g : acceleration.g
    let up = upEstimate.add(time: time, force: force, rate: rate)
    gravity.add(
      time: time, force: force, field: corrected.field.microtesla, rate: rate, noiseShare: upEstimate.noiseShare)
    return up
  }

  /// Says how far the heading may be off, and what it is worth.
  private func judge(_ reading: inout Reading, _ accuracy: HeadingAccuracy, isSaturated: Bool) {
    reading.accuracy = isSaturated ? nil : accuracy.degrees.map { withDeclination($0) }
    if accuracy == .vertical { reading.magneticHeading = nil }
    guard settings.isCalibrated else {
      reading.quality = .uncalibrated
      return
    }
    guard let degrees = reading.accuracy else {
      reading.quality = .disturbed
      return
    }
    reading.quality = degrees <= 2 ? .good : degrees <= 6 ? .fair : .poor
  }

  /// What 95 of 100 headings are within, the true ones too: a declination is not known exactly.
  private func withDeclination(_ degrees: Double) -> Double {
    guard declination != nil, let deviation = declinationUncertainty else { return degrees }
    let share = HeadingErrorModel.quantile * deviation
    return min(180, (degrees * degrees + share * share).squareRoot())
  }

  /// Follows how the device is held and returns the axes to read along.
  private mutating func hold(up: Vector3?, into reading: inout Reading) -> HeadingAxis {
    if let up { orientation.update(up: up) }
    reading.orientation = settings.orientation ?? orientation.orientation
    let top = settings.orientation?.screenTop ?? orientation.upright.screenTop ?? Vector3(0, 1, 0)
    return pointing.axis(screenTop: top, up: up ?? Vector3(0, 0, 1))
  }

  /// A heading that the device computed itself: passed on, not made better.
  @usableFromInline
  mutating func take(_ own: OwnHeading, at time: Double, into reading: inout Reading) {
    reading = Reading(time: time, quality: .device)
    reading.magneticHeading = own.magnetic ?? own.trueNorth.flatMap { north in declination.map { north - $0 } }
    reading.trueHeading = own.trueNorth
    reading.pitch = own.pitch
    reading.roll = own.roll
    reading.rateOfTurn = own.rateOfTurn
    finish(&reading)
  }

  /// Smooths, and adds the declination.
  private mutating func finish(_ reading: inout Reading) {
    if let heading = reading.magneticHeading, let smoothed = smoothing?.add(degrees: heading.degrees, at: reading.time)
    {
      reading.magneticHeading = Heading(degrees: smoothed)
      if reading.trueHeading != nil, declination == nil { reading.trueHeading = nil }
    }
    if let magnetic = reading.magneticHeading, let declination { reading.trueHeading = magnetic + declination }
  }
}
