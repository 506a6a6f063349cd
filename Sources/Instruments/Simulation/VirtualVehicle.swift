import Glibc
import LodestoneCore

/// How a car accelerates and turns: a round of 60 s in which it brakes for 5 s and turns for 5 s, each with 0.3 g.
enum Vehicle {
  private static let round = 60.0
  /// The acceleration in g while it brakes and while it turns.
  private static let strong = 0.3
  /// The speed in metres per second while it turns.
  private static let speed = 12.0
  /// Seconds in which an acceleration sets in.
  private static let onset = 0.5

  /// Its acceleration along east, north and up in g, for a course in radians.
  static func acceleration(at time: Double, course: Double) -> Vector3 {
    let now = fmod(time, round)
    let forward = strong * (plateau(now, from: 40, to: 55) / 3 - plateau(now, from: 15, to: 20))
    let right = strong * plateau(now, from: 30, to: 35)
    return Vector3(
      forward * sin(course) + right * cos(course), forward * cos(course) - right * sin(course), 0)
  }

  /// How far it has turned clockwise, in degrees: what 0.3 g make of its speed.
  static func turn(at time: Double) -> Double {
    let rounds = (time / round).rounded(.down)
    let now = time - rounds * round
    let perSecond = Angle.degrees(strong * Acceleration.standardGravity / speed)
    return perSecond * (rounds * area(60, from: 30, to: 35) + area(now, from: 30, to: 35))
  }

  /// 0, then 1 between two times, with ramps.
  private static func plateau(_ time: Double, from: Double, to: Double) -> Double {
    max(0, min(1, (time - from) / onset)) - max(0, min(1, (time - to) / onset))
  }

  /// The area below the plateau so far.
  private static func area(_ time: Double, from: Double, to: Double) -> Double {
    func ramp(_ t: Double) -> Double { t < 0 ? 0 : t < onset ? t * t / (2 * onset) : t - onset / 2 }
    return ramp(time - from) - ramp(time - to)
  }
}
