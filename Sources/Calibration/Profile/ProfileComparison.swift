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
  /// The largest angle between the two directions up, in degrees, at rest and tilted up to 30°; near 180 where one of
  /// them takes the accelerometer for reversed.
  public let up: Double
  /// The angle between the lines along which the two point, in degrees; nil while neither knows a laser. A profile
  /// without one points along the axis that the other's is nearest to.
  public let laser: Double?
  /// The difference of headings at rest, in degrees, over all headings; nil while neither knows the inclination.
  public let heading: HeadingDifference?

  /// Differences of headings, in degrees: of the laser where one of the profiles knows it, else of the axis y.
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
    let change = ReadingsChange(first, second)
    hardIron = second.correction.hardIron - first.correction.hardIron
    turn = Angle.degrees(change.field.matrix.orthonormalFactor.rotationAngle)
    scale = (cbrt(abs(change.field.matrix.determinant)) - 1) * 100
    up = Attitudes.tilts.flatMap { Attitudes(tilt: $0, level: change.level).ups }.map(change.upAngle).max() ?? 0
    let isPointing = first.laser != nil || second.laser != nil
    laser = isPointing ? Angle.degrees(change.lines.first.angle(to: change.lines.second)) : nil
    heading = (first.inclination ?? second.inclination).map { inclination in
      HeadingDifference(change, inclination: inclination, fieldStrength: first.fieldStrength)
    }
  }
}

extension ProfileComparison.HeadingDifference {
  fileprivate init(_ change: ReadingsChange, inclination: Double, fieldStrength: Double) {
    var (levelSum, tiltedSum, largest) = (0.0, 0.0, 0.0)
    for tilt in Attitudes.tilts {
      let attitudes = Attitudes(tilt: tilt, level: change.level)
      for up in attitudes.ups {
        for field in attitudes.fields(under: up, inclination: inclination) {
          let turn = change.headingTurn(field: field * fieldStrength, up: up)
          if tilt == 0 { levelSum += turn * turn }
          tiltedSum += turn * turn
          largest = max(largest, abs(turn))
        }
      }
    }
    let count = Double(Attitudes.steps * Attitudes.steps)
    level = (levelSum / count).squareRoot()
    tilted = (tiltedSum / (Double(Attitudes.tilts.count) * count)).squareRoot()
    worst = largest
  }
}

/// The readings of a second profile where a first one has some.
private struct ReadingsChange {
  /// The second's reading = matrix · (the first's) − offset, of one sensor.
  struct Change {
    var matrix = Matrix3.identity
    var offset = Vector3.zero
  }

  /// The differences of corrected fields, in µT.
  let field: Change
  /// The differences of corrected specific forces, in g.
  private let force: Change
  /// Whether each of the two uses the accelerometer: for one that does not, up is the level device's.
  private let usesForce: (first: Bool, second: Bool)
  /// The lines of which the two say the heading, of length 1.
  let lines: (first: Vector3, second: Vector3)
  /// Up where the device is level.
  let level: Vector3

  init(_ first: Profile, _ second: Profile) {
    field = Change(
      from: (first.correction.softIron, first.correction.hardIron),
      to: (second.correction.softIron, second.correction.hardIron))
    usesForce = (first.forceIsUsed, second.forceIsUsed)
    force =
      first.forceIsUsed && second.forceIsUsed
      ? Change(
        from: (first.forceMatrix, first.forceCorrection.zero), to: (second.forceMatrix, second.forceCorrection.zero))
      : Change()
    let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
    let nearest = (first.laser ?? second.laser)?.nearest ?? 1
    func line(_ profile: Profile) -> Vector3 { profile.laser?.direction ?? axes[nearest] }
    lines = (line(first), line(second))
    level = nearest == 2 ? axes[1] : axes[2]
  }

  /// The second's up where the first has this one.
  private func ups(_ up: Vector3) -> (first: Vector3, second: Vector3) {
    let second = (force.matrix * up - force.offset).direction ?? up
    return (usesForce.first ? up : level, usesForce.second ? second : level)
  }

  /// The angle between the two directions up, in degrees.
  func upAngle(_ up: Vector3) -> Double {
    let ups = ups(up)
    return Angle.degrees(ups.first.angle(to: ups.second))
  }

  /// The difference of the second's heading from the first's, in degrees, clockwise, where the first has this field and
  /// up.
  func headingTurn(field: Vector3, up: Vector3) -> Double {
    let ups = ups(up)
    return Angle.shortestTurn(
      from: Self.heading(of: lines.first, field: field, up: ups.first),
      to: Self.heading(of: lines.second, field: self.field.matrix * field - self.field.offset, up: ups.second))
  }

  /// Degrees clockwise from the horizontal part of the field to that of a line.
  private static func heading(of line: Vector3, field: Vector3, up: Vector3) -> Double {
    let east = field.cross(up)
    return Angle.degrees(atan2(line.dot(east), line.dot(up.cross(east))))
  }
}

extension ReadingsChange.Change {
  /// The change from `matrix` · (raw − `zero`) of one profile to that of another.
  fileprivate init(from first: (matrix: Matrix3, zero: Vector3), to second: (matrix: Matrix3, zero: Vector3)) {
    matrix = second.matrix * (first.matrix.inverse ?? .identity)
    offset = second.matrix * (second.zero - first.zero)
  }
}

/// Attitudes of one tilt, in all directions of it and all headings.
private struct Attitudes {
  /// The tilts in degrees.
  static let tilts = [0.0, 10, 20, 30]
  /// Directions of tilt, and headings.
  static let steps = 36
  /// Directions up.
  let ups: [Vector3]

  /// - Parameter level: up where the device is level, z or y.
  init(tilt: Double, level: Vector3) {
    let side = Vector3(1, 0, 0)
    let (sine, cosine) = (sin(Angle.radians(tilt)), cos(Angle.radians(tilt)))
    ups = Self.circle.map { (side * cos($0) + level.cross(side) * sin($0)) * sine + level * cosine }
  }

  /// Unit vectors that dip below the horizontal by `inclination`.
  func fields(under up: Vector3, inclination: Double) -> [Vector3] {
    let dip = Angle.radians(inclination)
    let side = Vector3(0, 1, 0).cross(up).direction ?? Vector3(1, 0, 0)
    return Self.circle.map { azimuth in
      (side * cos(azimuth) + up.cross(side) * sin(azimuth)) * cos(dip) - up * sin(dip)
    }
  }

  /// The directions in radians.
  private static let circle = (0..<steps).map { Angle.radians(360 * Double($0) / Double(steps)) }
}
