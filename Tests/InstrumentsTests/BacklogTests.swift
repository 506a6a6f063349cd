import LodestonePorts
import Testing

@testable import Instruments

@Suite struct BacklogTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  /// A backlog after two seconds of a hundred bytes each tenth of a second.
  private func used() -> Backlog {
    var backlog = Backlog(since: start)
    for tenth in 1...20 {
      _ = backlog.piece(of: 100, start + Double(tenth) / 10)
      #expect(backlog.end(start + Double(tenth) / 10) == nil)
    }
    return backlog
  }

  /// A machine that slept has let nothing in: the time is missing, and what comes afterwards is of now.
  @Test func aSleepIsAGap() {
    var backlog = used()
    #expect(backlog.end(start + 602) == Backlog.Hole(seconds: 600, hasBytesBefore: false))
    #expect(backlog.piece(of: 100, start + 602.1).moment == start + 602.1)
    #expect(backlog.end(start + 602.1) == nil)
  }

  /// What waited came from the look before on; the rest is missing.
  @Test func whatWaitedComesFirst() throws {
    var backlog = used()
    let first = backlog.piece(of: 1000, start + 602)
    #expect(first.moment < start + 2.1)
    for _ in 0..<62 { _ = backlog.piece(of: 16, start + 602) }
    let end = backlog.end(start + 602)
    let hole = try #require(end)
    #expect(abs(hole.seconds - 599) < 1 && hole.hasBytesBefore, "\(hole)")
  }

  /// What waited on its way fills the pause, a little more or less than the pace before; where there is far less, its
  /// end is missing.
  @Test(arguments: [(5500, 0.0), (2000, 3.0)]) func whatWaitedOnItsWayFillsThePause(_ count: Int, _ missing: Double) {
    var backlog = used()
    backlog.wait(for: count, since: start + 2, until: start + 7)
    var last = start
    for _ in 0..<count { last = backlog.piece(of: 1, start + 7).moment }
    #expect(abs(last - (start + 7 + -missing)) < 0.2, "\(last - start)")
    let hole = backlog.end(start + 7.2)
    #expect(abs((hole?.seconds ?? 0) - missing) < 0.3)
  }

  @Test func aBusyMachineHasNoGap() {
    var backlog = used()
    #expect(backlog.end(start + 3.9) == nil)
    var unheard = Backlog(since: start)
    #expect(unheard.end(start + 600) == nil)
  }

  /// Nothing was silent, or made no sense, while nobody looked.
  @Test func silenceIsCountedFromTheWakingOn() {
    var watch = SilenceWatch(since: start)
    watch.received(start + 1)
    watch.heard()
    watch.received(start + 1.5)
    let isNew = watch.goOn(start + 600, after: Backlog.Hole(seconds: 598, hasBytesBefore: false))
    #expect(isNew && watch.complaint(start + 600) == nil && !watch.isSenseless(start + 600))
    #expect(watch.complaint(start + 602.9) == nil)
    #expect(watch.complaint(start + 603) == .silent(seconds: 3))
    let isTold = watch.goOn(start + 1200, after: Backlog.Hole(seconds: 597, hasBytesBefore: true))
    #expect(!isTold)
    // Three of the usual intervals say nothing.
    var slow = SilenceWatch(since: start)
    for second in [10.0, 20, 30] { slow.received(start + second) }
    let hole = Backlog.Hole(seconds: 4, hasBytesBefore: false)
    let isLong = slow.goOn(start + 35, after: hole)
    #expect(!isLong)
  }
}
