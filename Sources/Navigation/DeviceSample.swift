import Calibration
import LodestoneCore

/// A sample as instruments take it: corrected once, then mounted, so that everything is in the device frame (x right,
/// y top, z out of the face). What the device does not measure is nil.
public struct DeviceSample: Sendable {
  /// The time at which it was taken, in seconds since the stream began, or a recording's own time.
  public var time: Double
  /// The field without hard and soft iron.
  public var field: CorrectedField?
  /// The field along the axis of a probe that has one, in µT, as it was sent; nil for a magnetometer.
  public var alongProbe: Double?
  /// Specific force: at rest, face up, (0, 0, +1) g.
  public var acceleration: Acceleration?
  /// The specific force of an accelerometer that the calibration left out, for what needs no field beside it; nil where
  /// `acceleration` has it.
  public var forceAlone: Acceleration?
  /// Specific force in g as an accelerometer told it last in a message without a field, beside a field that has none of
  /// its own; nil where it has, and where the next one is overdue.
  public var heldForce: Vector3?
  /// Rotation rate, right-handed about each axis.
  public var rotationRate: RotationRate?
  /// The chip's temperature in degrees Celsius.
  public var temperature: Double?
  /// The error of the field in µT that comes from causes whose values are not known at the moment.
  public var openField = 0.0
  /// Values that the device computed itself, passed on as its own.
  public var own: OwnHeading?
  /// Facts that the numbers do not show.
  public var flags: Sample.Flags

  /// A sample that holds what is given.
  @inlinable
  public init(
    time: Double = 0, field: CorrectedField? = nil, acceleration: Acceleration? = nil,
    rotationRate: RotationRate? = nil, temperature: Double? = nil, own: OwnHeading? = nil, flags: Sample.Flags = []
  ) {
    self.time = time
    self.field = field
    self.acceleration = acceleration
    self.rotationRate = rotationRate
    self.temperature = temperature
    self.own = own
    self.flags = flags
  }

  /// The specific force in g that belongs to the field, of this sample or of a moment ago; nil where there is none.
  public var force: Vector3? { acceleration?.g ?? heldForce }

  /// `force`, or that of an accelerometer that the calibration left out, in g.
  var anyForce: Vector3? { force ?? forceAlone?.g }

  /// The angle of the field below the horizontal in degrees, down positive; nil without field or acceleration.
  public var inclination: Double? {
    guard let field = field?.field.microtesla, let up = force else { return nil }
    let square = field.squaredLength * up.squaredLength
    guard square > 0, square.isFinite else { return nil }
    return MeasuredAngle.sine(-field.dot(up) / square.squareRoot()).degrees
  }
}

/// The stage before every instrument: it undoes hard and soft iron and the zeros of accelerometer and gyroscope, and
/// then maps the chip's axes to the device's. No instrument corrects or mounts by itself, and a calibration survives
/// another mounting.
public struct DeviceFrame: Sendable {
  /// How the chip sits in the device.
  public let mounting: Mounting
  /// Whether the accelerometer reads gravity, (0, 0, −1) g face up, instead of specific force.
  public let accelerometerIsReversed: Bool
  /// Whether the force goes with the field; false where the accelerometer's axes have nothing to do with the field's,
  /// so that samples keep its force apart.
  public let usesForce: Bool
  /// b = R S (m − o): the correction with the mounting R behind it.
  @usableFromInline let correction: Correction
  /// R ± T: the accelerometer's gains and skews, its sign and the mounting.
  @usableFromInline let forceRotation: Matrix3
  @usableFromInline let forceZero: Vector3
  /// The gyroscope's zero, its reading at rest, in degrees per second, in the chip's axes.
  @usableFromInline let rateZero: Vector3
  /// R G: the gyroscope's gains and the mounting.
  @usableFromInline let rateRotation: Matrix3
  /// The last force, in the device frame.
  @usableFromInline var held = HeldVector()

  /// A stage of a correction and a mounting.
  public init(
    correction: Correction = .none, mounting: Mounting = .aligned, accelerometerIsReversed: Bool = false,
    force: ForceCorrection = .none, usesForce: Bool = true, rateZero: Vector3 = .zero,
    rateGain: Matrix3 = .identity
  ) {
    self.mounting = mounting
    self.accelerometerIsReversed = accelerometerIsReversed
    self.usesForce = usesForce
    forceRotation = mounting.matrix * (force.matrix * (accelerometerIsReversed ? -1 : 1))
    forceZero = force.zero
    self.rateZero = rateZero
    rateRotation = mounting.matrix * rateGain
    self.correction = correction.mounted(mounting)
  }

  /// The stage of a calibrated device, or of one without a calibration.
  public init(_ profile: Profile?, mounting: Mounting = .aligned) {
    self.init(
      correction: profile?.correction ?? .none, mounting: profile?.mounting(mounting) ?? mounting,
      accelerometerIsReversed: profile?.accelerometerIsReversed ?? false,
      force: profile?.forceCorrection ?? .none, usesForce: profile?.forceIsUsed ?? true,
      rateZero: profile?.gyroscopeZero?.rate ?? .zero, rateGain: profile?.gyroscopeGain?.matrix ?? .identity)
  }

  /// The corrected field in the device frame.
  @inlinable
  public func field(of raw: MagneticField) -> CorrectedField { correction.apply(to: raw) }

  /// Writes a raw sample in the device frame where it is wanted. The stage and the sample are only read: what is handed
  /// over like this is not copied for each row of a recording.
  @inlinable @inline(__always)
  public mutating func read(_ sample: inout Sample, into device: inout DeviceSample) {
    device.time = sample.time
    device.field = sample.field.map { correction.apply(to: $0) }
    device.alongProbe = sample.alongProbe
    device.acceleration = sample.acceleration.map { Acceleration(g: forceRotation * ($0.g - forceZero)) }
    if !usesForce { (device.acceleration, device.forceAlone) = (nil, device.acceleration) }
    device.heldForce = nil
    if let force = device.acceleration?.g { held.take(force, at: device.time) } else if held.isHeld { hold(&device) }
    device.rotationRate = sample.rotationRate.map {
      RotationRate(degreesPerSecond: rateRotation * ($0.degreesPerSecond - rateZero))
    }
    device.temperature = sample.temperature
    device.own = sample.own
    device.flags = sample.flags
  }

  /// Puts the last force beside a field that has none of its own. Apart, because most have; it changes nothing of the
  /// frame, but a function that may change a large value is not given a copy of it.
  @usableFromInline @inline(never)
  mutating func hold(_ device: inout DeviceSample) {
    if device.field != nil { device.heldForce = held.value(at: device.time) }
  }

  /// A raw sample in the device frame.
  public func read(_ sample: Sample) -> DeviceSample {
    var (frame, sample, device) = (self, sample, DeviceSample())
    frame.read(&sample, into: &device)
    return device
  }
}

extension Correction {
  /// The correction with a mounting behind it: its fields are in the device frame.
  public func mounted(_ mounting: Mounting) -> Correction {
    mounting == .aligned ? self : Correction(hardIron: hardIron, softIron: mounting.matrix * softIron)
  }
}
