import Calibration
import LodestoneCore

/// The geometry of a tilt-compensated compass: east, north and down as the field and up tell them, and the direction of
/// any axis among them. All in the axes that field and up were given in.
///
/// With u up and b the field, east is b × u and north is u × (b × u).
public struct HeadingSolution: Sendable {
  /// The field in µT.
  public let field: Vector3
  /// The direction away from the Earth's centre, of length 1.
  public let up: Vector3
  /// Magnetic east, of length 1; zero where the field is vertical.
  public let east: Vector3
  /// Magnetic north, of length 1; zero where the field is vertical.
  public let north: Vector3
  /// The part of the field that lies in the horizontal plane, in µT.
  public let horizontal: Double
  /// The part of the field that points down, in µT.
  public let down: Double

  /// The axes from a field and a vector of any length that points up; nil where that has no direction.
  @inlinable @inline(__always)
  public init?(field: CorrectedField, up: Vector3) {
    let b = field.field.microtesla
    guard let u = up.direction else { return nil }
    let across = b.cross(u)
    let length = across.length
    guard length.isFinite else { return nil }
    self.field = b
    self.up = u
    horizontal = length
    down = -b.dot(u)
    east = length > 0 ? across / length : .zero
    north = u.cross(east)
  }

  /// The direction of an axis in its horizontal projection, clockwise from magnetic north; nil where the field is
  /// vertical or the axis is.
  @inlinable
  public func heading(of axis: Vector3) -> MeasuredAngle? {
    let (toEast, toNorth) = (axis.dot(east), axis.dot(north))
    return toEast != 0 || toNorth != 0 ? .sides(opposite: toEast, adjacent: toNorth) : nil
  }

  /// The angle of the field below the horizontal, down positive; nil for a zero field.
  @inlinable public var inclination: MeasuredAngle? {
    let strength = field.length
    return strength > 0 ? .sine(down / strength) : nil
  }
}
