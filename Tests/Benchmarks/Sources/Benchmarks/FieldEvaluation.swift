import CReference
import LodestoneCore
import Geomagnetism

/// One evaluation of a field model: seven elements and their yearly change.
enum FieldEvaluation: Benchmark {
  static let name = "field"

  static func measure() throws -> [Measurement] {
    let count = 200_000
    let places = try (0..<count).map { index -> Place in
      let latitude = Double(index % 1_790) / 10 - 89
      let longitude = Double(index % 3_590) / 10 - 179
      return try Place(latitude: latitude, longitude: longitude, altitude: Double(index % 9_000))
    }
    try checkReference(at: places[12_345])
    let wmm = try evaluate(.wmm2025, from: 2025, at: places)
    let igrf = try evaluate(.igrf14, from: 2000, at: places)
    let reference = medianSeconds {
      for (index, place) in places.enumerated() {
        var elements = reference_elements()
        let year = 2025 + Double(index % 50) * 0.1
        reference_field(year, place.latitude, place.longitude, place.altitude, &elements)
        use(elements)
      }
    }
    return [
      Measurement(what: "WMM2025", seconds: wmm, operations: count),
      Measurement(what: "IGRF-14", seconds: igrf, operations: count),
      Measurement(what: "plain C, same sum for WMM2025", seconds: reference, operations: count),
    ]
  }

  /// What is compared must be the same.
  private static func checkReference(at place: Place) throws {
    var reference = reference_elements()
    reference_field(2027.3, place.latitude, place.longitude, place.altitude, &reference)
    let field = try FieldModel.wmm2025.evaluate(at: place, date: 2027.3)
    guard abs(reference.value.6 - field.elements.total) < 1e-6,
      abs(reference.change.0 - field.yearlyChange.declination) < 1e-9
    else { throw BenchmarkFailure(description: "the reference computes another field") }
  }

  private static func evaluate(_ model: FieldModel, from year: Double, at places: [Place]) throws -> Double {
    try medianSeconds {
      for (index, place) in places.enumerated() {
        let date = DecimalYear(year + Double(index % 50) * 0.1)
        use(try model.evaluate(at: place, date: date))
      }
    }
  }
}
