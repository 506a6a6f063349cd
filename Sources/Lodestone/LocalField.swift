import Geomagnetism
import Glibc
import LodestoneCore
import LodestonePorts
import Navigation

/// The Earth's field where the device is. The model is asked anew when the place has moved by a kilometre or a day has
/// passed; declination changes by less than 0.02° on that way outside the polar regions. While the system's clock
/// cannot be right, the time is that of the fixes, if that can be; without one there is no field.
public final class LocalField {
  /// The distance after which the model is asked again, in kilometres.
  private static let step = 1.0
  private static let secondsPerDay = 86_400.0
  /// Between two looks at the calendar, in seconds.
  private static let lookInterval = 600.0
  /// Between two looks while the clock is wrong, in seconds.
  private static let impatientInterval = 5.0

  /// The field by the model; nil while the place or the date is not known.
  public private(set) var earth: EarthField? { didSet { onChange?(earth.map { EarthReference($0) }) } }
  /// Called when the field has changed.
  public var onChange: ((EarthReference?) -> Void)?
  /// Called with each position, once the field is that of its place.
  public var onPosition: ((Position) -> Void)?
  /// Called with what the user should know.
  public var onNotice: ((Notice) -> Void)?
  private let settings: PlaceSettings
  private let isLive: Bool
  private let clock: () -> Double
  private let earliest: Double
  private let isFixed: Bool
  /// The moment a recording began, where it tells a date that can be.
  private let start: Double?
  private var asked: (place: Place, unixTime: Double)?
  private var hasFailed = false
  /// Whether the user was told that compasses err where the device is.
  private var zoneIsTold = false
  /// Whether the place is known and the date is not.
  private var lacksTime = false
  private var lastLook = MonotonicTime.now

  /// The field at the given place, which stays; or nothing until a position comes.
  /// - `isLive`: fixes are of now; otherwise of the time that they tell.
  /// - `start`: when a recording began, in seconds since 1970, where it tells: the date for the model.
  /// - `clock`: now, in seconds since 1970.
  /// - `earliest`: the earliest moment that a correct clock can show, in seconds since 1970.
  public init(
    _ settings: PlaceSettings, isLive: Bool, start: Double? = nil,
    clock: @escaping () -> Double = { WallClock.unixTime }, earliest: Double = Release.unixTime
  ) throws(FieldModel.Problem) {
    self.settings = settings
    self.isLive = isLive
    self.clock = clock
    self.earliest = earliest
    self.start = isLive ? nil : WallClock.recorded(start, now: clock(), earliest: earliest)
    isFixed = settings.place != nil
    guard let place = settings.place else { return }
    guard let now = time() else {
      lacksTime = true
      return
    }
    earth = try settings.field(at: place, unixTime: now)
    asked = (place, now)
  }

  /// Says what is wrong with the clock, where something is, or with the place.
  func begin() {
    if lacksTime { onNotice?(.noTime(unixTime: clock())) }
    tellZone()
  }

  /// Says once that the horizontal field is too weak for a compass.
  private func tellZone() {
    guard !zoneIsTold, let earth, earth.zone != .normal else { return }
    zoneIsTold = true
    onNotice?(.weakField(earth))
  }

  /// The moment a recording began, else now by the clock; nil where that cannot be right. With a date given it does not
  /// matter.
  private func time() -> Double? { settings.date != nil ? clock() : start ?? believed(clock()) }

  /// A time of now; nil where it lies before the release of this program, as those of a receiver do whose weeks have
  /// run over.
  private func believed(_ time: Double?) -> Double? { time.flatMap { $0 >= earliest ? $0 : nil } }

  /// Takes what a receiver says; nothing where it has no fix.
  public func move(to fix: Position) {
    defer { onPosition?(fix) }
    guard !isFixed || lacksTime, let place = settings.place ?? Place(fix) else { return }
    guard let now = isLive ? time() ?? believed(fix.unixTime) : fix.unixTime ?? time() else {
      if !lacksTime { onNotice?(.noTime(unixTime: clock())) }
      lacksTime = true
      return
    }
    if let asked, place.distance(to: asked.place) < Self.step, !hasPassedDay(since: asked.unixTime, at: now) { return }
    let wasUnknown = earth == nil
    ask(place, at: now)
    if wasUnknown, let earth {
      onNotice?(isFixed ? .timeReceived(earth.declination) : .positionReceived(earth.declination))
    }
    tellZone()
  }

  /// Asks anew where the device was last, once a day of a live stream: it may stay for months where it is. A clock that
  /// was wrong may have been set.
  public func keepUp() {
    guard isLive, let now = time() else { return }
    if lacksTime, let place = settings.place {
      ask(place, at: now)
      if let earth { onNotice?(.timeReceived(earth.declination)) }
    } else if let asked, hasPassedDay(since: asked.unixTime, at: now) {
      ask(asked.place, at: now)
    }
    tellZone()
  }

  private func hasPassedDay(since before: Double, at now: Double) -> Bool { abs(now - before) >= Self.secondsPerDay }

  private func ask(_ place: Place, at now: Double) {
    asked = (place, now)
    lacksTime = false
    do throws(FieldModel.Problem) {
      earth = try settings.field(at: place, unixTime: now)
    } catch {
      if !hasFailed { onNotice?(.noDeclination(error)) }
      hasFailed = true
      earth = nil
    }
  }
}

extension LocalField: LoopCompanion {
  /// The time to look at the calendar.
  public var wakeTime: MonotonicTime? { lastLook + (lacksTime ? Self.impatientInterval : Self.lookInterval) }

  /// Watches the clock alone.
  public func watch(with poller: inout Poller) {}

  /// Asks the model again when a day has passed.
  public func serve(_ poller: Poller) {
    let now = MonotonicTime.now
    guard let wakeTime, now >= wakeTime else { return }
    lastLook = now
    keepUp()
  }
}

extension Place {
  /// The place of a fix; nil without one. An altitude that cannot be is left out.
  fileprivate init?(_ fix: Position) {
    guard let coordinate = fix.coordinate else { return nil }
    let level = try? Place(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let exact = fix.altitude.flatMap {
      try? Place(latitude: coordinate.latitude, longitude: coordinate.longitude, altitude: $0)
    }
    guard let place = exact ?? level else { return nil }
    self = place
  }

  /// The distance along the ground in kilometres, on a sphere: good enough to tell whether somebody has moved. Near a
  /// pole the way around it counts as longer, because true north turns with the longitude: by 0.045° a kilometre at
  /// most.
  fileprivate func distance(to other: Place) -> Double {
    let perDegree = 111.2
    let north = (other.latitude - latitude) * perDegree
    let perDegreeEast = perDegree * max(cos(Angle.radians(latitude)), 0.2)
    let east = Angle.shortestTurn(from: longitude, to: other.longitude) * perDegreeEast
    return (north * north + east * east).squareRoot()
  }
}
