import Calibration
import LodestoneCore
import Glibc

/// Gravity and what acts beside it, and what happens to the board: movements, shakes, jolts, free fall, another
/// orientation, steps.
public struct Motion: Instrument {
  /// The parts that it reads.
  public static let needs: DeviceParts = [.acceleration, .forceAlone]

  /// A movement, a jolt or a shake passes.
  public static func isEvent(_ reading: borrowing MotionReading) -> Bool { reading.event != nil }
  /// Forces and what happens.
  public typealias Reading = MotionReading

  /// Settings that the user may choose.
  public struct Settings: InstrumentSettings {
    /// Seconds over which gravity is averaged without a gyroscope. Small: movements come into it; large: it is late.
    public var gravityTime = 0.95
    /// Seconds from one jolt to the next at least.
    public var interval = 1.0
    /// The force in g that an axis exceeds in a movement. Small: trembling is one; large: gentle pushes are none.
    public var movementThreshold = 0.3
    /// The force in g that the strongest swing of a shake exceeds; the others exceed 0.6 of it.
    public var shakeThreshold = 1.25
    /// Axes along which movements and shakes are looked for.
    public var axes = MotionAxes.all

    /// Settings for boards in hands.
    public init() {}
  }

  private let settings: Settings
  private let mounting: Mounting
  private var tracker: AttitudeTracker
  private var fault = FaultNotice()
  private var up: Vector3?
  private var first: Double?
  private var last = 0.0
  private var movement: MovementRecognizer
  private var shake: ShakeRecognizer
  private var jolt: JoltRecognizer
  private var fall = FallRecognizer()
  private var steps = StepRecognizer()
  private var orientation = OrientationTracker()
  private var events = EventQueue()
  /// The time until which gestures are not told.
  private var quietUntil = 0.0
  /// Whether a gyroscope carries the frame of the forces.
  private var isCarried = false

  /// Seconds in which gravity is being found and nothing is said; and after a change of orientation no gesture is.
  private static let silence = 1.0

  /// An instrument.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    self.mounting = mounting
    tracker = AttitudeTracker(profile: profile, mounting: mounting)
    movement = MovementRecognizer(
      threshold: settings.movementThreshold, axes: settings.axes, gravityTime: settings.gravityTime)
    shake = ShakeRecognizer(threshold: settings.shakeThreshold, axes: settings.axes)
    jolt = JoltRecognizer(interval: settings.interval)
  }

  /// Goes on under a calibration with another hard iron.
  public mutating func follow(_ profile: Profile) { tracker.follow(profile, mounting: mounting) }

  /// A gyroscope that cannot be used, told once.
  public mutating func nextNotice() -> InstrumentNotice? { fault.next(tracker) }

  /// Forces and events of a sample; false without an accelerometer, and in the first second.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout MotionReading) -> Bool {
    // The gyroscope is read beside field and force that belong together.
    if sample.forceAlone == nil { tracker.add(sample) }
    guard !tracker.isOld, let force = sample.anyForce, force.isFinite else { return false }
    let time = sample.time
    if first != nil, Fusion.isSetBack(time - last) { beginAgain() }
    let up = followUp(force, at: time)
    let begin = first ?? time
    if first == nil { quietUntil = time + Self.silence }
    first = begin
    let before = orientation.orientation
    if let direction = up.direction { orientation.update(up: direction, at: time) }
    if orientation.orientation != before, before != .unknown {
      quietUntil = max(quietUntil, time + Self.silence)
      events.add(MotionReading.Event(kind: .orientation))
    }
    let push = force - up
    recognize(push, force, at: time)
    guard time - begin >= Self.silence else {
      events = EventQueue()
      return false
    }
    reading = MotionReading(time: time)
    reading.gravity = -up
    reading.userAcceleration = -push
    reading.orientation = orientation.orientation
    reading.event = events.next()
    reading.steps = steps.count
    reading.cadence = steps.cadence(at: time)
    return true
  }

  /// Begins again with a clock that has: times of the one before are in its future. Steps stay counted.
  private mutating func beginAgain() {
    var anew = Motion(settings, mounting: mounting)
    (anew.tracker, anew.fault, anew.steps) = (tracker, fault, StepRecognizer(count: steps.count))
    self = anew
  }

  private mutating func recognize(_ push: Vector3, _ force: Vector3, at time: Double) {
    if let found = fall.add(force, at: time) { events.add(found) }
    if steps.add(force, at: time) > 0 { events.add(MotionReading.Event(kind: .step)) }
    let isQuiet = time < quietUntil
    if let found = shake.add(push, at: time), !isQuiet { events.add(found) }
    if shake.isFasterThanSteps { steps.cancel() }
    if let found = jolt.add(force, at: time), !isQuiet { events.add(found) }
    let attitude = tracker.estimate?.attitude
    if isCarried != (attitude != nil) { movement.restart() }
    isCarried = attitude != nil
    let frame = attitude ?? .identity
    if isQuiet || shake.isUnderWay || fall.isLong { movement.cancel() }
    if let found = movement.add(frame * force, frame, at: time), !isQuiet { events.add(found) }
  }

  /// Follows up in g: the attitude where a gyroscope carries it, else the force through a low-pass.
  private mutating func followUp(_ force: Vector3, at time: Double) -> Vector3 {
    let step = time - last
    last = time
    if let estimate = tracker.estimate {
      let now = estimate.attitude.conjugate * Vector3(0, 0, 1)
      up = now
      return now
    }
    guard let before = up, step >= 0, step < 1 else {
      up = force
      return force
    }
    let now = before + (force - before) * (1 - exp(-step / settings.gravityTime))
    up = now
    return now
  }
}

/// Events that wait for their line: each line tells one.
private struct EventQueue: Sendable {
  private static let most = 8
  private var waiting: [MotionReading.Event] = []

  mutating func add(_ event: MotionReading.Event) {
    if waiting.count < Self.most { waiting.append(event) }
  }

  mutating func next() -> MotionReading.Event? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
