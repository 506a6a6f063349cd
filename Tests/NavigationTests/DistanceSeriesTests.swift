import LodestoneCore
import Navigation
import Testing

@Suite struct DistanceSeriesTests {
  private static func reading(_ time: Double, _ magnitude: Double?) -> FieldReading {
    var reading = FieldReading(time: time, difference: .zero, field: .zero, flags: [])
    (reading.magnitude, reading.uncertainty) = (magnitude, 0.5)
    return reading
  }

  /// A series that has read these magnitudes, ten a second.
  private static func series(_ magnitudes: [Double?]) -> DistanceSeries {
    var series = DistanceSeries()
    for (index, magnitude) in magnitudes.enumerated() { series.add(reading(Double(index) / 10, magnitude)) }
    return series
  }

  @Test func aPointIsTheMeanOfTheLastSecond() throws {
    let before = [Double?](repeating: 900, count: 20), held: [Double?] = [40, 40, 40, 40, 40, 40, 41, 41, 41, 41, 41]
    var series = Self.series(before + held)
    let point = try series.mark(at: 0.1)
    #expect(abs(point.magnitude - (6 * 40 + 5 * 41) / 11.0) < 1e-9)
    #expect(point.distance == 0.1 && point.uncertainty == 0.5 && series.points == [point])
    let removed = [series.removeLast(), series.removeLast()]
    #expect(removed == [point, nil] && series.points.isEmpty)
  }

  @Test(
    arguments: [
      ([], .noReading), ([50, nil, 50], .saturated), ([0.4, 0.5, 0.4], .belowNoise), ([50, 61, 50], .moving),
      ([5, 7.2, 5], .moving),
    ] as [([Double?], DistanceSeries.Problem)])
  func whatIsNoPointIsRefused(_ magnitudes: [Double?], _ problem: DistanceSeries.Problem) {
    var series = Self.series(magnitudes)
    #expect(throws: problem) { try series.mark(at: 0.1) }
    #expect(series.points.isEmpty)
  }

  /// The gain is off by the same share at each distance: no number of points makes that smaller.
  @Test func theGainIsInTheMomentsHalfWidth() throws {
    let points = [0.05, 0.08, 0.1, 0.15, 0.2].map { distance in
      MagnetDistance.Point(distance: distance, magnitude: 0.1 / (distance * distance * distance), uncertainty: 0.01)
    }
    let found = try MagnetDistance(points)
    let (moment, depth) = found.halfWidths(under: nil)
    #expect(moment >= 1.95 * FieldMeter.gainTolerance * found.moment && moment > 1.95 * found.momentUncertainty)
    #expect(abs(depth - 1.96 * found.depthUncertainty) < 0.001 * depth)
  }

  /// Each point shows the gain, and none is weighed by it.
  @Test func theGainIsInNoPointsWeight() {
    #expect(DistanceSeries.teslameter.gainUncertainty == 0)
    let point = MagnetDistance.Point(distance: 0.1, magnitude: 100, uncertainty: 0.5)
    let shown = point.uncertainty(under: nil)
    #expect(abs(shown - 1.96 * FieldMeter.gainTolerance * 100) < 0.1 && shown > point.uncertainty)
  }
}
