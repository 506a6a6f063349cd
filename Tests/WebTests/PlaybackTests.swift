import Instruments
import LodestoneCore
import LodestonePorts
import Testing

@testable import LodestoneWeb

/// A recording that is played on the page.
struct PlaybackTests {
  /// A recording of some samples at one time, which fails afterwards.
  private final class FailingRecording: SampleStream {
    let descriptor: Int32? = nil, wakeTime: MonotonicTime? = nil, isLive = false
    let identity = "ride.csv", unixStart: Double? = nil
    private var left: Int

    init(samples: Int) { left = samples }

    func next() throws(StreamError) -> StreamEvent {
      guard left > 0 else { throw .gone(identity) }
      left -= 1
      return .sample(Sample(time: 0, field: MagneticField(microtesla: Vector3(20, 0, -40))))
    }
  }

  /// One that cannot be read on stands, as at its end, and says why once.
  @Test func anErrorOnTheWayEndsIt() throws {
    let playback = Playback(FailingRecording(samples: 2), duration: nil)
    var failures: [StreamError] = []
    playback.onFailure = { failures.append($0) }
    var samples = 0
    for _ in 0..<5 { if case .sample = try playback.next() { samples += 1 } }
    #expect(samples == 2 && failures == [.gone("ride.csv")])
    #expect(playback.hasEnded && playback.isStanding && playback.descriptor == nil)
  }

  /// Where nothing came there is nothing to show.
  @Test func anErrorAtTheBeginningIsTold() {
    let playback = Playback(FailingRecording(samples: 0), duration: nil)
    #expect(throws: StreamError.gone("ride.csv")) { try playback.next() }
  }
}
