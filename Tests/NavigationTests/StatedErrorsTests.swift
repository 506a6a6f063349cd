import LodestoneCore
import Testing

@testable import Navigation

/// What is seen of the errors of an attitude bounds what is said of them.
@Suite struct StatedErrorsTests {
  private static let slope = 2.0

  /// The variances after a minute in which forces lean, and the field is off, by so many degrees, to and fro.
  private static func variances(
    lean: SIMD2<Double>, azimuth: Double = 0, inclination: Double = 0, strength: Double = 0, noise: Double = 0
  ) -> StatedErrors.Variances {
    var errors = FusionErrors(biasDeviation: 0.001)
    errors.begin(tiltDeviation: Angle.radians(3))
    errors.begin(yawDeviation: Angle.radians(6))
    var stated = StatedErrors()
    stated.begin(caution: 1)
    let radian = Double.pi / 180
    for index in 0..<2400 {
      let side = index % 80 < 40 ? 1.0 : -1
      stated.add(
        lean: lean * (side * radian), lasting: lean * (side * radian), expected: errors.tiltVariance, step: 0.025)
      stated.add(
        azimuth: azimuth * side * radian, off: (50 * strength * side * radian, 50 * inclination * side * radian),
        noise: noise, expected: (50, 50 / (1 + slope * slope).squareRoot(), slope), step: 0.025)
    }
    let variances = stated.variances(of: errors, leanCaution: 1, slope: slope)
    return StatedErrors.Variances(north: variances.north / radian / radian, tilt: variances.tilt / radian / radian)
  }

  @Test func nothingSeenIsNextToNothing() {
    let variances = Self.variances(lean: .zero)
    #expect(variances.north < 0.01 && variances.tilt < 0.01, "\(variances)")
  }

  /// The filter's own variances, of 6° and of 3° that the field turns by twice as much, are the most.
  @Test func whatIsSeenMakesNothingWider() {
    let variances = Self.variances(lean: SIMD2(20, 20), azimuth: 20, inclination: 20, strength: 20)
    #expect(abs(variances.north - 36 - 36) < 0.1 && abs(variances.tilt - 9) < 0.1, "\(variances)")
  }

  /// Forces that lean to all sides by 2° lean up by no more than inclinations show, which see one of the two directions.
  @Test func inclinationsShowBothDirections() {
    let variances = Self.variances(lean: SIMD2(2, 2), inclination: 0.5)
    #expect(variances.north < 2 && variances.tilt < 0.3, "\(variances)")
  }

  /// Forces that lean about north alone, as in a boat that heads there, do so unseen by inclinations.
  @Test func inclinationsDoNotShowALeanAboutNorth() {
    let variances = Self.variances(lean: SIMD2(0.2, 2), inclination: 0.5)
    #expect(variances.north > 10, "\(variances)")
  }

  /// What the field is off by otherwise counts, and what its noise is does not.
  @Test func theFieldsOwnErrorsCount() {
    #expect(Self.variances(lean: .zero, azimuth: 3).north > 0.7)
    #expect(Self.variances(lean: .zero, strength: 3).north > 1.5)
    #expect(Self.variances(lean: .zero, inclination: 3).north > 1.5)
    #expect(Self.variances(lean: .zero, azimuth: 0.5, strength: 0.2, noise: 100).north < 0.01)
  }
}
