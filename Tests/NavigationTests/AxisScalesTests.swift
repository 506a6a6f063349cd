import Glibc
import LodestoneCore
import Testing

@testable import Navigation

/// How far a gyroscope's axes are held against a field.
@Suite struct AxisScalesTests {
  /// The fault that ten seconds of swinging to and fro show, about x by so many degrees in a quarter of a second, and
  /// twice as far about y. The field turns about x by this share of what the gyroscope says.
  private static func fault(degrees: Double, share: Double) -> GyroscopeFault? {
    var (field, force) = (AxisScales(), AxisScales())
    var axes = OddAxes()
    let direction = Vector3(0, 0.35, -0.94)
    for index in 0..<40 {
      let turn = Vector3(sin(1.9 * Double(index)), 2 * sin(1.3 * Double(index)), 0) * Angle.radians(degrees)
      let felt = Vector3(turn.x * share, turn.y, 0)
      field.add(direction.cross(felt), mean: direction, turn: turn, kept: 0.95)
      force.add(.zero, mean: Vector3(0, 0, 1), turn: .zero, kept: 0.95)
      axes.judge(byField: field, byForce: force)
    }
    return axes.fault
  }

  /// Places differ: where a hand carries a board to and fro, the field may hide the little that it turns.
  @Test func aLittleTurnThatTheFieldHidesIsNoFault() {
    #expect(Self.fault(degrees: 6, share: 0.1) == nil)
    #expect(Self.fault(degrees: 6, share: 1) == nil)
  }

  /// No place hides a large turn again and again.
  @Test(arguments: [0.1, -1])
  func aLargeTurnThatTheFieldDoesNotFeelIsOne(_ share: Double) {
    #expect(Self.fault(degrees: 20, share: share) == .wrongAxes)
  }

  /// A hand that swings a board fast tilts its force several times as far the other way as the board turns.
  @Test func aForceThatOvershootsTellsOfNoAxis() {
    func fault(_ share: Double) -> GyroscopeFault? {
      var force = AxisScales()
      var axes = OddAxes()
      for index in 0..<40 {
        let turn = Vector3(sin(1.9 * Double(index)), 2 * sin(1.3 * Double(index)), 0) * Angle.radians(20)
        let up = Vector3(0, 0, 1)
        force.add(up.cross(turn) * share, mean: up, turn: turn, kept: 0.95)
        axes.judge(byField: nil, byForce: force)
      }
      return axes.fault
    }
    #expect(fault(-4) == nil)
    #expect(fault(-1) != nil)
  }
}
