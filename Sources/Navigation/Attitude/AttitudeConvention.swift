import Glibc
import LodestoneCore

/// Which axes an attitude's frame and the board have.
public enum AttitudeConvention: String, CaseIterable, Sendable {
  /// x north, y west, z up; the board's own axes: right, top, out of the face.
  case device
  /// x east, y north, z up; the board's axes ahead, left, up, as in ROS (REP 103).
  case enu
  /// x north, y east, z down; the board's axes ahead, right, down.
  case ned

  /// Turns the device's axes into those of the board: ahead is the top edge.
  var board: Quaternion {
    switch self {
    case .device: .identity
    case .enu: Quaternion(angle: -.pi / 2, about: Vector3(0, 0, 1))
    case .ned: Self.swap
    }
  }

  /// Turns north, west and up into the frame's axes.
  var world: Quaternion {
    switch self {
    case .device: .identity
    case .enu: Quaternion(angle: .pi / 2, about: Vector3(0, 0, 1))
    case .ned: Quaternion(angle: .pi, about: Vector3(1, 0, 0))
    }
  }

  /// The attitude in which the board's axes are those of the frame, as one of the device against north, west and up.
  var unturned: Quaternion { world.conjugate * board }

  /// Half a turn about the line between x and y: they change places, and z points the other way.
  private static let swap = Quaternion(angle: .pi, about: Vector3(0.5.squareRoot(), 0.5.squareRoot(), 0))
}

extension AttitudeReading {
  /// Turns all that is along axes to those of a convention.
  mutating func turn(to convention: AttitudeConvention) {
    guard convention != self.convention else { return }
    self.convention = convention
    let board = convention.board
    attitude = attitude.map { convention.world * $0 * board.conjugate }
    rate = rate.map { board * $0 }
    gravity = gravity.map { board * $0 }
    userAcceleration = userAcceleration.map { board * $0 }
    field = field.map { MagneticField(microtesla: board * $0.microtesla) }
  }
}

extension Quaternion {
  /// Yaw about z, pitch about y' and roll about x'', in degrees; upright, at a pitch of ±90, roll is 0. Those are
  /// turns about z, x' and y'' of a frame that is turned by 90° about z.
  var aerospaceAngles: Vector3 {
    let angles = (Self.quarter.conjugate * self * Self.quarter).yawPitchRoll
    return Vector3(angles.x, angles.y, -angles.z)
  }

  private static let quarter = Quaternion(angle: .pi / 2, about: Vector3(0, 0, 1))
}
