import Core
import Glibc

/// The geometry of a tilt-compensated compass: which way an axis points, from the field and from up.
public enum HeadingSolution {
  /// The direction of `forward` in its horizontal projection, clockwise from magnetic north; nil where the field has
  /// no horizontal part or the axis is vertical.
  ///
  /// With u up and b the field, east is b × u and north is u × (b × u); all three in the device frame.
  @inlinable
  public static func heading(of forward: Vector3, field b: Vector3, up u: Vector3) -> Heading<MagneticNorth>? {
    let east = b.cross(u)
    let north = u.cross(east)
    let horizontal = Vector3(forward.dot(north), forward.dot(east), 0)
    guard horizontal.squaredLength > 0, horizontal.isFinite else { return nil }
    return Heading(degrees: Angle.degrees(atan2(horizontal.y, horizontal.x)))
  }

  /// The angle of the field below the horizontal in degrees, down positive; nil for a zero field.
  @inlinable
  public static func inclination(field b: Vector3, up u: Vector3) -> Double? {
    let strength = b.length
    guard strength > 0 else { return nil }
    return Angle.degrees(asin(max(-1, min(1, -b.dot(u) / strength))))
  }
}
