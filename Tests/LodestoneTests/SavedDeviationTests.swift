import Calibration
import Lodestone
import Testing

@Suite struct SavedDeviationTests {
  private func file(version: String) -> [UInt8] {
    Array(
      """
      {"format": "lodestone-deviation", "version": \(version), "calibrated": "2026-01-01T00:00:00Z", "headings": 8,
       "coefficients_deg": [1, 11.94, 7.96, 5, 1.5], "uncertainties_deg": [1, 1, 1, 1, 1], "residual_deg": 0.5}
      """.utf8)
  }

  @Test(arguments: ["2", "2.5"]) func isReadWithLaterMinorVersions(version: String) throws {
    let saved = try SavedDeviation(json: file(version: version))
    #expect(saved.deviation.coefficients == [1, 11.94, 7.96, 5, 1.5] && saved.headings == 8)
    #expect(saved.calibrated == 1_767_225_600)  // by `date -u -d 2026-01-01 +%s`
  }

  /// What a later major version means by its numbers is not known.
  @Test(arguments: [("3", 3), ("1e300", 1_000_000)]) func aNewerMajorVersionIsRefused(version: String, told: Int) {
    #expect(throws: ProfileProblem.newerVersion(told)) { try SavedDeviation(json: file(version: version)) }
  }
}
