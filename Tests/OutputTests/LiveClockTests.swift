import LodestonePorts
import Testing

@testable import LodestoneOutput

/// UTC for the records of a live stream, whatever the clocks of the machine and of the board do.
@Suite struct LiveClockTests {
  /// The error of a record's UTC at ten records a second, in seconds, at the end of so many seconds; and how often it
  /// was off by more than a second.
  private func error(
    after seconds: Double, board: (Double) -> Double, wait: (Double) -> Double = { _ in 0 },
    set: (Double) -> Double = { _ in 0 }
  ) throws -> (last: Double, tooFar: Int) {
    let (unix, zero) = (WallClock.unixTime, MonotonicTime.now)
    let clock = LiveClock(unixStart: unix)
    var (last, tooFar) = (0.0, 0)
    for tick in 0..<Int(seconds * 10) {
      let taken = Double(tick) / 10
      let comes = taken + wait(taken)
      let start = try #require(clock.start(of: board(taken), zero + comes, unixTime: unix + comes + set(comes)))
      last = start + board(taken) - (unix + taken + set(comes))
      if abs(last) > 1 { tooFar += 1 }
    }
    return (last, tooFar)
  }

  /// A ceramic resonator is off by half a percent (Murata's CSTCE16M0V53, the Arduino Uno's: 0.5 %): 7 minutes a day.
  @Test(arguments: [0.995, 1.005]) func aBoardsClockThatIsOffIsFollowed(rate: Double) throws {
    let error = try error(after: 7200, board: { $0 * rate })
    #expect(abs(error.last) < 1 && error.tooFar == 0, "\(error)")
  }

  /// Records that have waited for two seconds now and then, and one clock that is right: nothing moves.
  @Test func recordsThatHaveWaitedMoveNothing() throws {
    let error = try error(
      after: 600, board: { $0 }, wait: { max(0, 2 - $0.truncatingRemainder(dividingBy: 47)) })
    #expect(abs(error.last) < 0.01 && error.tooFar == 0, "\(error)")
  }

  /// A record of a window comes when that is over: its time is that long ago, and stays so.
  @Test func recordsOfAWindowKeepTheirTime() throws {
    let error = try error(after: 600, board: { $0 - 5 })
    #expect(abs(error.last + 5) < 0.01, "\(error)")
  }

  /// The machine's clock is set by an hour.
  @Test func aClockThatIsSetIsFollowedAtOnce() throws {
    let error = try error(after: 60, board: { $0 }, set: { $0 < 30 ? 0 : 3600 })
    #expect(abs(error.last) < 0.01 && error.tooFar == 0, "\(error)")
  }

  /// A recording of yesterday at its own pace keeps its UTC.
  @Test func aPacedRecordingKeepsItsTime() throws {
    let (unix, zero) = (WallClock.unixTime, MonotonicTime.now)
    let clock = LiveClock(unixStart: unix - 86_400)
    for second in stride(from: 0.0, to: 120, by: 1) {
      let start = try #require(clock.start(of: second, zero + second, unixTime: unix + second))
      #expect(abs(start - (unix - 86_400)) < 0.01)
    }
  }
}
