import LodestoneCore
import Geomagnetism
import Lodestone
import Testing

/// The declination of a stream that runs for days, by a clock that the test winds.
@Suite struct LocalFieldTests {
  private final class Clock {
    var now: Double
    init(_ now: Double) { self.now = now }
  }

  /// 2025-01-01.
  private let clock = Clock(1_735_689_600)
  private static let day = 86_400.0

  private func field(_ place: Place? = nil, date: DecimalYear? = nil, isLive: Bool = true) throws -> LocalField {
    let clock = clock
    return try LocalField(
      PlaceSettings(place, date: date), isLive: isLive, clock: { clock.now }, earliest: 1_700_000_000)
  }

  /// WMM2025_TestValues.txt at 89° N, 121° W, 28 km: −99.77°, and 2.4917° more each year.
  private static func arctic() throws -> Place { try Place(latitude: 89, longitude: -121, altitude: 28_000) }
  private static func isPublished(_ field: LocalField, after years: Double) -> Bool {
    field.earth.map { abs($0.declination.degrees - (-99.77 + 2.4917 * years)) < 0.03 } == true
  }

  @Test func aFixedPlaceIsAskedAgainWhenADayHasPassed() throws {
    let field = try field(Self.arctic())
    #expect(Self.isPublished(field, after: 0))
    let first = field.earth?.declination.degrees
    clock.now += 0.9 * Self.day
    field.keepUp()
    #expect(field.earth?.declination.degrees == first)
    clock.now += 365 * Self.day
    field.keepUp()
    #expect(Self.isPublished(field, after: 1))
    // The clock was wrong, and has been set.
    clock.now -= 365.9 * Self.day
    field.keepUp()
    #expect(Self.isPublished(field, after: 0))
  }

  @Test func theLastFixIsAskedAgainThoughNoneFollows() throws {
    let field = try field()
    field.keepUp()
    #expect(field.earth == nil)
    field.move(to: Position(Coordinate(latitude: 89, longitude: -121), altitude: 28_000))
    #expect(Self.isPublished(field, after: 0))
    clock.now += 365 * Self.day
    field.keepUp()
    #expect(Self.isPublished(field, after: 1))
  }

  /// Compasses err near the magnetic pole: that is told once, when the device comes there.
  @Test func aWeakFieldIsToldOnce() throws {
    let field = try field()
    var count = 0
    field.onNotice = { if case .weakField(let earth) = $0, earth.zone != .normal { count += 1 } }
    field.move(to: Position(Coordinate(latitude: 48.2, longitude: 16.37)))
    #expect(count == 0)
    for altitude in [28_000.0, 28_500] {
      field.move(to: Position(Coordinate(latitude: 89, longitude: -121), altitude: altitude))
      clock.now += 2 * Self.day
      field.keepUp()
    }
    #expect(count == 1)
  }

  @Test func aDateThatWasGivenStays() throws {
    let field = try field(Self.arctic(), date: DecimalYear("2025"))
    clock.now += 365 * Self.day
    field.keepUp()
    #expect(Self.isPublished(field, after: 0))
  }

  @Test func aRecordingHasItsOwnTime() throws {
    let field = try field(Self.arctic(), isLive: false)
    clock.now += 365 * Self.day
    field.keepUp()
    #expect(Self.isPublished(field, after: 0))
  }

  /// The date that a recording tells is that of its field; a clock that was never set, or is years ahead, told none.
  @Test(arguments: [(1_735_689_600, 0.0), (3600, 1), (2_060_000_000, 1)])
  func aRecordingIsOfItsStart(_ start: Double, _ years: Double) throws {
    let now = clock.now + 365 * Self.day
    let field = try LocalField(
      PlaceSettings(Self.arctic()), isLive: false, start: start, clock: { now }, earliest: 1_700_000_000)
    #expect(Self.isPublished(field, after: years))
  }

  /// Of a model's life: what cannot be told any more is absent, and told again when it can be.
  @Test func aModelThatHasEndedTellsNothing() throws {
    let field = try field(Self.arctic())
    clock.now += 20 * 365 * Self.day
    field.keepUp()
    #expect(field.earth == nil)
  }

  /// A small board boots in 1970: a fixed place has no field until a fix tells the time.
  @Test func aClockThatCannotBeRightIsNotBelieved() throws {
    clock.now = 3600
    let field = try field(Self.arctic())
    #expect(field.earth == nil)
    field.keepUp()
    #expect(field.earth == nil)
    field.move(to: Position(Coordinate(latitude: 0, longitude: 0)))
    #expect(field.earth == nil)
    field.move(to: Position(Coordinate(latitude: 0, longitude: 0), unixTime: 1_735_689_600))
    #expect(Self.isPublished(field, after: 0))
  }

  /// An old receiver's count of weeks has run over: its date, before this program was made, is not now.
  @Test func aFixFromThePastIsNotBelieved() throws {
    clock.now = 3600
    let field = try field()
    var isTold = false
    field.onNotice = { if case .noTime = $0 { isTold = true } }
    field.move(to: Position(Coordinate(latitude: 89, longitude: -121), altitude: 28_000, unixTime: 1_116_288_000))
    #expect(field.earth == nil && isTold)
    field.move(to: Position(Coordinate(latitude: 89, longitude: -121), altitude: 28_000, unixTime: 1_735_689_600))
    #expect(Self.isPublished(field, after: 0))
  }

  /// 700 m from the South Pole 600 m to the east are 50° of longitude: true north turns as far against the field.
  @Test func wayAroundAPoleTurnsTrueNorth() throws {
    let field = try field(date: 2025)
    var told: [Double] = []
    for longitude in [0.0, 50] {
      field.move(to: Position(Coordinate(latitude: -89.9937, longitude: longitude)))
      told += [try #require(field.earth).declination.degrees]
    }
    #expect(abs(Angle.shortestTurn(from: told[0], to: told[1]) + 50) < 0.5, "\(told)")
  }

  @Test func aClockThatIsSetLaterIsBelieved() throws {
    clock.now = 3600
    let field = try field(Self.arctic())
    clock.now = 1_735_689_600
    field.keepUp()
    #expect(Self.isPublished(field, after: 0))
  }

  @Test func aGivenDateNeedsNoClock() throws {
    clock.now = 3600
    #expect(Self.isPublished(try field(Self.arctic(), date: 2025), after: 0))
  }
}
