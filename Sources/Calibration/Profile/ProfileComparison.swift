import LodestoneCore
import Glibc

/// The effect of using one profile in place of another.
public struct ProfileComparison: Equatable, Sendable {
  /// The second's hard iron − the first's, in µT.
  public let hardIron: Vector3
  /// How the second turns corrected fields against the first, in degrees.
  public let turn: Double
  /// How much longer the second makes corrected fields, in percent, averaged over directions.
  public let scale: Double
  /// The difference of headings at rest, in degrees, over all headings; nil while neither knows the inclination.
  public let heading: HeadingDifference?

  /// Differences of headings, in degrees.
  public struct HeadingDifference: Equatable, Sendable {
    /// Root mean square with the device level.
    public let level: Double
    /// Root mean square over tilts of 0, 10, 20 and 30°, in all directions of tilt.
    public let tilted: Double
    /// The largest of all those.
    public let worst: Double
  }

  /// Compares two profiles of the same device in the first one's field.
  public init(_ first: Profile, _ second: Profile) {
    hardIron = second.correction.hardIron - first.correction.hardIron
    let before = first.correction.softIron.inverse ?? .identity
    let change = second.correction.softIron * before
    turn = Angle.degrees(change.orthonormalFactor.rotationAngle)
    scale = (cbrt(abs(change.determinant)) - 1) * 100
    let offset = second.correction.softIron * hardIron
    heading = (first.inclination ?? second.inclination).map { inclination in
      HeadingDifference(inclination: inclination, fieldStrength: first.fieldStrength) { change * $0 - offset }
    }
  }
}

extension ProfileComparison.HeadingDifference {
  /// Headings differ by the angle, about the vertical, between the horizontal parts of the two fields.
  fileprivate init(inclination: Double, fieldStrength: Double, change: (Vector3) -> Vector3) {
    var (levelSum, tiltedSum, largest) = (0.0, 0.0, 0.0)
    let steps = 36
    for tilt in [0.0, 10, 20, 30] {
      for direction in 0..<steps {
        for azimuth in 0..<steps {
          let up = Self.up(tilt: tilt, direction: 360 * Double(direction) / Double(steps))
          let field =
            Self.field(
              up: up, azimuth: 360 * Double(azimuth) / Double(steps), inclination: inclination) * fieldStrength
          let turn = Self.turn(from: field, to: change(field), about: up)
          if tilt == 0 { levelSum += turn * turn }
          tiltedSum += turn * turn
          largest = max(largest, abs(turn))
        }
      }
    }
    let count = Double(steps * steps)
    level = (levelSum / count).squareRoot()
    tilted = (tiltedSum / (4 * count)).squareRoot()
    worst = largest
  }

  private static func up(tilt: Double, direction: Double) -> Vector3 {
    let (tilt, direction) = (Angle.radians(tilt), Angle.radians(direction))
    return Vector3(sin(tilt) * cos(direction), sin(tilt) * sin(direction), cos(tilt))
  }

  /// A unit vector that dips below the horizontal by `inclination`.
  private static func field(up: Vector3, azimuth: Double, inclination: Double) -> Vector3 {
    let (azimuth, dip) = (Angle.radians(azimuth), Angle.radians(inclination))
    let side = Vector3(0, 1, 0).cross(up).direction ?? Vector3(1, 0, 0)
    let horizontal = side * cos(azimuth) + up.cross(side) * sin(azimuth)
    return horizontal * cos(dip) - up * sin(dip)
  }

  private static func turn(from a: Vector3, to b: Vector3, about up: Vector3) -> Double {
    let (a, b) = (a - up * a.dot(up), b - up * b.dot(up))
    return Angle.degrees(atan2(up.dot(a.cross(b)), a.dot(b)))
  }
}
