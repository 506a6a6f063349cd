import Glibc
import Instruments
import Lodestone
import LodestonePorts
import Support
import Testing

@testable import LodestoneWeb

/// A device that has failed, in its own place.
@Suite(.waiting) struct AbsentDeviceTests {
  private final class Board: SampleStream {
    let descriptor: Int32? = nil, wakeTime: MonotonicTime? = nil, isLive = true
    let identity: String, unixStart: Double? = nil

    init(_ identity: String) { self.identity = identity }

    func next() throws(StreamError) -> StreamEvent { .waiting }
  }

  /// It is looked for with pauses, and another board at its address is not taken for it.
  @Test func onlyTheSameDeviceReturns() throws {
    var found = [Board("other"), Board("meter")]
    let absent = AbsentDevice(Board("meter"), reopen: { found.removeFirst() })
    #expect(absent.look() === nil && found.count == 2)
    var candidate: Candidate?
    while candidate == nil {
      usleep(50_000)
      candidate = absent.look()
    }
    #expect(candidate?.stream.identity == "meter" && found.isEmpty)
    #expect(absent.notice(ofReturnAs: Board("other")) == nil)
    guard case .stream(.returned("meter", let seconds))? = absent.notice(ofReturnAs: Board("meter")) else {
      Issue.record("no return is told")
      return
    }
    #expect(seconds > 1)
  }
}
