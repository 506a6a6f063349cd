import LodestoneCore
import Geomagnetism
import Testing

/// A row of a published table.
struct PublishedRow: CustomTestStringConvertible {
  let date: DecimalYear
  let altitudeKilometres, latitude, longitude: Double
  /// Declination, inclination, H, X, Y, Z, F.
  let elements: [Double]
  /// Their change in a year; empty where the table has none.
  let change: [Double]

  static func rows(_ table: [Double], width: Int) -> [PublishedRow] {
    stride(from: 0, to: table.count, by: width).map { start in
      let row = [Double](table[start..<(start + width)])
      return PublishedRow(
        date: DecimalYear(row[0]), altitudeKilometres: row[1], latitude: row[2], longitude: row[3],
        elements: [Double](row[4..<11]), change: [Double](row[11...]))
    }
  }

  var testDescription: String { "\(date.value) \(altitudeKilometres) km \(latitude) \(longitude)" }

  func place() throws -> Place {
    try Place(latitude: latitude, longitude: longitude, altitude: altitudeKilometres * 1000)
  }
}

extension MagneticElements {
  /// In the order of the published tables.
  var inTableOrder: [Double] { [declination, inclination, horizontal, north, east, down, total] }
}

@Suite struct FieldModelTests {
  /// Every element within half a unit of the last printed digit or the tolerance, whichever is more.
  private func expect(
    _ model: FieldModel, _ row: PublishedRow, degrees: Double, nanotesla: Double, changeDegrees: Double = 0,
    changeNanotesla: Double = 0
  ) throws {
    let field = try model.evaluate(at: row.place(), date: row.date)
    for (index, (got, expected)) in zip(field.elements.inTableOrder, row.elements).enumerated() {
      #expect(abs(got - expected) <= (index < 2 ? degrees : nanotesla), "element \(index)")
    }
    for (index, (got, expected)) in zip(field.yearlyChange.inTableOrder, row.change).enumerated() {
      #expect(abs(got - expected) <= (index < 2 ? changeDegrees : changeNanotesla), "change \(index)")
    }
  }

  // The tables print angles to 0.01° and, for 2020 and the reports, fields to 0.1 nT: half of that is their rounding.

  @Test(arguments: PublishedRow.rows(PublishedValues.wmm2025, width: 18))
  func wmm2025MeetsItsTestValues(_ row: PublishedRow) throws {
    try expect(.wmm2025, row, degrees: 0.00501, nanotesla: 0.001, changeDegrees: 2e-6, changeNanotesla: 2e-5)
  }

  @Test(arguments: PublishedRow.rows(PublishedValues.wmm2020, width: 18))
  func wmm2020MeetsItsTestValues(_ row: PublishedRow) throws {
    try expect(.wmm2020, row, degrees: 0.00501, nanotesla: 0.0501, changeDegrees: 0.0501, changeNanotesla: 0.0501)
  }

  @Test(arguments: PublishedRow.rows(PublishedValues.wmm2025Report, width: 18))
  func wmm2025MeetsItsReport(_ row: PublishedRow) throws {
    try expect(.wmm2025, row, degrees: 0.00501, nanotesla: 0.0501, changeDegrees: 0.00501, changeNanotesla: 0.0501)
  }

  @Test(arguments: PublishedRow.rows(ReferenceValues.igrf14, width: 11))
  func igrf14MeetsItsReferenceValues(_ row: PublishedRow) throws {
    try expect(.igrf14, row, degrees: 0.001, nanotesla: 0.2)
  }

  @Test func tablesAreWhole() {
    #expect(PublishedRow.rows(PublishedValues.wmm2025, width: 18).count == 100)
    #expect(PublishedRow.rows(PublishedValues.wmm2020, width: 18).count == 100)
    #expect(PublishedRow.rows(PublishedValues.wmm2025Report, width: 18).count == 12)
    #expect(PublishedRow.rows(ReferenceValues.igrf14, width: 11).count == 40)
  }

  /// The definition of IGRF: at an epoch the field is that of the coefficients of the epoch, from both sides.
  @Test(arguments: [1905.0, 1950, 1995, 2000, 2015, 2025])
  func igrf14IsContinuousAcrossEpochs(_ epoch: Double) throws {
    let place = try Place(latitude: 40, longitude: -100)
    let before = try FieldModel.igrf14.evaluate(at: place, date: DecimalYear(epoch.nextDown))
    let after = try FieldModel.igrf14.evaluate(at: place, date: DecimalYear(epoch))
    #expect(abs(before.elements.total - after.elements.total) < 1e-6)
  }

  /// The change in a year is the derivative of the field: a central difference must agree.
  @Test(arguments: FieldModel.all.map(\.name))
  func changeIsTheDerivative(_ name: String) throws {
    let model = try #require(FieldModel.named(name))
    let middle = (model.life.lowerBound.value + model.life.upperBound.value) / 2 + 1
    let step = 1e-3
    for (latitude, longitude) in [(52.0, 5.0), (-33, 151), (0, -60), (80, 100)] {
      let place = try Place(latitude: latitude, longitude: longitude)
      let fields = try [-step, 0, step].map { try model.evaluate(at: place, date: DecimalYear(middle + $0)) }
      let (low, high) = (fields[0].elements.inTableOrder, fields[2].elements.inTableOrder)
      for (index, change) in fields[1].yearlyChange.inTableOrder.enumerated() {
        #expect(abs((high[index] - low[index]) / (2 * step) - change) < 1e-4)
      }
    }
  }
}

// MARK: Poles and date line

@Suite struct EdgeOfTheMapTests {
  @Test(arguments: [90.0, -90], [-180.0, -90, 0, 37.5, 180, 360])
  func polesAreTheLimitAlongTheMeridian(_ latitude: Double, _ longitude: Double) throws {
    let pole = try FieldModel.wmm2025.evaluate(at: Place(latitude: latitude, longitude: longitude), date: 2026)
    let nearby = try FieldModel.wmm2025.evaluate(
      at: Place(latitude: latitude * (1 - 1e-9), longitude: longitude), date: 2026)
    for (atPole, near) in zip(pole.elements.inTableOrder, nearby.elements.inTableOrder) {
      #expect(atPole.isFinite)
      #expect(abs(atPole - near) < 1e-3)
    }
    #expect(pole.yearlyChange.inTableOrder.allSatisfy { $0.isFinite })
  }

  @Test(arguments: [90.0, -90])
  func polesHaveOneFieldWhateverTheLongitude(_ latitude: Double) throws {
    let first = try FieldModel.wmm2025.evaluate(at: Place(latitude: latitude, longitude: 0), date: 2026).elements
    for longitude in stride(from: -180.0, through: 360, by: 30) {
      let place = try Place(latitude: latitude, longitude: longitude)
      let other = try FieldModel.wmm2025.evaluate(at: place, date: 2026).elements
      #expect(abs(other.horizontal - first.horizontal) < 1e-6)
      #expect(abs(other.down - first.down) < 1e-6)
      // Turning the meridian turns north by as much: against the longitude in the north, with it in the south.
      let turned = first.declination + (latitude > 0 ? longitude : -longitude)
      #expect(abs(Angle.shortestTurn(from: turned, to: other.declination)) < 1e-6)
    }
  }

  @Test func dateLineIsNoEdge() throws {
    for latitude in [-60.0, 0, 66] {
      let fields = try [-180, 180].map {
        try FieldModel.wmm2025.evaluate(at: Place(latitude: latitude, longitude: $0), date: 2026).elements.inTableOrder
      }
      #expect(zip(fields[0], fields[1]).allSatisfy { abs($0 - $1) < 1e-6 })
      let west = try FieldModel.wmm2025.evaluate(at: Place(latitude: latitude, longitude: -75), date: 2026).elements
      let east = try FieldModel.wmm2025.evaluate(at: Place(latitude: latitude, longitude: 285), date: 2026).elements
      #expect(zip(west.inTableOrder, east.inTableOrder).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}

// MARK: Life, uncertainty, zones

@Suite struct FieldModelLifeTests {
  private let vienna = try? Place(latitude: 48.2, longitude: 16.37, altitude: 200)

  @Test(arguments: [(2024.99, false), (2025, true), (2030, true), (2030.01, false), (.nan, false), (.infinity, false)])
  func refusesDatesOutsideItsLife(_ year: Double, _ accepted: Bool) throws {
    let vienna = try #require(vienna)
    guard accepted else {
      let refusal = #expect(throws: FieldModel.Problem.self) {
        try FieldModel.wmm2025.evaluate(at: vienna, date: DecimalYear(year))
      }
      guard case .dateOutsideLife(_, "wmm2025", 2025...2030) = refusal else {
        Issue.record("\(String(describing: refusal))")
        return
      }
      return
    }
    #expect(throws: Never.self) { try FieldModel.wmm2025.evaluate(at: vienna, date: DecimalYear(year)) }
  }

  @Test func extrapolatesOnRequestWithAGrowingUncertainty() throws {
    let vienna = try #require(vienna)
    let atTheEnd = try FieldModel.wmm2025.evaluate(at: vienna, date: 2030, extrapolating: true)
    let beyond = try FieldModel.wmm2025.evaluate(at: vienna, date: 2032, extrapolating: true)
    let before = try FieldModel.igrf14.evaluate(at: vienna, date: 1895, extrapolating: true)
    #expect(abs(beyond.elements.north - atTheEnd.elements.north - 2 * atTheEnd.yearlyChange.north) < 1e-6)
    #expect(beyond.declinationUncertainty > atTheEnd.declinationUncertainty)
    #expect(before.elements.total.isFinite)
    #expect(throws: FieldModel.Problem.self) {
      try FieldModel.wmm2025.evaluate(at: vienna, date: DecimalYear(.nan), extrapolating: true)
    }
  }

  @Test(
    arguments: [
      (1900, "igrf14"), (2019.99, "igrf14"), (2020, "wmm2020"), (2024.99, "wmm2020"), (2025, "wmm2025"),
      (2030, "wmm2025"), (1899.9, nil), (2030.1, nil), (.nan, nil),
    ] as [(Double, String?)])
  func eachDateHasItsModel(_ year: Double, _ name: String?) {
    #expect(FieldModel.made(for: DecimalYear(year))?.name == name)
  }

  @Test func nearestModelOutsideAllLives() {
    #expect(FieldModel.nearest(to: 1800).name == "igrf14")
    #expect(FieldModel.nearest(to: 2040).name == "wmm2025")
    #expect(FieldModel.nearest(to: 2021).name == "wmm2020")
  }

  /// Worked by hand from the reports: at H = 1504.298 nT, √(0.26² + (5417/1504.298)²) = 3.610°.
  @Test func uncertaintyFollowsTheReport() throws {
    let row = try #require(PublishedRow.rows(PublishedValues.wmm2025, width: 18).first)
    let field = try FieldModel.wmm2025.evaluate(at: row.place(), date: row.date)
    #expect(abs(field.declinationUncertainty - 3.6104) < 1e-3)
    #expect(field.zone == .blackout)
  }

  @Test(
    arguments: [(0, .blackout), (1999.9, .blackout), (2000, .caution), (5999.9, .caution), (6000, .normal)]
      as [(Double, CompassZone)])
  func zones(_ horizontal: Double, _ zone: CompassZone) {
    #expect(CompassZone(horizontal: horizontal) == zone)
  }

  @Test func uncertaintyIsNeverMoreThanHalfATurn() throws {
    // Down to the dip pole in the north, where H vanishes.
    var (latitude, longitude, least) = (85.8, 138.0, Double.infinity)
    for step in [0.2, 0.05, 0.01, 0.002] {
      let (centreLatitude, centreLongitude) = (latitude, longitude)
      for i in -8...8 {
        for j in -8...8 {
          let place = try Place(
            latitude: centreLatitude + Double(i) * step, longitude: centreLongitude + Double(j) * step * 10)
          let field = try FieldModel.wmm2025.evaluate(at: place, date: 2025)
          #expect(field.declinationUncertainty <= 180)
          if field.elements.horizontal < least {
            (latitude, longitude, least) = (place.latitude, place.longitude, field.elements.horizontal)
          }
        }
      }
    }
    // The report puts the north dip pole of 2025.0 at 85.76° N, 139.30° E.
    #expect(abs(latitude - 85.76) < 0.01)
    #expect(abs(longitude - 139.30) < 0.1)
  }

  @Test func compassValues() throws {
    let field = try FieldModel.wmm2025.evaluate(at: #require(vienna), date: 2026.7)
    #expect(field.declination.degrees == field.elements.declination)
    #expect(abs(field.strength - field.elements.total / 1000) < 1e-9)
    #expect(MagneticField.earthStrength.contains(field.strength))
    #expect(field.inclination == field.elements.inclination)
  }

  @Test func namesAreKnown() {
    #expect(FieldModel.all.map(\.name) == ["wmm2025", "wmm2020", "igrf14"])
    #expect(FieldModel.named("wmm2015") == nil)
  }
}
