import Geomagnetism
import Testing

@Suite struct DecimalYearTests {
  @Test(
    arguments: [
      ("2026.7", 2026.7), ("2026", 2026), ("2026-01-01", 2026), ("2026-12-31", 2026 + 364.0 / 365),
      ("2024-12-31", 2024 + 365.0 / 366), ("2024-02-29", 2024 + 59.0 / 366), ("2024-07-01", 2024 + 182.0 / 366),
      ("2000-03-01", 2000 + 60.0 / 366), ("1900-03-01", 1900 + 59.0 / 365), ("2026-01-01T12:00", 2026 + 0.5 / 365),
      ("2026-01-01T06:00:00Z", 2026 + 0.25 / 365), (" 2025-01-01 ", 2025), ("2016-12-31T23:59:60Z", 2017),
    ] as [(String, Double)])
  func reads(_ text: String, _ expected: Double) throws {
    let date = try #require(DecimalYear(text))
    #expect(abs(date.value - expected) < 1e-9)
  }

  @Test(
    arguments: [
      "", "today", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-1", "2026-09-12x",
      "2026-09-12T", "2026-09-12T25:00", "2026-09-12T10:61", "2026/09/12", "0000-01-01", "nan", "2026-09-12T10:00:-1",
    ])
  func refuses(_ text: String) {
    #expect(DecimalYear(text) == nil)
  }

  /// Seconds as `date -u +%s` gives them.
  @Test(
    arguments: [
      (0, "1970-01-01"), (1_709_164_800, "2024-02-29"), (1_735_603_200, "2024-12-31"), (1_735_689_600, "2025-01-01"),
      (946_684_800, "2000-01-01"), (-2_208_988_800, "1900-01-01"), (4_102_444_800, "2100-01-01"),
    ] as [(Double, String)])
  func clockAndCalendarAgree(_ seconds: Double, _ text: String) throws {
    let date = try #require(DecimalYear(text))
    #expect(abs(DecimalYear(secondsSince1970: seconds).value - date.value) < 1e-9)
  }

  @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300])
  func hostileClocksAreHarmless(_ seconds: Double) {
    #expect((1...10_000).contains(DecimalYear(secondsSince1970: seconds).value))
  }

  /// 182 of the 366 days of 2024 have passed when July begins.
  @Test func aDayOfTheCalendarIsAPartOfItsYear() throws {
    let july = try #require(DecimalYear(year: 2024, month: 7, day: 1))
    #expect(abs(july.value - (2024 + 182.0 / 366)) < 1e-12)
    let noon = try #require(DecimalYear(year: 2024, month: 7, day: 1, partOfDay: 0.5))
    #expect(abs(noon.value - (2024 + 182.5 / 366)) < 1e-12)
    #expect(DecimalYear(year: 2023, month: 2, day: 29) == nil)
    #expect(DecimalYear(year: 2024, month: 7, day: 1, partOfDay: 1.5) == nil)
  }
}
