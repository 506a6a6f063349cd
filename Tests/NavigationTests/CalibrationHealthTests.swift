import Navigation
import Testing

@Suite struct CalibrationHealthTests {
  /// Events of a run at 10 Hz in which strength and inclination are given by second.
  private static func events(
    seconds: Int, _ field: (Double) -> (strength: Double, inclination: Double?)
  ) -> [(time: Double, event: CalibrationHealth.Event)] {
    var health = CalibrationHealth(strength: 48, inclination: 65)
    var found: [(time: Double, event: CalibrationHealth.Event)] = []
    for step in 0..<(seconds * 10) {
      let time = Double(step) / 10
      let now = field(time)
      if let event = health.add(time: time, strength: now.strength, inclination: now.inclination) {
        found.append((time, event))
      }
    }
    return found
  }

  @Test func aFieldAsItWasIsHealthy() {
    #expect(Self.events(seconds: 600) { time in (48 + (time.truncatingRemainder(dividingBy: 2) - 1), 65.5) }.isEmpty)
  }

  @Test func aWeakerFieldIsSaidOnce() throws {
    let events = Self.events(seconds: 400) { time in (time < 100 ? 48 : 45, 65) }
    #expect(events.count == 1)
    let first = try #require(events.first)
    // The mean over a minute passes 4 % of 6.25 % after about a minute; half a minute later it is said.
    #expect((130...250).contains(first.time))
    guard case .noLongerFits(let share, _) = first.event else {
      Issue.record("\(first.event)")
      return
    }
    #expect(share < -0.04)
  }

  @Test func anotherDipIsSaid() {
    let events = Self.events(seconds: 300) { _ in (48, 60) }
    guard case .noLongerFits(_, let degrees) = events.first?.event else {
      Issue.record("no event")
      return
    }
    #expect(abs((degrees ?? 0) + 5) < 0.1)
  }

  @Test func aPassingCarIsForgotten() {
    #expect(Self.events(seconds: 600) { time in (time > 100 && time < 110 ? 60 : 48, 65) }.isEmpty)
  }

  @Test func itCanRecover() {
    let events = Self.events(seconds: 900) { time in (time < 300 ? 44 : 48, nil) }
    #expect(events.map { $0.event }.last == .fitsAgain)
    #expect(events.count == 2)
  }

  @Test func nonsenseIsIgnored() {
    var health = CalibrationHealth(strength: 48, inclination: nil)
    #expect(health.add(time: .nan, strength: 48, inclination: nil) == nil)
    #expect(health.add(time: 1, strength: .infinity, inclination: .nan) == nil)
    #expect(health.strengthShare == nil)
  }
}
