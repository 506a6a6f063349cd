import Calibration
import LodestoneCore
import Glibc

/// Gravity and what acts beside it, and what a hand does with the board: movements, shakes, another orientation.
public struct Motion: Instrument {
  /// What it reads.
  public static let needs: DeviceParts = .acceleration
  /// Forces and what happens.
  public typealias Reading = MotionReading

  /// What its user may choose.
  public struct Settings: InstrumentSettings {
    /// Seconds over which gravity is averaged without a gyroscope. Small: movements come into it; large: it is late.
    public var gravityTime = 0.95
    /// Seconds from one jolt to the next at least.
    public var interval = 1.0

    /// As hands are.
    public init() {}
  }

  private let settings: Settings
  private var tracker: AttitudeTracker
  private var fault = FaultNotice()
  private var up: Vector3?
  private var first: Double?
  private var last = 0.0
  private var movement = MovementRecognizer()
  private var shake = ShakeRecognizer()
  private var jolt: JoltRecognizer
  private var orientation = OrientationTracker()
  private var events = EventQueue()

  /// Seconds in which gravity is being found and nothing is said.
  private static let silence = 1.0

  /// An instrument.
  public init(_ settings: Settings = Settings(), profile: Profile? = nil, mounting: Mounting = .aligned) {
    self.settings = settings
    tracker = AttitudeTracker(profile: profile, mounting: mounting)
    jolt = JoltRecognizer(interval: settings.interval)
  }

  /// A gyroscope that cannot be used, told once.
  public mutating func nextNotice() -> InstrumentNotice? { fault.next(tracker.fault) }

  /// Forces and events of a sample; false without an accelerometer, and in the first second.
  public mutating func read(_ sample: borrowing DeviceSample, into reading: inout MotionReading) -> Bool {
    tracker.add(sample)
    guard let force = sample.acceleration?.g, force.isFinite else { return false }
    let time = sample.time
    let up = followUp(force, at: time)
    let begin = first ?? time
    first = begin
    let before = orientation.orientation
    if let direction = up.direction { orientation.update(up: direction, at: time) }
    guard time - begin >= Self.silence else { return false }
    let push = force - up
    recognize(push, force, at: time)
    if orientation.orientation != before, before != .unknown {
      events.add(MotionReading.Event(kind: .orientation))
    }
    reading = MotionReading(time: time)
    reading.gravity = -up
    reading.userAcceleration = -push
    reading.orientation = orientation.orientation
    reading.event = events.next()
    return true
  }

  private mutating func recognize(_ push: Vector3, _ force: Vector3, at time: Double) {
    if let found = shake.add(push, at: time) {
      movement.cancel()
      events.add(found)
    }
    if let found = movement.add(push, at: time), !shake.isUnderWay { events.add(found) }
    if let found = jolt.add(force, at: time) { events.add(found) }
  }

  /// Up in g: from the attitude where a gyroscope carries it, else by low-pass.
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
  private var waiting: (MotionReading.Event?, MotionReading.Event?, MotionReading.Event?)

  mutating func add(_ event: MotionReading.Event) {
    if waiting.0 == nil { waiting.0 = event } else if waiting.1 == nil { waiting.1 = event } else { waiting.2 = event }
  }

  mutating func next() -> MotionReading.Event? {
    let event = waiting.0
    waiting = (waiting.1, waiting.2, nil)
    return event
  }
}
