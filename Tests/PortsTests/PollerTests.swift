import Glibc
import LodestonePorts
import Support
import Testing

@Suite(.waiting) struct PollerTests {
  @Test func theDeadlineIsKept() throws {
    var poller = Poller()
    let start = MonotonicTime.now
    #expect(try poller.wait(until: start + 0.002) == 0)
    #expect(MonotonicTime.now - start >= 0.002)
    #expect(try poller.wait(until: start) == 0)
  }

  @Test func onlyTheReadyDescriptorIsReported() throws {
    let first = try Pipe()
    let second = try Pipe()
    var poller = Poller()
    poller.watch(first.reader.number, for: .readable)
    poller.watch(second.reader.number, for: .readable)
    poller.watch(-1, for: .readable)
    #expect(write(second.writer.number, "x", 1) == 1)
    #expect(try poller.wait(until: soon) == 1)
    #expect(poller.readiness(of: first.reader.number) == [])
    #expect(poller.readiness(of: second.reader.number) == .readable)
    poller.forget(second.reader.number)
    #expect(poller.readiness(of: second.reader.number) == [])
    #expect(try poller.wait(until: .now) == 0)
  }

  @Test func interestsChange() throws {
    let pipe = try Pipe()
    var poller = Poller()
    poller.watch(pipe.writer.number, for: .writable)
    #expect(try poller.wait(until: soon) == 1)
    poller.watch(pipe.writer.number, for: [])
    #expect(try poller.wait(until: .now) == 0)
    pipe.reader.close()
    #expect(try poller.wait(until: soon) == 1)
    #expect(poller.readiness(of: pipe.writer.number).contains(.failed))
  }

  @Test func timesAddUp() {
    let start = MonotonicTime(nanoseconds: 1_000_000_000)
    #expect((start + 1.5).nanoseconds == 2_500_000_000)
    #expect((start + -0.25).nanoseconds == 750_000_000)
    #expect(start + 2 - start == 2)
    #expect(start + 1e300 > start)
    #expect(start + .infinity > start)
    #expect(start + -.infinity < start)
    #expect(start + .nan > start)
  }

  @Test func signalsArriveAsEvents() throws {
    let signals = try Signals()
    #expect(signals.next() == nil)
    raise(SIGTERM)
    var poller = Poller()
    poller.watch(signals.descriptor, for: .readable)
    #expect(try poller.wait(until: soon) == 1)
    #expect(signals.next() == .terminate)
    #expect(signals.next() == nil)
    // A second one while the first is seen to: it would end this program when the loop is gone.
    raise(SIGTERM)
  }
}
