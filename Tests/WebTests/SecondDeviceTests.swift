import Instruments
import LodestoneCore
import LodestonePorts
import Testing

@testable import LodestoneWeb

/// The device beside the first one.
struct SecondDeviceTests {
  /// A stream of two samples that fails afterwards.
  private final class FailingStream: SampleStream {
    let descriptor: Int32? = nil, wakeTime: MonotonicTime? = nil, isLive = true
    let identity = "meter", unixStart: Double? = nil
    private var count = 0

    func next() throws(StreamError) -> StreamEvent {
      count += 1
      guard count <= 2 else { throw .gone("meter") }
      return .sample(Sample(time: Double(count), field: MagneticField(microtesla: Vector3(20, 0, -40))))
    }
  }

  /// Its failure is told once, nothing of it is shown any more, and its stream is closed.
  @Test func oneThatFailsIsToldAndClosed() throws {
    weak var stream: FailingStream?
    let second: SecondDevice
    do {
      let opened = FailingStream()
      stream = opened
      second = try SecondDevice(opened, mounting: .aligned)
    }
    var failures: [String] = []
    second.onFailure = { name, error in failures.append("\(name): \(error)") }
    var poller = Poller()
    for _ in 0..<3 {
      second.watch(with: &poller)
      second.serve(poller)
    }
    #expect(failures.count == 1 && failures.first?.hasPrefix("meter: gone") == true, "\(failures)")
    #expect(second.field == nil && second.heading == nil && second.wakeTime == nil)
    let isClosed = stream == nil
    #expect(isClosed)
  }
}
