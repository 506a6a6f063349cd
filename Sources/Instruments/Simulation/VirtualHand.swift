import Calibration
import LodestoneCore
import Glibc

/// A hand that does what a guided calibration asks, no more and no less: it turns the device through all directions,
/// turns about and holds it as it is told, or turns it level. Until it is asked it turns gently.
struct VirtualHand: Sendable {
  /// How much it moves before it is asked, 0 to 1.
  private let sway: Double
  /// How far it misses what it is asked for, in degrees, about each axis.
  private let miss: Double
  /// Standard deviation of the acceleration it trembles with, along each axis, in g.
  private let tremor: Double
  /// The direction of the device's laser, in the device frame.
  private let laser: Vector3
  private let sweep: VirtualMotion
  private var random: RandomNumbers
  private var tones: [(hertz: Double, phases: Vector3)] = []
  private var request = HandRequest.none
  private var from: Quaternion
  private var to: Quaternion
  private var began = -Double.infinity
  /// The direction in which the person faces, in degrees clockwise from magnetic north.
  private var facing: Double

  /// Seconds from one attitude to the next.
  private static let moveSeconds = 1.0
  /// How much nearer to a mark it aims than it rolls.
  private static let aimShare = 0.02

  /// A hand that holds the device as it lies at the start; `sweep` is how it turns it through all directions.
  init(
    start: Quaternion, facing: Double, sway: Double, miss: Double, tremor: Double, laser: Vector3, sweep: VirtualMotion,
    seed: UInt64
  ) {
    (from, to) = (start, start)
    (self.facing, self.sway, self.miss, self.tremor, self.sweep) = (facing, sway, miss, tremor, sweep)
    self.laser = laser
    random = RandomNumbers(seed: seed)
    // A hand trembles at 8 to 12 Hz, and slower where it is tired.
    tones = [1.7, 4.3, 8.1, 9.7, 11.3].map { hertz in
      (
        hertz * (0.9 + 0.2 * random.uniform()),
        Vector3(random.uniform(), random.uniform(), random.uniform()) * (2 * .pi)
      )
    }
  }

  /// Follows a request from a time on.
  mutating func follow(_ request: HandRequest, from time: Double) {
    guard request != self.request else { return }
    let now = attitude(at: time)
    self.request = request
    (from, to, began) = (now, now, time)
    if case .aim(let shot) = request { to = aimed(shot) }
    guard case .hold(let pose) = request else { return }
    facing += pose.turnDegrees + missed()
    let sideways = Quaternion(angle: Angle.radians(missed()), about: Vector3(1, 0, 0))
    let forwards = Quaternion(angle: Angle.radians(missed()), about: Vector3(0, 1, 0))
    to =
      Quaternion(angle: -Angle.radians(facing), about: Vector3(0, 0, 1)) * sideways * forwards
      * Quaternion(from: pose.up, to: Vector3(0, 0, 1))
  }

  /// Marks are a quarter turn apart, on a level.
  private mutating func aimed(_ shot: AimedShot) -> Quaternion {
    let off = (missed() * Self.aimShare, missed() * Self.aimShare)
    let roll = Double(shot.hour) * 30 + missed()
    return Quaternion(heading: facing + 90 * Double(shot.mark) + off.0, pitch: off.1, roll: roll)
      * Quaternion(from: laser, to: Vector3(0, 1, 0))
  }

  /// Device frame to east, north (magnetic) and up.
  func attitude(at time: Double) -> Quaternion {
    let share = min(max((time - began) / Self.moveSeconds, 0), 1)
    let eased = share * share * (3 - 2 * share)
    return from.turned(towards: aim(at: time), by: eased)
  }

  /// The acceleration of the trembling along east, north and up, in g.
  func acceleration(at time: Double) -> Vector3 {
    guard tremor > 0 else { return .zero }
    var sum = Vector3.zero
    for tone in tones {
      let turn = 2 * .pi * tone.hertz * time
      sum += Vector3(sin(turn + tone.phases.x), sin(turn + tone.phases.y), sin(turn + tone.phases.z))
    }
    return sum * (tremor * (2 / Double(tones.count)).squareRoot())
  }

  private func aim(at time: Double) -> Quaternion {
    switch request {
    case .sweep: sweep.attitude(at: time)
    case .hold, .aim, .still: to
    case .circle: Quaternion(heading: facing + 24 * (time - began), pitch: 0, roll: 0)
    case .none: to * swaying(time)
    }
  }

  /// Slow enough to read the numbers that follow.
  private func swaying(_ time: Double) -> Quaternion {
    Quaternion(
      heading: sway * 50 * sin(2 * .pi * time / 24), pitch: sway * 6 * sin(2 * .pi * time / 9),
      roll: sway * 5 * sin(2 * .pi * time / 7))
  }

  private mutating func missed() -> Double { miss * (2 * random.uniform() - 1) }
}
