import LodestoneCore
import Glibc

/// A side of the device, by the axis of the device frame that comes out of it.
public enum DeviceSide: String, CaseIterable, Sendable {
  /// +z.
  case face
  /// −z.
  case back
  /// +y.
  case top
  /// −y.
  case bottom
  /// −x.
  case left
  /// +x.
  case right

  /// The direction out of it in the device frame, of length 1.
  public var direction: Vector3 {
    switch self {
    case .face: Vector3(0, 0, 1)
    case .back: Vector3(0, 0, -1)
    case .top: Vector3(0, 1, 0)
    case .bottom: Vector3(0, -1, 0)
    case .left: Vector3(-1, 0, 0)
    case .right: Vector3(1, 0, 0)
    }
  }
}

/// A way to hold the device still: what is up, and how far to turn before.
public struct RestPose: Sendable, Equatable {
  /// The direction of the device frame to bring upward, of length 1.
  public var up: Vector3
  /// How far the person with the device turns before it, in degrees, clockwise seen from above.
  public var turnDegrees: Double

  /// A pose by what is up and the turn before it.
  public init(up: Vector3, turnDegrees: Double) {
    self.up = up
    self.turnDegrees = turnDegrees
  }

  init(_ sides: [DeviceSide], turnDegrees: Double = 90) {
    let sum = sides.reduce(Vector3.zero) { $0 + $1.direction }
    self.init(up: sum.direction ?? DeviceSide.face.direction, turnDegrees: turnDegrees)
  }

  /// The side that is up, and which sides are raised besides and by how many degrees: none within 12° of a side.
  public var description: (side: DeviceSide, raised: [DeviceSide], degrees: Double) {
    // To a thousandth, so that among sides equally high the first of the list comes first.
    func height(_ side: DeviceSide) -> Double { (up.dot(side.direction) * 1000).rounded() }
    let highest = DeviceSide.allCases.map(height).max() ?? 0
    let side = DeviceSide.allCases.first { height($0) == highest } ?? .face
    let tilt = Angle.degrees(up.angle(to: side.direction))
    guard tilt >= 12 else { return (side, [], 0) }
    let least = 400 * sin(Angle.radians(tilt))
    let raised = DeviceSide.allCases.filter { $0 != side && height($0) > least }
    return (side, raised, tilt)
  }

  /// The poses in the order they are asked for: the 26 directions to the sides, edges and corners of a cube, the easy
  /// ones first. Eight of them suffice; any two are 35° apart, farther than a hand misses by, so that each of them is
  /// new even for someone who does not turn. The eighth ends with the top edge up: headings are of the edge that was.
  static let inOrder: [RestPose] = [
    RestPose([.face], turnDegrees: 0), RestPose([.face, .top]), RestPose([.face, .left]), RestPose([.face, .bottom]),
    RestPose([.face, .right]), RestPose([.left]), RestPose([.back]), RestPose([.top]), RestPose([.right]),
    RestPose([.bottom]), RestPose([.face, .top, .left]), RestPose([.face, .top, .right]),
    RestPose([.face, .bottom, .left]), RestPose([.face, .bottom, .right]), RestPose([.back, .top]),
    RestPose([.back, .left]), RestPose([.back, .bottom]), RestPose([.back, .right]), RestPose([.top, .left]),
    RestPose([.top, .right]), RestPose([.bottom, .left]), RestPose([.bottom, .right]), RestPose([.back, .top, .left]),
    RestPose([.back, .top, .right]), RestPose([.back, .bottom, .left]), RestPose([.back, .bottom, .right]),
  ]
}

extension RestPose {
  /// The board with its top edge so far up and its right edge so far down, in degrees.
  private init(pitch: Double, roll: Double, turnDegrees: Double) {
    self.init(up: Quaternion(heading: 0, pitch: pitch, roll: roll).matrix.row2, turnDegrees: turnDegrees)
  }

  /// The positions for an instrument that is only ever held: three circles of four, each a quarter turn from the one
  /// before, near level, tilted up and tilted down, rolled to either side by turns (PNI, "TCM User Manual", full-range
  /// calibration); then the sides, edges and corners of a cube.
  static let held: [RestPose] = {
    let circles: [(pitch: Double, roll: Double)] = [
      (5, 35), (-5, -35), (-5, 35), (5, -35), (50, 30), (50, -30), (45, 35), (45, -35), (-50, 30), (-50, -30),
      (-45, 35),
      (-45, -35),
    ]
    let twelve = circles.enumerated().map { index, pose in
      RestPose(
        pitch: pose.pitch, roll: pose.roll, turnDegrees: index == 0 ? 0 : index.isMultiple(of: 4) ? 120 : 90)
    }
    return twelve + inOrder.reversed()
  }()
}

/// The request of an instrument or a guided calibration to the user who holds the device.
public enum HandRequest: Sendable, Equatable {
  /// Turn it through all directions.
  case sweep
  /// Turn it slowly, kept level.
  case circle
  /// Hold it still.
  case hold(RestPose)
  /// Aim it at a mark, roll it, and hold it still.
  case aim(AimedShot)
  /// Keep it as it is, however that is.
  case still
  /// No request: the calibration has ended.
  case none
}
