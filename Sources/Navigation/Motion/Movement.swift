import LodestoneCore
import Glibc

/// Recognizes a push to a side.
///
/// It begins when an axis exceeds the threshold, or twice what is going on anyway (steps, a road), and is over when the
/// board has settled, or has been below the threshold for a while. Then it is known how the board lay before and after:
/// where that is not the same it was a turn. What is left beside that way is summed up to a velocity:
/// its first swing tells the direction, whichever of start and stop was stronger; and where it has not come to rest,
/// the opposite push that follows is the stop and no other movement.
struct MovementRecognizer: Sendable {
  /// Axes of the device that count.
  private let axes: MotionAxes
  /// The threshold in g.
  private let threshold: Double
  /// Seconds over which up is averaged between pushes.
  private let gravityTime: Double

  /// Up between pushes, in g, in the frame that the gyroscope carries; kept as it is during one.
  private var up: Vector3?
  private var last = 0.0
  private var recent = RecentForces()
  private var background = MotionBackground()
  private var burst: Burst?
  /// The end of a motion that was no push, such as a walk or a ride: a burst that begins before is part of it.
  private var restlessUntil = -Double.infinity
  /// A velocity in g·s that a push has left, and until when its stop is waited for.
  private var coasting: (velocity: Vector3, until: Double)?

  /// Seconds below the threshold that end a push of a board that does not come to rest: longer than from step to step.
  private static let patience = 0.8
  /// The shortest push, in seconds: less is a heel on the ground.
  private static let shortest = 0.06
  /// The longest push, in seconds.
  private static let longest = 2.5
  /// Seconds in which the background of what was no push is learnt.
  private static let restlessness = 2.0
  /// Seconds in which a stop follows its start.
  private static let stopPatience = 1.5
  /// The largest change of gravity in a push, in g: 20°. More is a turn, or a vehicle's bend.
  private static let mostTurn = 0.35
  /// How far a push goes at least, in g·s², and how fast it is, in g·s: 4 cm, 15 cm/s. A pothole throws a car by less.
  private static let (shortestWay, slowest) = (0.004, 0.015)

  /// A recognizer for some axes.
  init(threshold: Double, axes: MotionAxes, gravityTime: Double) {
    self.threshold = threshold
    self.axes = axes
    self.gravityTime = gravityTime
  }

  /// Voids the burst under way: it belongs to something else, and is not reported.
  mutating func cancel() { burst?.isVoid = true }

  /// Forgets what was: the frame of the forces is another.
  mutating func restart() {
    self = MovementRecognizer(threshold: threshold, axes: axes, gravityTime: gravityTime)
  }

  /// Takes the specific force; a movement when one has ended.
  /// - Parameters:
  ///   - force: in g, in the frame of `attitude`.
  ///   - attitude: turns the device's axes into that frame's.
  mutating func add(_ force: Vector3, _ attitude: Quaternion, at time: Double) -> MotionReading.Event? {
    let step = time - last
    last = time
    guard let before = up, step > 0, step < 0.5 else {
      (up, burst, coasting) = (force, nil, nil)
      recent.restart()
      return nil
    }
    recent.add(force, at: time)
    let push = attitude.conjugate * (force - before)
    let strength = axes.largest(of: push)
    background.add(strength, at: time)
    let isStrong = strength > max(threshold, background.limit)
    guard burst != nil || isStrong else {
      up = before + (force - before) * min(1, step / gravityTime)
      return nil
    }
    if burst == nil {
      burst = Burst(recent, attitude, at: time)
      burst?.isVoid = time < restlessUntil
    }
    burst?.add(force, isStrong: isStrong, at: time)
    return settle(from: before, at: time)
  }

  private mutating func settle(from before: Vector3, at time: Double) -> MotionReading.Event? {
    guard let burst else { return nil }
    if time - burst.begin > Self.longest {
      up = recent.mean
      restlessUntil = time + Self.restlessness
      self.burst = nil
      return nil
    }
    let after: Vector3
    if let rest = recent.rest(), abs(rest.length - before.length) < RecentForces.restSlack,
      time - burst.begin > RecentForces.span
    {
      after = rest
    } else if time - burst.lastStrong >= Self.patience {
      after = background.level < 0.1 ? recent.mean : before
    } else {
      return nil
    }
    up = after
    self.burst = nil
    return burst.isVoid ? nil : conclude(burst, from: before, to: after)
  }

  private mutating func conclude(_ burst: Burst, from before: Vector3, to after: Vector3) -> MotionReading.Event? {
    guard (after - before).length < Self.mostTurn else { return nil }
    let way = TurnPath(from: before, to: after)
    let pushes = burst.forces.map { burst.attitude.conjugate * ($0 - way.nearest(to: $0)) }
    guard pushes.contains(where: { axes.largest(of: $0) > threshold }) else { return nil }
    let course = PushCourse(pushes, burst.times)
    let left = burst.attitude * course.velocity
    defer { coasting = course.isCoasting(axes) ? (left, burst.lastStrong + Self.stopPatience) : nil }
    if let (velocity, until) = coasting, burst.begin < until {
      if (left + velocity).length < 0.6 * velocity.length { return nil }
    }
    guard let (side, way, speed) = course.side(axes), way >= Self.shortestWay, speed >= Self.slowest else { return nil }
    let (peak, duration) = (pushes.reduce(0) { max($0, abs($1[side / 2])) }, burst.lastStrong - burst.firstStrong)
    guard peak > threshold, duration + burst.interval > Self.shortest else { return nil }
    return MotionReading.Event(kind: .movement, direction: Self.directions[side], peak: peak, duration: duration)
  }

  private static let directions: [MotionReading.Event.Direction] = [
    .right, .left, .top, .bottom, .towardsFace, .awayFromFace,
  ]
}

/// Forces from the begin of a push on, and a moment before it.
private struct Burst: Sendable {
  let begin: Double
  /// The attitude at the beginning.
  let attitude: Quaternion
  var isVoid = false
  private(set) var firstStrong: Double
  private(set) var lastStrong: Double
  private(set) var forces: [Vector3]
  private(set) var times: [Double]

  /// The most forces that are kept: from then on only every second one, and so on.
  private static let most = 512
  private var stride = 1
  private var skipped = 0

  init(_ recent: RecentForces, _ attitude: Quaternion, at time: Double) {
    (begin, firstStrong, lastStrong) = (time, time, time)
    self.attitude = attitude
    (forces, times) = recent.listed
    if times.last == time { (forces, times) = (forces.dropLast(), times.dropLast()) }
  }

  /// Seconds from one force to the next.
  var interval: Double {
    guard let first = times.first, let last = times.last, times.count > 1 else { return 0 }
    return (last - first) / Double(times.count - 1)
  }

  mutating func add(_ force: Vector3, isStrong: Bool, at time: Double) {
    if isStrong { lastStrong = time }
    skipped += 1
    guard skipped >= stride else { return }
    skipped = 0
    forces.append(force)
    times.append(time)
    guard forces.count >= Self.most else { return }
    forces = stridden(forces)
    times = stridden(times)
    stride *= 2
  }

  private func stridden<Value>(_ values: [Value]) -> [Value] {
    values.indices.filter { $0 % 2 == 1 }.map { values[$0] }
  }
}

/// The way that a force at rest takes while a board is turned from one attitude to another: a great circle.
private struct TurnPath {
  private let from, to: Vector3
  private let angle: Double
  /// The axes of the plane of both: along `from`, and across it towards `to`.
  private let along, across: Vector3

  init(from: Vector3, to: Vector3) {
    self.from = from
    self.to = to
    along = from.direction ?? Vector3(0, 0, 1)
    across = (to - along * to.dot(along)).direction ?? .zero
    angle = atan2(to.dot(across), to.dot(along))
  }

  /// The place on the way that is nearest to a force.
  func nearest(to force: Vector3) -> Vector3 {
    let here = atan2(force.dot(across), force.dot(along))
    guard angle > 1e-6, here > 0 else { return from }
    guard here < angle else { return to }
    let length = from.length + (to.length - from.length) * here / angle
    return (along * cos(here) + across * sin(here)) * length
  }
}

/// The velocity that pushes make, in g·s, in the device's axes as they were at the begin.
private struct PushCourse {
  private let velocities: [Vector3]
  private let times: [Double]

  init(_ pushes: [Vector3], _ times: [Double]) {
    var velocities = [Vector3.zero]
    for index in pushes.indices.dropFirst() {
      let mean = (pushes[index] + pushes[index - 1]) * 0.5
      velocities.append(velocities[index - 1] + mean * (times[index] - times[index - 1]))
    }
    self.velocities = velocities
    self.times = times
  }

  /// The velocity at the end.
  var velocity: Vector3 { velocities.last ?? .zero }

  /// The strongest axis, and how fast it was.
  private func strongest(_ axes: MotionAxes) -> (axis: Int, speed: Double)? {
    (0..<3).filter { axes.contains($0) }
      .map { axis in (axis, velocities.reduce(0) { max($0, abs($1[axis])) }) }
      .max { $0.1 < $1.1 }
  }

  /// Whether it goes on after the push: the stop is still to come.
  func isCoasting(_ axes: MotionAxes) -> Bool {
    guard let (axis, speed) = strongest(axes) else { return false }
    return abs(velocity[axis]) > 0.5 * speed
  }

  /// The direction, as twice the axis, and one more where it is negative; the distance in g·s², and the speed in g·s.
  func side(_ axes: MotionAxes) -> (side: Int, way: Double, speed: Double)? {
    guard let (axis, _) = strongest(axes), let first = times.first, let last = times.last, last > first else {
      return nil
    }
    // A push that has come to rest ends at rest: what is left is error.
    let drift = isCoasting(axes) ? 0 : velocity[axis] / (last - first)
    let speeds = zip(velocities, times).map { $0[axis] - drift * ($1 - first) }
    let fastest = speeds.reduce(0) { max($0, abs($1)) }
    guard let lead = speeds.firstIndex(where: { abs($0) >= 0.6 * fastest }) else { return nil }
    var (place, farthest) = (0.0, 0.0)
    for index in speeds.indices.dropFirst() {
      place += (speeds[index] + speeds[index - 1]) / 2 * (times[index] - times[index - 1])
      farthest = max(farthest, abs(place))
    }
    return (axis * 2 + (speeds[lead] < 0 ? 1 : 0), farthest, fastest)
  }
}
