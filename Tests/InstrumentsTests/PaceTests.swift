import LodestonePorts
import Testing

@testable import Instruments

@Suite struct PaceTests {
  private let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

  /// A program that was stopped for a minute goes on where it was: a replay sent the minute in a burst, as new.
  @Test func whatWaitedForAMinuteComesAtThePaceAgain() {
    var pace = Pace()
    #expect(pace.due(5, start) == start)
    #expect(pace.due(5.1, start) == start + 0.1)
    #expect(pace.due(5.2, start + 60) == start + 60)
    #expect(pace.due(5.3, start + 60) == start + 60.1)
  }

  @Test func aShortDelayIsCaughtUp() {
    var pace = Pace()
    _ = pace.due(0, start)
    #expect(pace.due(0.1, start + 1.5) == start + 0.1)
    #expect(pace.due(2, start + 1.5) == start + 2)
  }

  @Test func longGapsAndClocksSetBackAreSkipped() {
    var pace = Pace()
    _ = pace.due(0, start)
    #expect(pace.due(59, start) == start + 59)
    #expect(pace.due(120, start) == start)
    #expect(pace.due(1, start + 3) == start + 3)
    pace.putOff(by: 10)
    #expect(pace.due(2, start + 13) == start + 14)
  }
}
