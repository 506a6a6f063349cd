import Core
import Glibc

/// A magnetometer breakout that exists in arithmetic only: samples, and beside each the truth behind it. It applies the
/// inverse of a correction to the Earth's field, so that fitting its samples must give that correction back. The same
/// settings give the same samples; they never end.
public struct VirtualBreakout: Sendable {
  /// What no sensor knows about a sample.
  public struct Truth: Sendable {
    /// Seconds since the start.
    public var time: Double
    /// Of the top edge.
    public var heading: Heading<MagneticNorth>
    /// Of the top edge, against true north.
    public var trueHeading: Heading<TrueNorth>
    /// The top edge above the horizontal, in degrees.
    public var pitch: Double
    /// About the top edge, the right edge down positive, in degrees.
    public var roll: Double
    /// The Earth's field in the device frame, without disturbance, noise or any fault of the sensor.
    public var field: MagneticField
    /// Device frame to magnetic east, magnetic north, up.
    public var attitude: Matrix3
    /// Something other than the Earth adds to the field, or the sample is wild.
    public var isDisturbed: Bool
  }

  /// How the run is made.
  public let settings: Settings
  /// What is wrong with the board.
  public let sensor: VirtualSensor
  private let motion: VirtualMotion
  private let earth: Vector3
  private let declination: Declination
  private var random: RandomNumbers
  private var index = 0

  /// A run from its first sample on.
  public init(_ settings: Settings) {
    self.settings = settings
    sensor = VirtualSensor(settings: settings)
    random = RandomNumbers(seed: settings.seed)
    motion = VirtualMotion(
      kind: settings.motion.kind, heading: settings.heading, pitch: settings.pitch, roll: settings.roll,
      turnRate: settings.turnRate, rests: settings.rests, turnsAbout: settings.turnsAbout, wobble: settings.wobble,
      random: &random)
    let dip = Angle.radians(settings.inclination)
    earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    declination = Declination(degrees: settings.declination)
  }

  /// The next sample and its truth.
  public mutating func next() -> (sample: Sample, truth: Truth) {
    let time = Double(index) / settings.rate
    index &+= 1
    let attitude = motion.attitude(at: time)
    let toDevice = attitude.matrix.transposed
    let earthField = toDevice * earth
    let added = disturbance(at: time)
    var (field, flags) = measured(earthField + added)
    let isWild = settings.wildFraction > 0 && random.uniform() < settings.wildFraction
    if isWild { field += scatter(settings.wildSize) }
    var sample = Sample(time: time, field: MagneticField(microtesla: field), flags: flags)
    if settings.hasAccelerometer {
      sample.acceleration = Acceleration(g: specificForce(at: time, toDevice: toDevice))
    }
    if settings.hasGyroscope { sample.rotationRate = rate(at: time, attitude: attitude) }
    let isDisturbed = isWild || added != .zero
    return (sample, truth(time: time, attitude: attitude.matrix, field: earthField, isDisturbed: isDisturbed))
  }

  // MARK: What the sensors see

  /// What is added to the Earth's field, in the device frame, in µT.
  private func disturbance(at time: Double) -> Vector3 {
    var added = Vector3.zero
    for disturbance in settings.disturbances where time >= disturbance.from && time < disturbance.to {
      added += disturbance.field
    }
    if let magnet = settings.magnet { added += magnet.field(at: time) }
    return added
  }

  private mutating func measured(_ field: Vector3) -> (Vector3, Sample.Flags) {
    var raw = sensor.distortion * field + sensor.hardIron + scatter(settings.noise)
    var flags: Sample.Flags = []
    for axis in 0..<3 where abs(raw[axis]) >= settings.range {
      raw[axis] = raw[axis] < 0 ? -settings.range : settings.range
      flags.insert(.saturated)
    }
    return (raw, flags)
  }

  private mutating func specificForce(at time: Double, toDevice: Matrix3) -> Vector3 {
    var inertial = motion.bodyAcceleration(at: time)
    if settings.leverArm != 0 {
      let step = 0.004
      let before = elbow(at: time - step)
      let after = elbow(at: time + step)
      inertial += (before + after - elbow(at: time) * 2) / (step * step * Acceleration.standardGravity)
    }
    let force =
      toDevice * (inertial + Vector3(0, 0, 1)) + sensor.accelerometerOffset + scatter(settings.accelerometerNoise)
    return settings.accelerometerIsReversed ? -force : force
  }

  /// The device as seen from the elbow, along east, north and up, in metres.
  private func elbow(at time: Double) -> Vector3 {
    motion.attitude(at: time).matrix * Vector3(0, settings.leverArm, 0)
  }

  private mutating func rate(at time: Double, attitude: UnitQuaternion) -> RotationRate {
    let step = 0.002
    let turn = motion.attitude(at: time - step).conjugate * motion.attitude(at: time + step)
    let degrees = turn.rotationVector * (180 / .pi / (2 * step))
    return RotationRate(degreesPerSecond: degrees + scatter(settings.gyroscopeNoise))
  }

  private mutating func scatter(_ deviation: Double) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal()) * deviation
  }

  private func truth(time: Double, attitude: Matrix3, field: Vector3, isDisturbed: Bool) -> Truth {
    let top = attitude * Vector3(0, 1, 0)
    let up = attitude.row2
    let heading = Heading<MagneticNorth>(degrees: Angle.degrees(atan2(top.x, top.y)))
    return Truth(
      time: time, heading: heading, trueHeading: heading + declination,
      pitch: Angle.degrees(asin(max(-1, min(1, top.z)))), roll: Angle.degrees(atan2(-up.x, up.z)),
      field: MagneticField(microtesla: field), attitude: attitude, isDisturbed: isDisturbed)
  }
}
