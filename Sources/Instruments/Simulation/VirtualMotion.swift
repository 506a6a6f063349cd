import LodestoneCore
import Glibc

/// How the virtual breakout moves: attitude and the acceleration of the hand as functions of time alone, so that rates
/// and accelerations are their exact differences.
struct VirtualMotion: Sendable {
  typealias Kind = VirtualBreakout.Settings.Motion

  /// The kind of motion.
  var kind: Kind
  /// The first heading, the pitch and the roll in degrees where the motion leaves them free.
  var heading: Double
  var pitch: Double
  var roll: Double
  /// Rate of a spin, clockwise positive, in degrees per second.
  var turnRate: Double
  /// Attitudes held after the sweep; 0 sweeps on and on.
  var rests: Int
  /// Whether the person turns about while sweeping, or stands facing one way.
  var turnsAbout: Bool
  /// Amplitude in degrees by which a spin is not level.
  var wobble: Double
  /// How far a wiggle turns to either side, in degrees.
  var swing: Double
  /// Root mean square of what a walker's steps push, in g.
  var push: Double
  private var phases: [Double] = []
  private var jitters: [Vector3] = []

  init(_ settings: VirtualBreakout.Settings, random: inout RandomNumbers) {
    kind = settings.motion
    heading = settings.heading
    pitch = settings.pitch
    roll = settings.roll
    turnRate = settings.turnRate
    rests = settings.motion == .hand ? 0 : settings.rests
    turnsAbout = settings.turnsAbout
    wobble = settings.wobble
    push = settings.push
    swing = settings.swing
    for _ in 0..<8 { phases.append(2 * .pi * random.uniform()) }
    for _ in 0..<max(rests, 1) {
      jitters.append(Vector3(random.normal() * 10, random.normal() * 4, random.normal() * 4))
    }
  }

  /// Device frame to east, north (magnetic) and up.
  func attitude(at time: Double) -> Quaternion {
    switch kind {
    case .still, .shake:
      tremor(Quaternion(heading: heading, pitch: pitch, roll: roll), at: time, share: kind == .shake ? 1 : 0)
    case .drive: driving(at: time)
    case .sail: sailing(at: time)
    case .tilt: tilting(at: time)
    case .spin: spinning(at: time)
    case .wiggle: wiggling(at: time)
    case .walk: walking(at: time)
    case .figureEight, .hand: handled(at: time)
    }
  }

  /// Acceleration of the body that carries the device, along east, north and up, in g.
  func bodyAcceleration(at time: Double) -> Vector3 {
    switch kind {
    case .walk: stepping(at: time)
    case .drive: Vehicle.acceleration(at: time, course: Angle.radians(heading + Vehicle.turn(at: time)))
    default: .zero
    }
  }

  /// Forth and back and up and down, 8 parts to 15: together 0.12 g, from which `push` scales it.
  private func stepping(at time: Double) -> Vector3 {
    let step = 2 * Double.pi * Self.stepsPerSecond * time
    let course = Angle.radians(walkingHeading(at: time))
    let forward = 0.08 * sin(step + 1)
    return Vector3(forward * sin(course), forward * cos(course), 0.15 * sin(step)) * (push / 0.12)
  }

  private static let stepsPerSecond = 1.9

  private func wave(_ time: Double, period: Double, phase: Int) -> Double {
    sin(2 * .pi * time / period + phases[phase])
  }

  private func spinning(at time: Double) -> Quaternion {
    Quaternion(
      heading: heading + turnRate * time, pitch: pitch + wobble * wave(time, period: 3.7, phase: 0),
      roll: roll + wobble * wave(time, period: 5.3, phase: 1))
  }

  private func wiggling(at time: Double) -> Quaternion {
    Quaternion(
      heading: heading + swing * wave(time, period: 2.3, phase: 0),
      pitch: pitch + swing * wave(time, period: 1.7, phase: 1),
      roll: roll + swing * wave(time, period: 2.9, phase: 2))
  }

  private func walkingHeading(at time: Double) -> Double {
    heading + 3 * time + 70 * wave(time, period: 37, phase: 0) + 20 * wave(time, period: 11.3, phase: 1)
  }

  private func walking(at time: Double) -> Quaternion {
    let step = 2 * Double.pi * Self.stepsPerSecond * time
    return Quaternion(
      heading: walkingHeading(at: time) + 2 * sin(step / 2), pitch: pitch + 3 * sin(step),
      roll: roll + 3 * sin(step / 2 + 1))
  }

  // MARK: Vehicles, and a board on a table

  private func driving(at time: Double) -> Quaternion {
    Quaternion(
      heading: heading + Vehicle.turn(at: time), pitch: pitch + 0.5 * wave(time, period: 2.3, phase: 0),
      roll: roll + 0.5 * wave(time, period: 1.7, phase: 1))
  }

  /// A boat in a swell: she rolls, pitches and yaws.
  private func sailing(at time: Double) -> Quaternion {
    Quaternion(
      heading: heading + 8 * wave(time, period: 17, phase: 0), pitch: pitch + 4 * wave(time, period: 5.1, phase: 1),
      roll: roll + 12 * wave(time, period: 6.7, phase: 2))
  }

  /// Tilted to all sides in turn, as far as an edge.
  private func tilting(at time: Double) -> Quaternion {
    Quaternion(
      heading: heading, pitch: pitch + 80 * wave(time, period: 13, phase: 0),
      roll: roll + 80 * wave(time, period: 9.7, phase: 1))
  }

  // MARK: A hand's sweep, then rests

  /// Seconds of sweeping before the rests.
  private static let sweepSeconds = 40.0
  private static let moveSeconds = 1.0
  private static let holdSeconds = 1.6

  /// Heading, pitch and roll of what is held still: two level, the others tilted by 30° to 45° all round.
  private static let poses = [
    Vector3(0, 0, 0), Vector3(75, 35, 0), Vector3(150, -35, 0), Vector3(200, 0, 40), Vector3(285, 0, -40),
    Vector3(330, 30, 30), Vector3(50, -30, -30), Vector3(115, 0, 0), Vector3(245, 40, -20), Vector3(20, -20, 40),
    Vector3(170, 20, 20), Vector3(300, -40, 10),
  ]

  private func handled(at time: Double) -> Quaternion {
    guard rests > 0 else { return sweeping(at: time) }
    let cycle = Self.sweepSeconds + Double(rests) * (Self.moveSeconds + Self.holdSeconds) + Self.moveSeconds
    let inCycle = fmod(time, cycle)
    let afterSweep = inCycle - Self.sweepSeconds
    guard afterSweep > 0 else { return sweeping(at: inCycle) }
    let slot = afterSweep / (Self.moveSeconds + Self.holdSeconds)
    let index = Int(slot)
    let moved = min(1, (slot - Double(index)) * (Self.moveSeconds + Self.holdSeconds) / Self.moveSeconds)
    let from = index == 0 ? sweeping(at: Self.sweepSeconds) : pose(index - 1)
    let to = index < rests ? pose(index) : sweeping(at: 0)
    return tremor(from.turned(towards: to, by: moved * moved * (3 - 2 * moved)), at: inCycle, share: 1)
  }

  private func pose(_ index: Int) -> Quaternion {
    let pose = Self.poses[index % Self.poses.count]
    let jitter = jitters[index % jitters.count]
    let facing = turnsAbout ? pose.x : Angle.shortestTurn(from: 0, to: pose.x) / 2
    return Quaternion(heading: heading + facing + jitter.x, pitch: pose.y + jitter.y, roll: pose.z + jitter.z)
  }

  private func sweeping(at time: Double) -> Quaternion {
    let about = turnsAbout ? 360 * time / 20 : 0
    return Quaternion(
      heading: heading + about + 45 * wave(time, period: 1.6, phase: 0),
      pitch: 75 * wave(time, period: 2.2, phase: 1), roll: 165 * wave(time, period: 3.9, phase: 2))
  }

  /// A hand that holds still moves by a fifth of a degree.
  private func tremor(_ attitude: Quaternion, at time: Double, share: Double) -> Quaternion {
    guard share > 0 else { return attitude }
    let x = Angle.radians(share * 0.15 * wave(time, period: 0.71, phase: 3))
    let y = Angle.radians(share * 0.15 * wave(time, period: 0.93, phase: 4))
    return attitude * Quaternion(angle: x, about: Vector3(1, 0, 0))
      * Quaternion(angle: y, about: Vector3(0, 1, 0))
  }
}
