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
    guard let raw = sample.field else { return readOwn(sample) }
    let corrected = settings.correction.apply(to: raw)
    let field = settings.mounting.matrix * corrected.field.microtesla
    let force = specificForce(of: sample)
    let steadied = force.map { upEstimate.add(time: sample.time, force: $0, rate: sample.rotationRate) }
    let up = steadied.flatMap { (settings.mounting.matrix * $0).direction }
    var reading = Reading(time: sample.time)
    reading.field = MagneticField(microtesla: field)
    let axis = hold(up: up, into: &reading)
    let vertical = up ?? Vector3(0, 0, 1)
    if let up {
      reading.inclination = HeadingSolution.inclination(field: field, up: up)
      reading.pitch = axis.pitch(up: up)
      reading.roll = axis.roll(up: up)
    }
    reading.magneticHeading = HeadingSolution.heading(of: axis.forward, field: field, up: vertical)
    follow(force, corrected, sample)
    judge(&reading, corrected, sample, steadied, axis)
    finish(&reading)
    return reading
  }

  /// In g, in the chip's axes; nil without an accelerometer.
  private func specificForce(of sample: Sample) -> Vector3? {
    sample.acceleration.map { settings.accelerometerIsReversed ? -$0.g : $0.g }
  }

  /// How far up may be from where a board without an accelerometer is assumed to have it: 5° in 95 of 100 cases.
  private static let assumedLevel = Angle.radians(5 / 1.96)

  /// Follows how far apparent gravity may be from up.
  private mutating func follow(_ force: Vector3?, _ corrected: CorrectedField, _ sample: Sample) {
    guard let force else { return }
    gravity.add(
      time: sample.time, force: force, field: corrected.field.microtesla, rate: sample.rotationRate,
      noiseShare: upEstimate.noiseShare)
  }

  /// Says how far the heading may be off, and what it is worth.
  private func judge(
    _ reading: inout Reading, _ corrected: CorrectedField, _ sample: Sample, _ up: Vector3?, _ axis: HeadingAxis
  ) {
    let force = up ?? fromDevice * Vector3(0, 0, 1)
    let tilt = up == nil ? Self.assumedLevel : gravity.deviation
    let accuracy = settings.errors.accuracy(
      field: corrected, force: force, axis: fromDevice * axis.forward, tilt: tilt)
    reading.accuracy = accuracy.degrees
    if accuracy == .vertical { reading.magneticHeading = nil }
    if sample.flags.contains(.saturated) { reading.accuracy = nil }
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

  /// Follows how the device is held and returns the axes to read along.
  private mutating func hold(up: Vector3?, into reading: inout Reading) -> HeadingAxis {
    if let up { orientation.update(up: up) }
    reading.orientation = settings.orientation ?? orientation.orientation
    let top = settings.orientation?.screenTop ?? orientation.upright.screenTop ?? Vector3(0, 1, 0)
    return pointing.axis(screenTop: top, up: up ?? Vector3(0, 0, 1))
  }

  /// A heading that the device computed itself: passed on, not made better.
  private mutating func readOwn(_ sample: Sample) -> Reading? {
    guard let own = sample.own else { return nil }
    var reading = Reading(time: sample.time, quality: .device)
    reading.magneticHeading = own.magnetic ?? own.trueNorth.flatMap { north in declination.map { north - $0 } }
    reading.trueHeading = own.trueNorth
    reading.pitch = own.pitch
    reading.roll = own.roll
    reading.rateOfTurn = own.rateOfTurn
    finish(&reading)
    return reading
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
