import LodestoneCore
import Support
import Testing

@testable import Calibration

@Suite struct ProfileComparisonTests {
  @Test func sameIsNoDifference() throws {
    let comparison = ProfileComparison(.example, .example)
    #expect(comparison.hardIron == .zero)
    #expect(comparison.turn < 1e-9 && abs(comparison.scale) < 1e-9)
    #expect(try #require(comparison.heading).worst < 1e-9)
  }

  /// A turn of 1° about the vertical turns every level heading by 1°.
  @Test func turnAboutTheVertical() throws {
    var second = Profile.example
    second.correction.softIron =
      Matrix3(rotation: Vector3(0, 0, Angle.radians(1))) * second.correction.softIron
    let comparison = ProfileComparison(.example, second)
    #expect(abs(comparison.turn - 1) < 1e-9)
    #expect(abs(try #require(comparison.heading).level - 1) < 1e-9)
  }

  /// A hard iron of e across a horizontal field H turns level headings by e / (H √2) rad, root mean square, and by
  /// asin(e / H) at worst.
  @Test func hardIron() throws {
    var first = Profile.example
    first.correction.softIron = .identity
    first.fieldStrength = 50
    first.inclination = 60
    var second = first
    second.correction.hardIron.x += 0.1
    let heading = try #require(ProfileComparison(first, second).heading)
    #expect(abs(heading.level - Angle.degrees(0.1 / 25 / 2.0.squareRoot())) < 1e-5)
    #expect(heading.worst >= Angle.degrees(0.1 / 25) - 1e-5)
  }

  /// Two good calibrations, 0.21° each, whose hard iron differs by 0.1 µT agree; by 5 µT in 25 they do not, and atan
  /// 0.2 is 11.3°.
  @Test func aHardIronThatMovedIsADisagreement() throws {
    var (first, second) = (Self.plain, Self.plain)
    second.correction.hardIron.x += 0.1
    #expect(first.disagreement(with: second) == nil)
    second.correction.hardIron.x += 4.9
    #expect(try #require(first.disagreement(with: second)) > 11)
    first.quality.headingErrorDegrees = 8
    #expect(first.disagreement(with: second) == nil)
    first.quality.headingErrorDegrees = nil
    #expect(first.disagreement(with: second) == nil)
  }

  @Test func scaleAloneTurnsNothing() throws {
    var second = Profile.example
    second.correction.softIron = second.correction.softIron * 1.05
    let comparison = ProfileComparison(.example, second)
    #expect(abs(comparison.scale - 5) < 1e-9)
    #expect(try #require(comparison.heading).worst < 1e-9)
  }

  /// A profile in whose field, 50 µT at an inclination of 60°, nothing is to be corrected.
  private static let plain: Profile = {
    var profile = Profile.example
    profile.correction = .none
    profile.fieldStrength = 50
    profile.inclination = 60
    return profile
  }()

  /// A zero of 0.05 g across a level accelerometer tilts up by atan 0.05 = 2.862°. Where that is across magnetic north,
  /// the field's vertical part, √3 of the horizontal one, turns headings by about atan (√3 · 0.05) = 4.95°; where it is
  /// along north, by nothing.
  @Test func accelerometerZeroTiltsUp() throws {
    var second = Self.plain
    second.forceCorrection.zero.x = 0.05
    let comparison = ProfileComparison(Self.plain, second)
    #expect(comparison.up > 2.862 - 1e-3 && comparison.up < 3.4)
    #expect(comparison.turn < 1e-9 && comparison.hardIron == .zero)
    let heading = try #require(comparison.heading)
    #expect(abs(heading.level - 4.95 / 2.0.squareRoot()) < 0.1)
    #expect(heading.worst > 4.8)
  }

  /// Level headings by a reversed accelerometer go the wrong way round: those of ψ and −ψ are up to 180° apart.
  @Test func reversedAccelerometerMirrorsHeadings() throws {
    var second = Self.plain
    second.accelerometerIsReversed = true
    let comparison = ProfileComparison(Self.plain, second)
    #expect(abs(comparison.up - 180) < 1e-6)
    #expect(try #require(comparison.heading).worst > 179)
    second.forceIsUsed = false
    #expect(abs(try #require(ProfileComparison(Self.plain, second).heading).level) < 1e-9)
  }

  /// Lasers in the horizontal plane, 1° to the right and 2° to the left of y, are 3° apart, and so are their headings;
  /// one alone is compared with y.
  @Test func lasersTurnHeadings() throws {
    func pointing(_ degrees: Double) -> Profile {
      var profile = Self.plain
      let angle = Angle.radians(degrees)
      profile.laser = LaserAxis(along: Matrix3(rotation: Vector3(0, 0, -angle)) * Vector3(0, 1, 0), deviation: 0.1)
      return profile
    }
    let both = ProfileComparison(pointing(1), pointing(-2))
    #expect(abs(try #require(both.laser) - 3) < 1e-6)
    #expect(abs(try #require(both.heading).level - 3) < 1e-6)
    let one = ProfileComparison(Self.plain, pointing(-2))
    #expect(abs(try #require(one.laser) - 2) < 1e-6)
    #expect(abs(try #require(one.heading).level - 2) < 1e-6)
    #expect(ProfileComparison(Self.plain, Self.plain).laser == nil)
  }

  @Test func withoutInclinationNothingIsSaidOfHeadings() {
    var profile = Profile.example
    profile.inclination = nil
    #expect(ProfileComparison(profile, profile).heading == nil)
  }
}
