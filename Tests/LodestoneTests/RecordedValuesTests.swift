import LodestoneCore
import Testing

@testable import Lodestone

/// The values of causes that another recording holds, beside samples of any order.
struct RecordedValuesTests {
  /// Between two entries a value lies on the line between them, wherever the sample before was; past the last one by
  /// more than a second, and in a gap of more than two, there is none.
  @Test func samplesMayLeapToAndFro() {
    var values = RecordedValues()
    for (time, value) in [(10.0, 1.0), (11, 2), (12, 4), (20, 5)] {
      var sample = Sample(time: time)
      sample.causes[0] = value
      values.add(sample)
    }
    for (time, expected) in [
      (11.5, 3.0), (10.5, 1.5), (20, 5), (10.5, 1.5), (12, 4), (9.5, 1), (12.5, 4), (10, 1), (16, nil), (8, nil),
      (21.5, nil), (.nan, nil), (11.75, 3.5),
    ] as [(Double, Double?)] {
      var sample = Sample(time: time)
      values.complete(&sample, nil, nil)
      #expect(sample.causes[0] == expected, "at \(time)")
    }
  }
}
