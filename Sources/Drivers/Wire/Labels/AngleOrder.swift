import LodestoneCore

/// The place of the heading among three angles: `Orientation: 40.3, 0.3, -1.1` has it first, and examples of Adafruit's
/// AHRS library have it last, behind roll and pitch. No roll is past 180°, and of the two the heading goes farther.
struct AngleOrder: Sendable {
  private var isLast: Bool?
  /// The largest of each so far, in degrees to either side.
  private var (first, last) = (0.0, 0.0)

  /// Heading, pitch and roll, in degrees, of three angles in the order of the device.
  mutating func sorted(_ angles: Vector3) -> Vector3 {
    if isLast == nil {
      (first, last) = (max(first, abs(angles.x)), max(last, abs(angles.z)))
      if max(first, last) > 180, first != last { isLast = last > first }
    }
    return isLast ?? (last > first) ? Vector3(angles.z, angles.y, angles.x) : angles
  }
}
