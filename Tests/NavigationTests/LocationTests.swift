import LodestoneCore
import Support
import Testing

@testable import Navigation

/// Distances, jumps and climbs of a receiver.
@Suite struct LocationTests {
  private static func position(_ latitude: Double, _ longitude: Double, at time: Double) -> Position {
    var position = Position(Coordinate(latitude: latitude, longitude: longitude), unixTime: 1_700_000_000 + time)
    position.time = time
    return position
  }

  private static func notices(_ location: inout Location) -> [ReceiverNotice] {
    var notices: [ReceiverNotice] = []
    while case .receiver(let notice)? = location.nextNotice() { notices.append(notice) }
    return notices
  }

  /// 40.6 N 73.8 W to 51.6 N 0.5 W: 5 551 759.400 m, at 51.198883° (documentation of GeographicLib).
  @Test func distanceAndBearingAreFromTheOrigin() throws {
    var settings = Location.Settings()
    settings.origin = Coordinate(latitude: 40.6, longitude: -73.8)
    var location = Location(settings)
    var reading = LocationReading()
    let isRead = location.read(Self.position(51.6, -0.5, at: 0), into: &reading)
    #expect(isRead)
    #expect(abs(try #require(reading.distance) - 5_551_759.400) < 0.001)
    #expect(abs(try #require(reading.bearing) - 51.198883) < 1e-6)
  }

  @Test func withoutAnOriginTheFirstFixIsOne() throws {
    var location = Location()
    var reading = LocationReading()
    _ = location.read(Self.position(0, 179.9999, at: 0), into: &reading)
    #expect(reading.distance == 0 && reading.bearing == nil)
    // A degree of the equator is 111 319.491 m.
    _ = location.read(Self.position(0, -179.9999, at: 1), into: &reading)
    #expect(abs(try #require(reading.distance) - 22.2639) < 0.001)
    #expect(reading.bearing == 90)
    location.countFromHere()
    _ = location.read(Self.position(0, -179.9999, at: 2), into: &reading)
    #expect(reading.distance == 0)
  }

  /// Whoever wants to know what is left of a climb is told, once, that nothing tells it.
  @Test(arguments: [nil, 200.0]) func aClimbWithoutAnAltitudeIsTold(altitude: Double?) throws {
    var settings = Location.Settings()
    settings.goal = 300
    var location = Location(settings)
    var told: [ReceiverNotice] = []
    for second in 0..<20 {
      var position = Self.position(48 + 0.00001 * Double(second), 16, at: Double(second))
      position.altitude = second < 2 ? nil : altitude
      var reading = LocationReading()
      _ = location.read(position, into: &reading)
      #expect(reading.climbLeft == position.altitude.map { 300 - $0 })
      told += Self.notices(&location)
    }
    #expect(told == (altitude == nil ? [.noAltitude] : []))
  }

  /// The times, trips and segments of fixes a log of which tells UTC for some.
  private static func parts(_ fixes: [(utc: Double?, time: Double)]) -> [[Double]] {
    var location = Location()
    return fixes.enumerated().compactMap { index, fix -> [Double]? in
      var position = Self.position(48 + 0.0001 * Double(index), 16, at: 0)
      (position.unixTime, position.time) = (fix.utc, fix.time)
      var reading = LocationReading()
      let isRead = location.read(position, into: &reading)
      guard isRead else { return nil }
      return [reading.time, Double(reading.trip ?? 0), Double(reading.segment ?? 0)]
    }
  }

  /// A point without a time belongs to the trip, and was at the time of the one before it; a long gap still ends the
  /// trip.
  @Test func aFixWithoutATimeEndsNoTrip() {
    let start = 1_700_000_000.0
    let some = Self.parts([(start, start), (start + 10, start + 10), (nil, 2), (nil, 3), (start + 20, start + 20)])
    #expect(
      some == [[start, 1, 1], [start + 10, 1, 1], [start + 10, 1, 1], [start + 10, 1, 1], [start + 20, 1, 1]])
    let gap = Self.parts([(start, start), (nil, 1), (start + 2000, start + 2000)])
    #expect(gap == [[start, 1, 1], [start, 1, 1], [start + 2000, 2, 2]])
    let early = Self.parts([(nil, 0), (start, start)])
    #expect(early == [[0, 1, 1], [start, 1, 1]])
    // A live receiver's stream has a clock of its own.
    let live = Self.parts([(start, 0), (nil, 1), (nil, 2), (start + 3, 3), (nil, 40), (nil, 80)])
    #expect(live == [[0, 1, 1], [1, 1, 1], [2, 1, 1], [3, 1, 1], [40, 1, 1], [80, 1, 2]])
  }

  @Test func withinTheAccuracyThereIsNoBearing() {
    var location = Location()
    var reading = LocationReading()
    for (second, accuracy) in [30.0, 30, 10].enumerated() {
      var position = Self.position(0.0002 * Double(min(second, 1)), 0, at: Double(second))
      position.horizontalAccuracy = accuracy
      _ = location.read(position, into: &reading)
      #expect((reading.bearing == nil) == (second < 2))
    }
  }

  @Test func aFixThatComesTwiceIsOne() {
    var location = Location()
    var reading = LocationReading()
    var again = Self.position(48, 16, at: 0)
    let first = location.read(again, into: &reading)
    again.time = 0.4
    let second = location.read(again, into: &reading)
    #expect(first && !second)
    // Who tells no time may stand still.
    again.unixTime = nil
    let third = location.read(again, into: &reading)
    let fourth = location.read(again, into: &reading)
    #expect(third && fourth)
  }

  @Test func aSingleFixOutOfReachIsLeftOut() {
    var location = Location()
    var reading = LocationReading()
    var isRead: [Bool] = []
    for second in 0..<6 {
      let isFar = second == 3
      isRead.append(location.read(Self.position(isFar ? 0 : 48, isFar ? 0 : 16, at: Double(second)), into: &reading))
    }
    #expect(isRead == [true, true, true, false, true, true])
    let notices = Self.notices(&location)
    guard case .jumped(let metres, seconds: 1)? = notices.first, notices.count == 1 else {
      Issue.record("\(notices)")
      return
    }
    #expect(abs(metres - 5_500_000) < 200_000)
  }

  @Test func severalFixesThatAgreeAreBelieved() {
    var location = Location()
    var reading = LocationReading()
    var isRead: [Bool] = []
    for second in 0..<6 {
      isRead.append(location.read(Self.position(second < 2 ? 48 : 49, 16, at: Double(second)), into: &reading))
    }
    #expect(isRead == [true, true, false, false, true, true])
    let notices = Self.notices(&location)
    #expect(notices.count == 2)
    if case .moved? = notices.last {} else { Issue.record("\(notices)") }
  }

  /// An airliner at 250 m/s, and a pause of an hour without a fix.
  @Test func whatCanBeFlownIsNoJump() {
    var location = Location()
    var reading = LocationReading()
    var count = 0
    for second in 0..<100 {
      let time = second < 50 ? Double(second) : 3600 + Double(second)
      if location.read(Self.position(250 * time / 111_000, 16, at: time), into: &reading) { count += 1 }
    }
    #expect(count == 100)
    #expect(Self.notices(&location) == [])
  }

  @Test func aLostFixIsSaidOnceAndLeavesNoValue() {
    var location = Location()
    var reading = LocationReading()
    var none = Position()
    let early = location.read(none, into: &reading)
    #expect(!early)
    #expect(Self.notices(&location) == [.noFix])
    _ = location.read(Self.position(48, 16, at: 1), into: &reading)
    #expect(Self.notices(&location) == [.fix])
    none.time = 2
    let lost = location.read(none, into: &reading)
    let stillLost = location.read(none, into: &reading)
    #expect(lost && !stillLost)
    #expect(reading.position.coordinate == nil && reading.distance == nil && reading.time == 2)
    #expect(Self.notices(&location) == [.noFix])
  }

  // MARK: Climb

  private static func rates(_ altitudes: [Double], isAboveSea: Bool = false) -> [Double?] {
    var climb = ClimbRate()
    return altitudes.enumerated().map { second, altitude in
      var position = Self.position(48, 16, at: Double(second))
      if isAboveSea { position.seaLevelAltitude = altitude } else { position.altitude = altitude }
      return climb.rate(of: position)
    }
  }

  @Test(arguments: [0.5, -0.5, 2, -8])
  func aClimbIsFoundInItsNoise(_ rate: Double) throws {
    var random = SeededGenerator(seed: 4)
    let rates = Self.rates((0..<60).map { 500 + rate * Double($0) + Double.random(in: -0.5...0.5, using: &random) })
    for found in rates.suffix(40) { #expect(abs(try #require(found) - rate) < 0.12) }
    #expect(rates.prefix(5).allSatisfy { $0 == nil })
  }

  @Test func whatStandsStillDoesNotClimb() {
    var random = SeededGenerator(seed: 5)
    let rates = Self.rates((0..<2000).map { _ in 500 + Double.random(in: -2...2, using: &random) })
    #expect(rates.count { $0 != nil } < 60)
    #expect(Self.rates((0..<60).map { _ in 545.4 }).allSatisfy { $0 == nil })
  }

  /// The geoid's height is no climb.
  @Test func anotherDatumIsNoClimb() {
    var climb = ClimbRate()
    let rates = (0..<30).map { second in
      var position = Self.position(48, 16, at: Double(second))
      if second < 15 { position.altitude = 592.3 } else { position.seaLevelAltitude = 545.4 }
      return climb.rate(of: position)
    }
    #expect(rates.allSatisfy { $0 == nil })
  }

  @Test func theReceiversWordCountsWhereItIsMoreThanItsError() {
    var climb = ClimbRate()
    var position = Self.position(48, 16, at: 0)
    (position.altitude, position.climb, position.climbAccuracy) = (100, 1.5, 0.4)
    #expect(climb.rate(of: position) == 1.5)
    position.climbAccuracy = 30
    #expect(climb.rate(of: position) == nil)
    (position.climb, position.climbAccuracy) = (0.04, nil)
    #expect(climb.rate(of: position) == nil)
  }
}
