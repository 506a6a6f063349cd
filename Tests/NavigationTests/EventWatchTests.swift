import LodestoneCore
import Navigation
import Testing

/// Events of values that pass their numbers, with a hysteresis.
@Suite struct EventWatchTests {
  private static func level(_ pitch: Double, at time: Double) -> LevelReading {
    var reading = LevelReading()
    (reading.time, reading.pitch) = (time, pitch)
    return reading
  }

  private static func heading(_ degrees: Double, _ time: Double) -> HeadingReading {
    var reading = HeadingReading()
    reading.time = time
    reading.trueHeading = Heading(degrees: degrees)
    return reading
  }

  @Test func whatCannotBeAnEventIsRefused() {
    for text in ["dance", "above", "above:", "above:x", "inside:3", "outside:1..", "shake:2", "tilt:-1", "above:1..2"] {
      #expect(EventTrigger(text) == nil, "\(text)")
    }
    #expect(EventTrigger("outside:80..100")?.numbers == [80, 100])
    #expect(EventTrigger("above:-2.5")?.numbers == [-2.5])
  }

  @Test func aValueThatTremblesAboutItsNumberIsOneEvent() throws {
    var watch = EventWatch<LevelReading>([try #require(EventTrigger("tilt:0.5"))])
    let pitches = [0.1, 0.4, 0.52, 0.48, 0.55, 0.45, 0.51, 0.3, 0.6]
    let events = pitches.enumerated().map { watch.events(of: Self.level($1, at: Double($0))).count }
    #expect(events == [0, 0, 1, 0, 0, 0, 0, 0, 1])
  }

  /// A sector through north: 350° to 10°.
  @Test func aRangeOfHeadingsGoesThroughNorth() throws {
    let triggers = try ["inside:350..10", "outside:350..10"].map { try #require(EventTrigger($0)) }
    var watch = EventWatch<HeadingReading>(triggers)
    let headings = [180.0, 351, 5, 10.5, 12, 9.5, 8]
    let events = headings.enumerated().map { watch.events(of: Self.heading($1, Double($0))) }
    #expect(events == [[1], [0], [], [1], [], [0], []])
  }

  @Test func restAndMovementAreToldInTurn() throws {
    var watch = EventWatch<LevelReading>(try ["still", "moved"].map { try #require(EventTrigger($0)) })
    var told: [String] = []
    for step in 0..<100 {
      let pitch = step < 30 ? 5 : step < 50 ? 5 + Double(step - 30) : 24
      for index in watch.events(of: Self.level(pitch, at: Double(step) / 10)) {
        told.append("\(watch.triggers[index].text) \(step)")
      }
    }
    #expect(told == ["still 10", "moved 31", "still 59"])
  }
}
