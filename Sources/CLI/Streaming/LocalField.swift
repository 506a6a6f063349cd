import Core
import Drivers
import Geomagnetism
import Glibc

/// The Earth's field where the device is. The model is asked anew when the place has moved by a kilometre or a day has
/// passed; declination changes by less than 0.02° on that way outside the polar regions.
final class LocalField {
  /// In kilometres.
  private static let step = 1.0
  private static let secondsPerDay = 86_400.0

  /// By the model; nil while the place is not known.
  @exclusivity(unchecked) private(set) var earth: EarthField?
  private let options: PlaceOptions
  private let isLive: Bool
  private let notices: Notices
  private let isFixed: Bool
  private var asked: (place: Place, unixTime: Double)?
  private var hasFailed = false

  /// The field at `--at`, which stays; or nothing until a position comes.
  /// - Parameter isLive: fixes are of now; otherwise of the time that they tell.
  init(_ options: PlaceOptions, isLive: Bool, notices: Notices) throws {
    self.options = options
    self.isLive = isLive
    self.notices = notices
    isFixed = options.at != nil
    earth = try options.field()
  }

  /// Takes a position fix.
  func move(to fix: WirePosition) {
    guard !isFixed, let place = Place(fix) else { return }
    let now = isLive ? Double(time(nil)) : fix.unixTime ?? Double(time(nil))
    if let asked, place.distance(to: asked.place) < Self.step, abs(now - asked.unixTime) < Self.secondsPerDay { return }
    asked = (place, now)
    do {
      let field = try options.field(at: place, unixTime: now)
      if earth == nil { notices.say("position received: declination \(signed(field.declination.degrees))°") }
      earth = field
    } catch {
      if !hasFailed { notices.say("no declination: \((error as? Failure)?.message ?? "\(error)")") }
      hasFailed = true
      earth = nil
    }
  }

  private func signed(_ degrees: Double) -> String { (degrees < 0 ? "" : "+") + number(degrees, 1) }
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
