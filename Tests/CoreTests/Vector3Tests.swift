import LodestoneCore
import Glibc
import Testing

@Suite struct Vector3Tests {
  /// Two directions in a plane, at an angle that is known beforehand.
  private static func pair(at angle: Double) -> (Vector3, Vector3) {
    (Vector3(2, 0, 0), Vector3(3 * cos(angle), 3 * sin(angle), 0))
  }

  @Test(arguments: [0, 1e-9, 1e-4, 0.01, 0.5, 1.5707963267948966, 3, 3.141592653589793])
  func anglesAreExact(_ angle: Double) {
    let (a, b) = Self.pair(at: angle)
    #expect(abs(a.angle(to: b) - angle) <= 4e-16 * max(angle, 1e-9))
  }

  /// On both sides of where the series takes over, at an angle of 0.1405.
  @Test(arguments: [0, 1e-9, 1e-4, 0.01, 0.05, 0.14, 0.1404, 0.141, 0.5, 1.5707963267948966, 3, 3.141592653589793])
  func squaredAnglesAreAsGood(_ angle: Double) {
    let (a, b) = Self.pair(at: angle)
    #expect(abs(a.squaredAngle(to: b) - angle * angle) <= 3e-11 * angle * angle)
  }

  @Test func aZeroVectorHasNoAngle() {
    #expect(Vector3.zero.angle(to: Vector3(1, 2, 3)) == 0)
    #expect(Vector3(1, 2, 3).angle(to: .zero) == 0)
    #expect(Vector3.zero.squaredAngle(to: Vector3(1, 2, 3)) == 0)
  }
}
