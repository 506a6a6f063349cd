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

  @Test func scaleAloneTurnsNothing() throws {
    var second = Profile.example
    second.correction.softIron = second.correction.softIron * 1.05
    let comparison = ProfileComparison(.example, second)
    #expect(abs(comparison.scale - 5) < 1e-9)
    #expect(try #require(comparison.heading).worst < 1e-9)
  }

  @Test func withoutInclinationNothingIsSaidOfHeadings() {
    var profile = Profile.example
    profile.inclination = nil
    #expect(ProfileComparison(profile, profile).heading == nil)
  }
}
