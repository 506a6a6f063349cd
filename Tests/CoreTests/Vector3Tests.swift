import Core
import Glibc
import Testing

@Suite struct Vector3Tests {
  /// Two directions in a plane, at an angle that is known beforehand: on both sides of where the series takes over.
  @Test(arguments: [0, 1e-9, 1e-4, 0.00999, 0.0099996, 0.01, 0.0101, 0.5, 1.5707963267948966, 3, 3.141592653589793])
  func anglesAreExact(_ angle: Double) {
    let found = Vector3(2, 0, 0).angle(to: Vector3(3 * cos(angle), 3 * sin(angle), 0))
    #expect(abs(found - angle) <= 4e-16 * max(angle, 1e-9))
  }

  @Test func aZeroVectorHasNoAngle() {
    #expect(Vector3.zero.angle(to: Vector3(1, 2, 3)) == 0)
    #expect(Vector3(1, 2, 3).angle(to: .zero) == 0)
  }
}
