import Core
import Drivers
import Geomagnetism
import Glibc
import Ports

/// The Earth's field where the device is. The model is asked anew when the place has moved by a kilometre or a day has
/// passed; declination changes by less than 0.02° on that way outside the polar regions.
final class LocalField {
  /// In kilometres.
  private static let step = 1.0
  private static let secondsPerDay = 86_400.0
  /// Between two looks at the calendar, in seconds.
  private static let lookInterval = 600.0

  /// By the model; nil while the place is not known.
  /// Unchecked: it is asked for each sample, and changes between samples only.
  @exclusivity(unchecked) private(set) var earth: EarthField?
  private let options: PlaceOptions
  private let isLive: Bool
  private let notices: Notices
  private let clock: () -> Double
  private let isFixed: Bool
  private var asked: (place: Place, unixTime: Double)?
  private var hasFailed = false
  private var nextLook = MonotonicTime.now + lookInterval

  /// The field at `--at`, which stays; or nothing until a position comes.
  /// - Parameters:
  ///   - isLive: fixes are of now; otherwise of the time that they tell.
  ///   - clock: now, in seconds since 1970.
  init(
    _ options: PlaceOptions, isLive: Bool, notices: Notices, clock: @escaping () -> Double = { Double(time(nil)) }
  ) throws {
    self.options = options
    self.isLive = isLive
    self.notices = notices
    self.clock = clock
    isFixed = options.at != nil
    guard let at = options.at else { return }
    let (place, now) = (try Place(argument: at), clock())
    earth = try options.field(at: place, unixTime: now)
    asked = (place, now)
  }

  /// Takes a position fix.
  func move(to fix: WirePosition) {
    guard !isFixed, let place = Place(fix) else { return }
    let now = isLive ? clock() : fix.unixTime ?? clock()
    if let asked, place.distance(to: asked.place) < Self.step, !hasPassedDay(since: asked.unixTime, at: now) { return }
    let wasUnknown = earth == nil
    ask(place, at: now)
    guard wasUnknown, let earth else { return }
    notices.say("position received: declination \(signed(earth.declination.degrees))°")
  }

  /// Asks anew where the device was last, once a day of a live stream: it may stay for months where it is.
  func keepUp() {
    let now = clock()
    guard isLive, let asked, hasPassedDay(since: asked.unixTime, at: now) else { return }
    ask(asked.place, at: now)
  }

  private func hasPassedDay(since before: Double, at now: Double) -> Bool { abs(now - before) >= Self.secondsPerDay }

  private func ask(_ place: Place, at now: Double) {
    asked = (place, now)
    do {
      earth = try options.field(at: place, unixTime: now)
    } catch {
      if !hasFailed { notices.say("no declination: \((error as? Failure)?.message ?? "\(error)")") }
      hasFailed = true
      earth = nil
    }
  }

  private func signed(_ degrees: Double) -> String { (degrees < 0 ? "" : "+") + number(degrees, 1) }
}

extension LocalField: LoopCompanion {
  var wakeTime: MonotonicTime? { nextLook }

  func watch(with poller: inout Poller) {}

  func serve(_ poller: Poller) {
    let now = MonotonicTime.now
    guard now >= nextLook else { return }
    nextLook = now + Self.lookInterval
    keepUp()
  }
}

extension Place {
  /// The place of a fix; nil for one whose numbers are out of range. An altitude that cannot be is left out.
  fileprivate init?(_ fix: WirePosition) {
    let level = try? Place(latitude: fix.latitude, longitude: fix.longitude)
    let exact = fix.altitude.flatMap {
      try? Place(latitude: fix.latitude, longitude: fix.longitude, altitude: $0)
    }
    guard let place = exact ?? level else { return nil }
    self = place
  }

  /// In kilometres along the ground, on a sphere: good enough to tell whether somebody has moved.
  fileprivate func distance(to other: Place) -> Double {
    let perDegree = 111.2
    let north = (other.latitude - latitude) * perDegree
    let east = Angle.shortestTurn(from: longitude, to: other.longitude) * perDegree * cos(Angle.radians(latitude))
    return (north * north + east * east).squareRoot()
  }
}
