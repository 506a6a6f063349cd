import LodestoneCore
import Glibc

/// The frame that a heading, a pitch and a roll are read in: forward is the heading axis, right is to its right as the
/// user sees it, above completes them (right × forward). Unit vectors in the device frame.
@frozen
public struct HeadingAxis: Equatable, Sendable {
  /// The axis whose direction is the heading.
  public let forward: Vector3
  /// The direction to the right of the heading axis.
  public let right: Vector3
  /// Out of the plane of the two.
  public let above: Vector3

  /// Along the top edge of the screen as held.
  public static func top(_ screenTop: Vector3) -> HeadingAxis {
    let face = Vector3(0, 0, 1)
    return HeadingAxis(forward: screenTop, right: screenTop.cross(face), above: face)
  }

  /// The axis that points out of the back of the screen.
  public static func back(_ screenTop: Vector3) -> HeadingAxis {
    let back = Vector3(0, 0, -1)
    return HeadingAxis(forward: back, right: back.cross(screenTop), above: screenTop)
  }

  /// Whether the axis is off the vertical far enough to point somewhere: within half a degree of it that is chance.
  /// - Parameter up: of length 1; nil for a board that is taken to lie level.
  func hasDirection(up: Vector3?) -> Bool { abs(forward.dot(up ?? Vector3(0, 0, 1))) < Self.vertical }

  private static let vertical = Angle.radians(89.5).sine

  /// The heading axis above the horizontal, for a unit vector that points up.
  @inlinable
  public func pitch(up: Vector3) -> MeasuredAngle { .sine(forward.dot(up)) }

  /// The roll about the heading axis, right edge down positive.
  @inlinable
  public func roll(up: Vector3) -> MeasuredAngle { .sides(opposite: -right.dot(up), adjacent: above.dot(up)) }
}

/// Chooses between the top edge and the back, with hysteresis: within 45° of vertical the top edge has no direction.
public struct PointingTracker: Sendable {
  /// The axis that was asked for.
  public let pointing: Pointing
  private var isUpright = false

  /// Follows the wish; `auto` begins with the top edge.
  public init(_ pointing: Pointing) { self.pointing = pointing }

  /// Whether the back is the axis now.
  public var pointsBack: Bool { pointing == .back || pointing == .auto && isUpright }

  private static var enterUpright: Double { Angle.radians(50).sine }
  private static var leaveUpright: Double { Angle.radians(40).sine }

  /// The axis for a device whose screen top and whose upward direction are these unit vectors.
  public mutating func axis(screenTop: Vector3, up: Vector3) -> HeadingAxis {
    switch pointing {
    case .top: return .top(screenTop)
    case .back: return .back(screenTop)
    case .auto:
      isUpright = abs(screenTop.dot(up)) > (isUpright ? Self.leaveUpright : Self.enterUpright)
      return isUpright ? .back(screenTop) : .top(screenTop)
    }
  }
}

extension Double {
  /// The sine of this angle in radians.
  var sine: Double { sin(self) }
  /// The cosine of this angle in radians.
  var cosine: Double { cos(self) }
}
