import Calibration
import Glibc
import LodestoneCore
import Navigation
import Testing

/// A board that was calibrated in a field of 48 µT with an inclination of 65°, and is taken elsewhere.
@Suite struct PlaceFieldTests {
  private static let profile = Profile(
    device: "board", created: 0, correction: .none, fieldStrength: 48, inclination: 65,
    quality: CalibrationQuality(verdict: .good, kind: .full, misalignment: .unknown))
  private static let declination = Declination(degrees: 0)
  private static let south = EarthReference(declination: declination, strength: 45, inclination: 55)

  /// A level board that points north, at rest, without a gyroscope.
  private static func read(strength: Double, inclination: Double, at earth: EarthReference?) -> (
    reading: HeadingReading?, notices: [InstrumentNotice]
  ) {
    var compass = Compass(profile: profile)
    compass.follow(earth)
    var result: (HeadingReading?, [InstrumentNotice]) = (nil, [])
    for step in 0..<500 {
      func trembling(_ share: Double) -> Double { 0.1 * sin(Double(step) * share) }
      let dip = Angle.radians(inclination)
      let field = Vector3(
        trembling(12.9), strength * cos(dip) + trembling(7.3), -strength * sin(dip) + trembling(5.1))
      result.0 = compass.read(
        DeviceSample(
          time: Double(step) * 0.02, field: Correction.none.apply(to: MagneticField(microtesla: field)),
          acceleration: Acceleration(g: Vector3(trembling(9.7), trembling(3.3), 50 + trembling(2.9)) / 50)))
      while let notice = compass.nextNotice() { result.1.append(notice) }
    }
    return result
  }

  @Test func elsewhereThePlacesFieldIsExpected() throws {
    let unknown = try #require(Self.read(strength: 45, inclination: 55, at: nil).reading)
    #expect((unknown.accuracy ?? 180) > 15)
    let (reading, notices) = Self.read(strength: 45, inclination: 55, at: Self.south)
    #expect(try #require(reading?.accuracy) < 10)
    #expect(reading?.quality != .disturbed)
    #expect(notices == [.otherPlace(PlaceDifference(strengthShare: 45.0 / 48 - 1, inclination: -10))])
  }

  /// The same chip has measured it: what a model says beside counts for less.
  @Test func aPlaceLikeThatOfTheCalibrationChangesNothing() throws {
    let near = EarthReference(declination: Self.declination, strength: 49, inclination: 66)
    let (reading, notices) = Self.read(strength: 48, inclination: 65, at: near)
    let unknown = try #require(Self.read(strength: 48, inclination: 65, at: nil).reading)
    #expect(notices.isEmpty && reading?.accuracy == unknown.accuracy)
  }

  /// A place that was given wrongly: the field is not the one of there, and it is said why.
  @Test func aWrongPlaceIsSaid() {
    let (reading, notices) = Self.read(strength: 48, inclination: 65, at: Self.south)
    #expect((reading?.accuracy ?? 180) > 15)
    #expect(notices.count == 1)
  }
}
