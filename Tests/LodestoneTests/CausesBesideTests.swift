import Drivers
import Instruments
import LodestoneCore
import LodestonePorts
import Testing

@testable import Lodestone

/// A recording with the values of another one.
struct CausesBesideTests {
  /// A recording of samples, a second apart.
  private final class Recording: SampleStream {
    let descriptor: Int32? = nil, wakeTime: MonotonicTime? = nil, isLive = false
    let identity: String, unixStart: Double? = nil
    private let count: Int, value: Double?
    private var given = 0

    init(_ identity: String, count: Int, value: Double? = nil) {
      (self.identity, self.count, self.value) = (identity, count, value)
    }

    private func take() -> Sample {
      var sample = Sample(time: Double(given), field: MagneticField(microtesla: Vector3(20, 0, -40)))
      sample.causes[0] = value
      given += 1
      return sample
    }

    func next() throws(StreamError) -> StreamEvent { given < count ? .sample(take()) : .ended }

    func nextSample(into sample: inout Sample) -> Bool {
      guard given < count else { return false }
      sample = take()
      return true
    }
  }

  /// A long one is read piece by piece, so that whoever asks can see to other things; no sample comes before its end.
  @Test func theOtherOneIsReadInPieces() throws {
    let stream = CausesBeside(
      Recording("ride", count: 3), valuesOf: Recording("current", count: 20_000, value: 7), name: "current",
      isLive: false)
    stream.seek(CauseNames(["current_A"]))
    var sample = Sample(time: 0)
    var waits = 0
    while !stream.nextSample(into: &sample) {
      guard case .waiting = try stream.next() else { break }
      waits += 1
      let due = stream.wakeTime
      try #require(due.map { $0 <= .now } == true && stream.descriptor == nil && waits < 100)
    }
    #expect(waits > 2)
    while stream.nextSample(into: &sample) { #expect(sample.causes[0] == 7) }
    #expect(sample.time == 2)
  }
}
