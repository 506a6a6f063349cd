import LodestonePorts
import Testing

@testable import Instruments

@Suite struct PresenceTests {
  private let start = MonotonicTime.now

  private func notice(_ event: StreamEvent?) -> StreamNotice? {
    if case .notice(let notice) = event { notice } else { nil }
  }

  @Test func tellsHowLongItWasAway() throws {
    var device = Presence(isAwaited: true)
    #expect(notice(device.find("a", start)) == nil)
    #expect(notice(try device.lose("a", start + 1)) == .lost("a"))
    #expect(device.isLost)
    // It may be back under another name.
    #expect(notice(device.find("b", start + 4)) == .returned("b", seconds: (start + 4) - (start + 1)))
    #expect(!device.isLost)
    #expect(notice(device.find("b", start + 5)) == nil)
  }

  @Test func isTheEndOfWhatNobodyWaitsFor() {
    var device = Presence()
    var connection = Presence(isConnection: true)
    #expect(throws: StreamError.gone("a")) { try device.lose("a", start) }
    #expect(throws: StreamError.disconnected("b")) { try connection.lose("b", start) }
    #expect(!device.isLost && device.nextLook == nil)
  }

  /// Nobody waits for longer than three seconds for a connection without a word, which is said once.
  @Test func tellsThatTheFirstConnectionTakesLong() throws {
    let (early, late) = (MonotonicTime.now + 2, MonotonicTime.now + 4)
    var connection = Presence(isAwaited: true, isConnection: true)
    let time = try #require(connection.overdueTime)
    #expect(time > early && time < late)
    #expect(!connection.isOverdue(early) && connection.isOverdue(late) && !connection.isOverdue(late))
    #expect(connection.overdueTime == nil)
    // One that stands is not waited for, nor is a device that is not connected to.
    var found = Presence(isAwaited: true, isConnection: true)
    _ = found.find("a", early)
    var device = Presence(isAwaited: true)
    #expect(!found.isOverdue(late) && found.overdueTime == nil && !device.isOverdue(late))
  }

  @Test func isLookedForOnlyWhileItIsAway() throws {
    var device = Presence(isAwaited: true, pauses: 0.25...0.25)
    #expect(!device.isDue(start + 1000))
    _ = try device.lose("a", start)
    #expect(!device.isDue(start + 0.2) && device.isDue(start + 0.25))
    device.miss(start + 0.25)
    #expect(device.nextLook == start + 0.25 + 0.25)
    _ = device.find("a", start + 0.5)
    #expect(device.nextLook == nil && !device.isDue(start + 1000))
  }

  /// Seconds from a loss, and from each look in vain, to the next look.
  private func pauses(_ connection: inout Presence, lostAt moment: MonotonicTime, looks: Int) throws -> [Double] {
    var (now, pauses) = (moment, [Double]())
    _ = try connection.lose("a", now)
    for _ in 0..<looks {
      let next = try #require(connection.nextLook)
      pauses.append(next - now)
      now = next
      connection.miss(now)
    }
    return pauses
  }

  @Test func isLookedForLessAndLessOftenUntilItIsGood() throws {
    var connection = Presence(isAwaited: true, isConnection: true, pauses: 1...5)
    _ = connection.find("a", start)
    #expect(try pauses(&connection, lostAt: start + 1, looks: 4) == [1, 2, 4, 5])
    // It stood for too short a time to be trusted.
    _ = connection.find("a", start + 20)
    #expect(try pauses(&connection, lostAt: start + 29, looks: 1) == [5])
    _ = connection.find("a", start + 40)
    #expect(try pauses(&connection, lostAt: start + 51, looks: 2) == [1, 2])
  }
}
