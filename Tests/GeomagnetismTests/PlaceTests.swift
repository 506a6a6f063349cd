import Geomagnetism
import Testing

@Suite struct PlaceTests {
  @Test(arguments: [(90.0, 360.0, 0.0), (-90, -180, -12_000), (48.2, 16.37, 850_000)])
  func acceptsWhatIsInRange(_ latitude: Double, _ longitude: Double, _ altitude: Double) throws {
    let place = try Place(latitude: latitude, longitude: longitude, altitude: altitude)
    #expect(place.latitude == latitude && place.longitude == longitude && place.altitude == altitude)
  }

  @Test(
    arguments: [
      (91, 0, 0, .latitude(91)), (-90.0001, 0, 0, .latitude(-90.0001)), (0, 360.5, 0, .longitude(360.5)),
      (0, -181, 0, .longitude(-181)), (0, 0, 2e6, .altitude(2e6)), (0, .infinity, 0, .longitude(.infinity)),
    ] as [(Double, Double, Double, Place.Problem)])
  func refusesWhatIsNot(_ latitude: Double, _ longitude: Double, _ altitude: Double, _ problem: Place.Problem) {
    #expect(throws: problem) { try Place(latitude: latitude, longitude: longitude, altitude: altitude) }
  }

  @Test func refusesWhatIsNotANumber() {
    #expect(throws: Place.Problem.self) { try Place(latitude: .nan, longitude: 0) }
    #expect(throws: Place.Problem.self) { try Place(latitude: 0, longitude: .nan) }
    #expect(throws: Place.Problem.self) { try Place(latitude: 0, longitude: 0, altitude: .nan) }
  }
}
