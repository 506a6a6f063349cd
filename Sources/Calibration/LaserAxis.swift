import LodestoneCore

/// The line along which an instrument points: that of its laser or its sight, which is fixed beside the chips at some
/// small angle to their axes.
public struct LaserAxis: Equatable, Sendable {
  /// Its direction, of length 1, in the axes of corrected fields and forces; on the positive side of the axis it is
  /// nearest to, for rolls about a line do not tell its ends apart.
  public let direction: Vector3
  /// The standard error of its direction, in degrees.
  public let deviation: Double
  /// The axis that it is nearest to: 0, 1 and 2 are x, y and z.
  public let nearest: Int

  /// The angle from the nearest axis in degrees past which nobody meant it to be along that axis.
  static let farthest = 20.0

  /// A line of length 1, known to `deviation` degrees; nil for one that is along no axis.
  public init?(along line: Vector3, deviation: Double) {
    guard abs(line.squaredLength - 1) < 1e-6 else { return nil }
    nearest = [0, 1, 2].max { abs(line[$0]) < abs(line[$1]) } ?? 0
    direction = line[nearest] < 0 ? -line : line
    self.deviation = deviation
    guard degrees <= Self.farthest else { return nil }
  }

  /// Degrees between it and the nearest axis.
  public var degrees: Double { Angle.degrees(direction.angle(to: axis)) }

  /// `x`, `y` or `z`: the nearest axis.
  public var name: String { ["x", "y", "z"][nearest] }

  /// The turn that brings it into the nearest axis: the smallest there is.
  public var turn: Matrix3 { Quaternion(from: direction, to: axis).matrix }

  /// The axis in the device frame; as it is where a mounting brings it along no axis.
  func turned(by mounting: Mounting) -> LaserAxis {
    LaserAxis(along: mounting.matrix * direction, deviation: deviation) ?? self
  }

  /// The side of the device that it is nearest to, where it is in the device frame.
  public var side: DeviceSide { [.right, .top, .face][nearest] }

  /// The nearest axis.
  var axis: Vector3 {
    var axis = Vector3.zero
    axis[nearest] = 1
    return axis
  }
}

extension Profile {
  /// The mounting of an instrument whose laser is turned into the chip's axis nearest to it; the same without a laser.
  public func mounting(_ mounting: Mounting) -> Mounting { laser.map { mounting.after($0.turn) } ?? mounting }
}
