import Calibration
import LodestoneCore
import Glibc

/// A magnetometer breakout that exists in arithmetic only: samples, and beside each the truth behind it. It applies the
/// inverse of a correction to the Earth's field, so that fitting its samples must give that correction back. The same
/// settings give the same samples; they never end.
public struct VirtualBreakout: Sendable {
  /// The truth about a sample, which no sensor knows.
  public struct Truth: Sendable {
    /// Seconds since the start.
    public var time: Double
    /// Magnetic heading of the top edge.
    public var heading: Heading<MagneticNorth>
    /// True heading of the top edge.
    public var trueHeading: Heading<TrueNorth>
    /// The top edge above the horizontal, in degrees.
    public var pitch: Double
    /// The roll about the top edge in degrees, the right edge down positive.
    public var roll: Double
    /// The Earth's field in the device frame, without disturbance, noise or any fault of the sensor.
    public var field: MagneticField
    /// Device frame to magnetic east, magnetic north, up.
    public var attitude: Matrix3
    /// How the device turns, without bias, noise or any fault of the gyroscope: the mean since the sample before.
    public var rotationRate: RotationRate
    /// How it is pushed, in g, in the device frame: what an accelerometer reads at rest is not in it.
    public var userAcceleration: Vector3
    /// The gesture that is being made with the board; nil most of the time.
    public var gesture: VirtualGesture.Kind?
    /// Something other than the Earth adds to the field, or the sample is wild.
    public var isDisturbed: Bool
  }

  /// How the run is made.
  public let settings: Settings
  /// The errors of the board.
  public let sensor: VirtualSensor
  private let motion: VirtualMotion
  private let gestures: VirtualGesture.Schedule
  private var hand: VirtualHand?
  private let earth: Vector3
  private let declination: Declination
  private var random: RandomNumbers
  private var index = 0
  /// The place in a sample of the motor's current; nil where nobody asks for it.
  public var currentPlace: Int?

  /// A run from its first sample on.
  public init(_ settings: Settings) {
    self.settings = settings
    sensor = VirtualSensor(settings: settings)
    random = RandomNumbers(seed: settings.seed)
    motion = VirtualMotion(settings, random: &random)
    gestures = VirtualGesture.Schedule(settings)
    if settings.motion == .hand {
      hand = VirtualHand(
        start: Quaternion(heading: settings.heading, pitch: settings.pitch, roll: settings.roll),
        facing: settings.heading, sway: settings.sway, miss: settings.miss, tremor: settings.tremor,
        laser: settings.laser, sweep: motion, seed: settings.seed)
    }
    let dip = Angle.radians(settings.inclination)
    earth = Vector3(0, cos(dip), -sin(dip)) * settings.fieldStrength
    declination = Declination(degrees: settings.declination)
  }

  /// Follows a request from now on, where a hand moves it.
  public mutating func follow(_ request: HandRequest) {
    hand?.follow(request, from: Double(index) / settings.rate)
  }

  /// The next sample and its truth.
  public mutating func next() -> (sample: Sample, truth: Truth) {
    let time = Double(index) / settings.rate
    index &+= 1
    let attitude = attitude(at: time)
    let toDevice = attitude.matrix.transposed
    let earthField = toDevice * earth
    let added = disturbance(at: time)
    var (field, flags) = measured(earthField + added, at: time)
    let isWild = settings.wildFraction > 0 && random.uniform() < settings.wildFraction
    if isWild { field += scatter(settings.wildSize) }
    var sample = Sample(time: time, field: MagneticField(microtesla: field), flags: flags)
    sample.temperature = settings.temperature
    tellCurrent(in: &sample)
    let user = toDevice * inertialAcceleration(at: time) + gestures.acceleration(at: time)
    if settings.hasAccelerometer {
      sample.acceleration = Acceleration(g: measured(force: user + toDevice * Vector3(0, 0, 1)))
    }
    let turning = rate(at: time, attitude: attitude)
    if settings.hasGyroscope { tell(turning, in: &sample) }
    var truth = truth(time: time, attitude: attitude.matrix, field: earthField, turning: turning, user: user)
    truth.isDisturbed = isWild || added != .zero
    return (sample, truth)
  }

  // MARK: What the sensors see

  /// The field added to the Earth's, in the device frame, in µT.
  private func disturbance(at time: Double) -> Vector3 {
    var added = Vector3.zero
    for disturbance in settings.disturbances where time >= disturbance.from && time < disturbance.to {
      added += disturbance.field
    }
    if let magnet = settings.magnet { added += magnet.field(at: time) }
    return added
  }

  private mutating func measured(_ field: Vector3, at time: Double) -> (Vector3, Sample.Flags) {
    var raw = sensor.distortion * field + sensor.hardIron + scatter(settings.noise)
    if let share = settings.currentField { raw += share * Self.current(at: time) }
    var flags: Sample.Flags = []
    for axis in 0..<3 where abs(raw[axis]) >= settings.range {
      raw[axis] = raw[axis] < 0 ? -settings.range : settings.range
      flags.insert(.saturated)
    }
    return (raw, flags)
  }

  /// Puts the motor's current beside a field, where there is a motor and it is asked for.
  func tellCurrent(in sample: inout Sample) {
    guard let currentPlace, settings.currentField != nil else { return }
    sample.causes[currentPlace] = Self.current(at: sample.time)
  }

  /// The current of a motor, in amperes: another step from 0 to 30 each 1.3 s, and off at every fourth.
  private static func current(at time: Double) -> Double {
    let step = (time / 1.3).rounded(.down)
    return step.remainder(dividingBy: 4) == 0 ? 0 : 30 * abs(sin(step * 2.4))
  }

  private mutating func measured(force: Vector3) -> Vector3 {
    let read = force + sensor.accelerometerOffset + scatter(settings.accelerometerNoise)
    return settings.accelerometerIsReversed ? -read : read
  }

  private mutating func tell(_ turning: RotationRate, in sample: inout Sample) {
    let read = turning.degreesPerSecond + sensor.gyroscopeBias + scatter(settings.gyroscopeNoise)
    var rate = read * settings.gyroscopeScale
    for axis in 0..<3 where abs(rate[axis]) >= settings.gyroscopeRange {
      rate[axis] = rate[axis] < 0 ? -settings.gyroscopeRange : settings.gyroscopeRange
      sample.flags.insert(.rateSaturated)
    }
    sample.rotationRate = RotationRate(degreesPerSecond: rate)
  }

  /// The device's acceleration along east, north and up, in g.
  private func inertialAcceleration(at time: Double) -> Vector3 {
    var inertial = hand?.acceleration(at: time) ?? motion.bodyAcceleration(at: time)
    if settings.vibration > 0 { inertial += Self.vibration(at: time) * settings.vibration }
    if settings.leverArm != 0 {
      let step = 0.004
      let before = elbow(at: time - step)
      let after = elbow(at: time + step)
      inertial += (before + after - elbow(at: time) * 2) / (step * step * Acceleration.standardGravity)
    }
    return inertial
  }

  /// An engine's, of length 1 (root mean square).
  private static func vibration(at time: Double) -> Vector3 {
    let turn = 2 * Double.pi * time
    return Vector3(sin(13.7 * turn), sin(17.3 * turn + 1), sin(19.1 * turn + 2)) * (2.0 / 3).squareRoot()
  }

  /// The device as seen from the elbow or the keel, along east, north and up, in metres.
  private func elbow(at time: Double) -> Vector3 {
    let arm = settings.motion == .sail ? Vector3(0, 0, settings.leverArm) : Vector3(0, settings.leverArm, 0)
    return self.attitude(at: time) * arm
  }

  private func attitude(at time: Double) -> Quaternion { hand?.attitude(at: time) ?? motion.attitude(at: time) }

  /// The mean since the sample before, as a gyroscope that filters what it sends reads it.
  private func rate(at time: Double, attitude: Quaternion) -> RotationRate {
    let turn = self.attitude(at: time - 1 / settings.rate).conjugate * attitude
    return RotationRate(radiansPerSecond: turn.rotationVector * settings.rate)
  }

  private mutating func scatter(_ deviation: Double) -> Vector3 {
    Vector3(random.normal(), random.normal(), random.normal()) * deviation
  }

  private func truth(
    time: Double, attitude: Matrix3, field: Vector3, turning: RotationRate, user: Vector3
  ) -> Truth {
    let top = attitude * Vector3(0, 1, 0)
    let up = attitude.row2
    let heading = Heading<MagneticNorth>(degrees: Angle.degrees(atan2(top.x, top.y)))
    return Truth(
      time: time, heading: heading, trueHeading: heading + declination,
      pitch: Angle.degrees(asin(max(-1, min(1, top.z)))), roll: Angle.degrees(atan2(-up.x, up.z)),
      field: MagneticField(microtesla: field), attitude: attitude, rotationRate: turning, userAcceleration: user,
      gesture: gestures.gesture(at: time), isDisturbed: false)
  }
}
