import Calibration
import Glibc
import LodestoneCore
import Navigation
import Testing

@Suite struct RateOfTurnTests {
  /// A level board that rests for ten seconds and turns to starboard then: its heading grows, and the gyroscope,
  /// right-handed about up, reads a negative rate.
  private static func samples(turning degreesPerSecond: Double) -> [DeviceSample] {
    var heading = 40.0
    return (0..<750).map { step in
      let rate = step < 500 ? 0 : degreesPerSecond
      heading += rate * 0.02
      func trembling(_ share: Double) -> Double { 0.05 * sin(Double(step) * share) }
      let field = Vector3(
        -20 * sin(Angle.radians(heading)) + trembling(12.9), 20 * cos(Angle.radians(heading)) + trembling(7.3),
        -43 + trembling(5.1))
      return DeviceSample(
        time: Double(step) * 0.02, field: Correction.none.apply(to: MagneticField(microtesla: field)),
        acceleration: Acceleration(g: Vector3(trembling(9.7), trembling(3.3), 20 + trembling(2.9)) / 20),
        rotationRate: RotationRate(degreesPerSecond: Vector3(trembling(4.1), trembling(6.7), trembling(8.9) - rate)))
    }
  }

  private static let profile = Profile(
    device: "board", created: 0, correction: .none, fieldStrength: 47.4, inclination: 65.1,
    quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .unknown))

  @Test(arguments: [12.0, -12.0])
  func aTurnToStarboardIsPositive(_ degreesPerSecond: Double) throws {
    var (compass, attitude) = (Compass(profile: Self.profile), Attitude(profile: Self.profile))
    var told: (heading: Double?, attitude: Double?)
    for sample in Self.samples(turning: degreesPerSecond) {
      told = (compass.read(sample)?.rateOfTurn, attitude.read(sample)?.rateOfTurn)
    }
    #expect(abs(try #require(told.heading) - degreesPerSecond) < 1)
    #expect(abs(try #require(told.attitude) - degreesPerSecond) < 1)
  }

  @Test func withoutAGyroscopeThereIsNone() {
    var compass = Compass(profile: Self.profile)
    for var sample in Self.samples(turning: 12) {
      sample.rotationRate = nil
      #expect(compass.read(sample)?.rateOfTurn == nil)
    }
  }
}
