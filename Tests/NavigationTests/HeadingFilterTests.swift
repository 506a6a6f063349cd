import LodestoneCore
import Navigation
import Testing

@Suite struct HeadingFilterTests {
  private static func reading(
    _ time: Double, _ degrees: Double?, _ quality: HeadingReading.Quality = .good
  ) -> HeadingReading {
    var reading = HeadingReading(time: time)
    reading.quality = quality
    reading.magneticHeading = degrees.map { Heading(degrees: $0) }
    return reading
  }

  /// The headings let through of those that come ten times a second.
  private static func passed(_ readings: [(Double?, HeadingReading.Quality)]) -> [Double?] {
    var filter = HeadingFilter(turn: 5)
    return readings.enumerated().compactMap { index, reading in
      let reading = Self.reading(Double(index) / 10, reading.0, reading.1)
      return filter.passes(reading) ? .some(reading.magneticHeading?.degrees) : nil
    }
  }

  @Test func onlyTurnsOfTheWantedSizePass() {
    let readings = [0.0, 3, 4.9, 5, 8, 10, 6, 5, 4].map { (Double?($0), HeadingReading.Quality.good) }
    #expect(Self.passed(readings) == [0, 5, 10, 5])
    #expect(Self.passed([(358, .good), (1, .good), (3.5, .good)]) == [358, 3.5])
  }

  /// An accuracy that trembles about a border changes the word from line to line, and nothing for the reader.
  @Test func wordsThatTrembleDoNotPass() {
    let readings = (0..<100).map { (Double?(10 + 0.3 * Double($0 % 2)), [HeadingReading.Quality.good, .fair][$0 % 2]) }
    #expect(Self.passed(readings) == [10])
    let disturbed = (0..<100).map { (Double?(10), [HeadingReading.Quality.fair, .disturbed][$0 % 2]) }
    #expect(Self.passed(disturbed) == [10])
  }

  @Test func aDisturbanceThatStaysPassesOnce() {
    let readings = (0..<60).map { (Double?(10), $0 < 20 ? HeadingReading.Quality.good : .disturbed) }
    #expect(Self.passed(readings).count == 2)
    let lost = (0..<60).map { ($0 < 20 || $0 > 40 ? Double?(10) : nil, HeadingReading.Quality.good) }
    #expect(Self.passed(lost).count == 3)
  }
}
