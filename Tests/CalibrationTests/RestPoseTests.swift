import LodestoneCore
import Testing

@testable import Calibration

@Suite struct RestPoseTests {
  /// Whatever a hand misses by up to 10°, no two poses of the order can be taken for the same attitude (8°).
  @Test func posesOfTheOrderAreFarApart() {
    let poses = RestPose.inOrder
    #expect(poses.count == 26)
    for (index, pose) in poses.enumerated() {
      #expect(abs(pose.up.length - 1) < 1e-12)
      for other in poses[..<index] { #expect(pose.up.angle(to: other.up) > Angle.radians(35)) }
    }
  }

  /// The first eight can solve the rotation: three and more are tilted against any of them.
  @Test func firstEightSuffice() {
    var rests = Rests()
    for (index, pose) in RestPose.inOrder.prefix(8).enumerated() {
      rests.add(
        Rest(
          raw: Vector3(0, 20, -40), force: pose.up, up: pose.up, from: Double(index), to: Double(index) + 1, count: 50,
          scatter: 0.3))
    }
    #expect(rests.sufficeForRotation(centre: .zero))
  }

  @Test func wordsAreFacts() {
    func said(_ up: Vector3) -> (DeviceSide, [DeviceSide], Int) {
      let (side, raised, degrees) = RestPose(up: up, turnDegrees: 0).description
      return (side, raised, Int(degrees.rounded()))
    }
    #expect(said(Vector3(0, 0, 1)) == (.face, [], 0))
    #expect(said(Vector3(0, 0.6, 0.8)) == (.face, [.top], 37))
    #expect(said(Vector3(-1, 1, 1) / 3.0.squareRoot()) == (.face, [.top, .left], 55))
    #expect(said(Vector3(-0.1, 0, -0.995)) == (.back, [], 0))
    #expect(said(Vector3(1, -1, 0) / 2.0.squareRoot()) == (.bottom, [.right], 45))
  }

  /// After a pose was asked for it is not asked for again, held or not, until all were asked.
  @Test func everyPoseComesUpBeforeOneComesBack() {
    var poses = PoseSequence()
    var seen: [RestPose] = []
    for _ in 0..<26 {
      poses.askNext(held: [])
      if let asked = poses.asked { seen.append(asked) }
      poses.answer()
    }
    #expect(seen == RestPose.inOrder)
    poses.askNext(held: [])
    #expect(poses.asked == RestPose.inOrder.first)
  }

  /// A pose that is asked for stays until it is answered.
  @Test func aPoseDoesNotWobble() {
    var poses = PoseSequence()
    poses.askNext(held: [Vector3(0, 0, 1)])
    #expect(poses.asked == RestPose.inOrder[1])
    poses.askNext(held: [])
    #expect(poses.asked == RestPose.inOrder[1])
  }
}
