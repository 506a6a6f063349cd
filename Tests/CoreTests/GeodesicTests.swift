import LodestoneCore
import Testing

/// Lines on the ellipsoid, against published ones.
@Suite struct GeodesicTests {
  /// A published line: its ends in degrees, its length in metres, its direction at the first of them.
  struct Line: Sendable {
    let from, to: (latitude: Double, longitude: Double)
    let distance, bearing: Double
  }

  private static func line(_ line: Line) throws -> Geodesic {
    let from = try #require(Coordinate(latitude: line.from.latitude, longitude: line.from.longitude))
    let to = try #require(Coordinate(latitude: line.to.latitude, longitude: line.to.longitude))
    return Geodesic(from: from, to: to)
  }

  /// The first lines of GeographicLib's own tests (geodtest), to 15 digits.
  @Test(arguments: [
    Line(
      from: (35.60777, -139.44815), to: (-11.17491, -69.95921), distance: 8_935_244.5604818305,
      bearing: 111.098748429560326),
    Line(
      from: (55.52454, 106.05087), to: (77.03196, 197.18234), distance: 4_105_086.1713924406,
      bearing: 22.020059880982801),
    Line(
      from: (-21.97856, 142.59065), to: (41.84138, 98.56635), distance: 8_394_328.894657671,
      bearing: 360 - 32.44456876433189),
    Line(
      from: (-66.99028, 112.2363), to: (-12.70631, 285.90344), distance: 11_150_344.2312080241,
      bearing: 173.73491240878403),
    Line(
      from: (-17.42761, 173.34268), to: (-15.84784, 5.93557), distance: 16_076_603.1631180673,
      bearing: 360 - 159.033557661192928),
  ]) func linesOfGeographicLib(_ line: Line) throws {
    let found = try Self.line(line)
    #expect(abs(found.distance - line.distance) < 1e-6)
    #expect(abs(try #require(found.bearing) - line.bearing) < 1e-9)
  }

  /// Karney, "Algorithms for geodesics" (2013), tables 3 to 5: a short line, and one between nearly antipodal points.
  @Test(arguments: [
    Line(from: (-30.12345, 0), to: (-30.12344, 0.00005), distance: 4.944208, bearing: 77.04353354237),
    Line(from: (-30, 0), to: (29.9, 179.8), distance: 19_989_832.827610, bearing: 161.890524736),
  ]) func linesOfTheDescription(_ line: Line) throws {
    let found = try Self.line(line)
    #expect(abs(found.distance - line.distance) < 1e-6)
    #expect(abs(try #require(found.bearing) - line.bearing) < 1e-8)
  }

  /// Flinders Peak to Buninyong, 54 972.271 m at 306° 52′ 05.37″: the worked example of Australia's surveyors
  /// (Geocentric Datum of Australia, Technical Manual, chapter 4). Their ellipsoid differs by 0.1 mm in 6400 km.
  @Test func theLineOfTheSurveyors() throws {
    func degrees(_ whole: Double, _ minutes: Double, _ seconds: Double) -> Double {
      whole + minutes / 60 + seconds / 3600
    }
    let found = try Self.line(
      Line(
        from: (-degrees(37, 57, 3.72030), degrees(144, 25, 29.52440)),
        to: (-degrees(37, 39, 10.15610), degrees(143, 55, 35.38390)), distance: 0, bearing: 0))
    #expect(abs(found.distance - 54_972.271) < 0.0006)
    #expect(abs(try #require(found.bearing) - degrees(306, 52, 5.37)) < 0.005 / 3600)
  }

  /// A quarter of a meridian is 10 001 965.729 m, a degree of the equator 111 319.491 m (NGA.STND.0036).
  @Test func theAxesOfTheEllipsoid() throws {
    let quarter = try Self.line(Line(from: (0, 20), to: (90, 77), distance: 0, bearing: 0))
    #expect(abs(quarter.distance - 10_001_965.729) < 0.0006)
    #expect(abs(try #require(quarter.bearing)) < 1e-9)
    let degree = try Self.line(Line(from: (0, 179.5), to: (0, -179.5), distance: 0, bearing: 0))
    #expect(abs(degree.distance - 111_319.491) < 0.0006)
    #expect(degree.bearing == 90)
  }

  /// From antipode to antipode the shortest way is over a pole, wherever they are: twice a quarter of a meridian.
  @Test(arguments: [(0.0, 0.0), (30, -60), (90, 0), (-45.5, 179)])
  func antipodesAreJoinedOverAPole(_ latitude: Double, _ longitude: Double) throws {
    let end = (latitude: -latitude, longitude: longitude + (longitude > 0 ? -180 : 180))
    let found = try Self.line(Line(from: (latitude, longitude), to: end, distance: 0, bearing: 0))
    #expect(abs(found.distance - 2 * 10_001_965.729313) < 1e-5)
  }

  /// There and back is the same way, also between points that are nearly antipodal.
  @Test func bothWaysAreAsLong() throws {
    for step in 0..<400 {
      let latitude = Double(step % 20) * 9 - 85.5, longitude = 178 + Double(step) / 200
      let end = (latitude: -latitude + Double(step % 7) / 10 - 0.3, longitude: longitude)
      let there = try Self.line(Line(from: (latitude, 0), to: end, distance: 0, bearing: 0))
      let back = try Self.line(Line(from: end, to: (latitude, 0), distance: 0, bearing: 0))
      #expect(abs(there.distance - back.distance) < 1e-5)
      #expect(there.distance < 2 * 10_001_965.73)
    }
  }

  @Test func aPointIsNotAwayFromItself() throws {
    let found = try Self.line(Line(from: (48.2, 16.37), to: (48.2, 16.37), distance: 0, bearing: 0))
    #expect(found.distance == 0)
    #expect(found.bearing == nil)
  }

  @Test func whatIsNoCoordinateIsNone() {
    #expect(Coordinate(latitude: 90.001, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: -180.001) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
    #expect(Coordinate(latitude: 0, longitude: 270)?.longitude == -90)
  }
}
