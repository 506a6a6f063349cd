import LodestoneCore
import Geomagnetism
import Lodestone
import LodestonePorts

extension Place {
  /// Reads a place as people write it.
  init(argument: String) throws(Failure) {
    guard let text = PlaceText(argument) else {
      throw Failure(
        .usage, "'\(argument)' is not a valid place",
        hint: "give latitude and longitude in degrees, and the altitude in metres if it matters: --at 48.2,16.37,200 "
          + "or --at '48 12.5 N, 16 22.3 E'")
    }
    do {
      try self.init(latitude: text.latitude, longitude: text.longitude, altitude: text.altitude ?? 0)
    } catch {
      throw Failure(.usage, error.words, hint: error.hint)
    }
  }
}

extension Coordinate {
  /// Reads a place without an altitude.
  init(argument: String) throws(Failure) {
    let place = try Place(argument: argument)
    guard PlaceText(argument)?.altitude == nil,
      let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
    else {
      throw Failure(
        .usage, "'\(argument)' is not a valid coordinate",
        hint: "give latitude and longitude in degrees: --from 48.2,16.37")
    }
    self = coordinate
  }
}

extension DecimalYear {
  /// Reads a decimal year or an ISO 8601 date.
  init(argument: String) throws(Failure) {
    guard let date = DecimalYear(argument) else {
      throw Failure(
        .usage, "'\(argument)' is not a valid date", hint: "give a decimal year or a day: --date 2026.7 or 2026-09-12")
    }
    self = date
  }
}

extension Failure {
  /// The failure where the day is not known, because the clock is wrong.
  static func wrongClock() -> Failure {
    Failure(.usage, clockWords(WallClock.unixTime), hint: "set the clock, or give --date")
  }
}

extension Place.Problem {
  var words: String {
    switch self {
    case .latitude(let degrees): "latitude \(plain(degrees)) is outside -90 to 90 degrees"
    case .longitude(let degrees): "longitude \(plain(degrees)) is outside -180 to 360 degrees"
    case .altitude(let metres): "altitude \(plain(metres)) is outside -12000 to 850000 metres, where the model ends"
    }
  }

  var hint: String {
    switch self {
    case .latitude: "latitude comes first, north positive"
    case .longitude: "longitude comes second, east positive"
    case .altitude: "altitude comes third, in metres above the WGS 84 ellipsoid"
    }
  }

  private func plain(_ value: Double) -> String {
    value.exactText(absent: "(not a number)")
  }
}

extension FieldModel.Problem {
  /// The remedy. Another model is named only where one covers the date.
  var hint: String {
    switch self {
    case .dateOutsideLife(let date, _, _):
      let others = FieldModel.all.filter { $0.life.contains(date) }.map { $0.name }
      return others.isEmpty
        ? "no model covers it: accept a worse answer with --extrapolate"
        : "choose --model \(others.joined(separator: " or ")), or accept a worse answer with --extrapolate"
    }
  }
}
