import Glibc
import Instruments
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

  /// A screen that points north and is raised about its lower edge: from 50° on the heading is that of its back.
  @Test func aScreenHeldUprightIsTilted() throws {
    let degrees = [0.0, 30, 45, 55, 65, 90, 120]
    var watch = EventWatch<HeadingReading>([try #require(EventTrigger("tilt:60"))])
    var told: [Int] = []
    for (second, angle) in degrees.map({ Angle.radians($0) }).enumerated() {
      let (up, north) = (Vector3(0, sin(angle), cos(angle)), Vector3(0, cos(angle), -sin(angle)))
      let sample = Sample(
        time: Double(second), field: MagneticField(microtesla: north * 20 - up * 43), acceleration: Acceleration(g: up))
      var compass = Compass()
      guard let reading = compass.read(DeviceFrame().read(sample)) else { continue }
      #expect(abs(try #require(reading.tilt) - degrees[second]) < 1e-6, "\(reading)")
      told.append(watch.events(of: reading).count)
    }
    #expect(told == [0, 0, 0, 0, 1, 0, 0])
  }

  /// A sector through north: 350° to 10°.
  @Test func aRangeOfHeadingsGoesThroughNorth() throws {
    let triggers = try ["inside:350..10", "outside:350..10"].map { try #require(EventTrigger($0)) }
    var watch = EventWatch<HeadingReading>(triggers)
    let headings = [180.0, 351, 5, 10.5, 12, 9.5, 8]
    let events = headings.enumerated().map { watch.events(of: Self.heading($1, Double($0))) }
    #expect(events == [[1], [0], [], [1], [], [0], []])
  }

  /// The events of a receiver that was here each second: at a latitude, with a speed in m/s where it tells one.
  private static func events(_ fixes: [(latitude: Double, speed: Double?)]) throws -> [String] {
    var watch = EventWatch<LocationReading>(try ["still", "moved"].map { try #require(EventTrigger($0)) })
    return fixes.enumerated().flatMap { second, fix in
      var position = Position(Coordinate(latitude: fix.latitude, longitude: 170))
      (position.time, position.speed) = (Double(second), fix.speed)
      return watch.events(of: LocationReading(position)).map { "\(watch.triggers[$0].text) \(second)" }
    }
  }

  /// 5 m a second to the north, 0.000045° each: it never rests, whether it tells its speed or not. Then it stays.
  @Test(arguments: [5.0, nil])
  func aReceiverThatMovesSteadilyDoesNotRest(_ speed: Double?) throws {
    typealias Fix = (latitude: Double, speed: Double?)
    let way = (0..<60).map { Fix(48 + 0.000045 * Double($0), speed) }
    #expect(try Self.events(way) == [])
    let told = try Self.events(way + [Fix](repeating: Fix(48.0027, speed.map { _ in 0 }), count: 30) + way)
    #expect(told.count == 2 && told.first?.hasPrefix("still 7") == true && told.last?.hasPrefix("moved 9") == true)
  }

  /// A circle of 100 m about the place that distances count from: each distance is the same, and none of it a rest.
  @Test func aCircleAboutTheStartIsNoRest() throws {
    let circle = (0..<90).map { step in
      let angle = Angle.radians(Double(step) * 4)
      return Coordinate(latitude: 0.0009 * cos(angle), longitude: 0.0009 * sin(angle))
    }
    var watch = EventWatch<LocationReading>([try #require(EventTrigger("still"))])
    let events = circle.enumerated().flatMap { second, place in
      var reading = LocationReading(Position(place))
      (reading.time, reading.distance) = (Double(second), 100)
      return watch.events(of: reading)
    }
    #expect(events == [])
  }

  /// A field of so many µT along x in noise of a third of a microtesla; hours after its zero-point the ± is 150 µT.
  private static func field(_ strength: Double, at time: Double) -> FieldReading {
    var reading = FieldReading(time: time, difference: Vector3(strength, 0, 0), field: .zero, flags: [])
    (reading.magnitude, reading.uncertainty, reading.scatter) = (strength, 150, 1)
    return reading
  }

  private static func saturated(_ strength: Double, at time: Double) -> FieldReading {
    var reading = field(strength, at: time)
    (reading.magnitude, reading.uncertainty, reading.atLeast) = (nil, nil, strength * 0.9)
    reading.flags = .saturated
    return reading
  }

  private static func events(_ triggers: [String], _ readings: [FieldReading]) throws -> [[String]] {
    var watch = EventWatch<FieldReading>(try triggers.map { try #require(EventTrigger($0)) })
    return readings.map { watch.events(of: $0).map { watch.triggers[$0].text } }
  }

  /// Each pulse is one event, however stale the zero-point, and one that comes back by its noise alone is the same.
  @Test func anAlarmLetsGoWhateverTheAgeOfTheZeroPoint() throws {
    let strengths = [[Double]](repeating: [10, 160, 100.5, 99.5, 101, 10], count: 12).joined()
    let readings = strengths.enumerated().map { Self.field($1, at: Double($0)) }
    #expect(try Self.events(["above:100"], readings).joined().count == 12)
    #expect(try Self.events(["outside:0..100"], readings).joined().count == 12)
  }

  /// A number below the noise is let go of too.
  @Test func noSlackIsMoreThanTheWayBack() throws {
    let readings = [0.1, 2, 0.1, 2].enumerated().map { Self.field($1, at: Double($0)) }
    #expect(try Self.events(["above:0.5"], readings) == [[], ["above:0.5"], [], ["above:0.5"]])
  }

  /// A sensor at the end of its range tells that there is more than a number, never that there is less.
  @Test func aSaturatedSensorRaisesTheAlarm() throws {
    let readings = [
      Self.field(10, at: 0), Self.saturated(4800, at: 1), Self.saturated(4800, at: 2), Self.field(10, at: 3),
      Self.saturated(4800, at: 4),
    ]
    for event in ["above:1000", "outside:0..500"] {
      #expect(try Self.events([event], readings) == [[], [event], [], [], [event]])
    }
    let silent = ["above:6000", "inside:4000..5000", "below:5000", "outside:4000..5000"]
    #expect(try Self.events(silent, Array(readings[1...2])) == [[], []])
  }

  /// Five minutes of noise of 0.5 µT are one rest; a step of ten times that is a movement.
  @Test func noiseIsNoMovement() throws {
    var random = RandomNumbers(seed: 7)
    let readings = (0..<30_100).map { step in
      var reading = Self.field(0, at: Double(step) / 100)
      reading.difference =
        Vector3(random.normal(), random.normal(), random.normal()) * 0.5 + Vector3(step < 30_000 ? 0 : 5, 0, 0)
      reading.scatter = 1.5
      return reading
    }
    let told = try Self.events(["still", "moved"], readings)
    #expect(told.prefix(30_000).joined().elementsEqual(["still"]))
    #expect(told.dropFirst(30_000).joined().first == "moved")
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
