import LodestoneCore
import Geomagnetism
import LodestonePorts

extension Place {
  /// Reads `LAT,LON` or `LAT,LON,ALT` in degrees and metres.
  init(argument: String) throws(Failure) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double(decimal: Array($0.utf8).span)
    }
    guard parts.count == 2 || parts.count == 3, let latitude = parts[0], let longitude = parts[1],
      let altitude = parts.count == 3 ? parts[2] : 0
    else {
      throw Failure(
        .usage, "'\(argument)' is not a valid place",
        hint: "give latitude and longitude in degrees, and the altitude in metres if it matters: --at 48.2,16.37,200")
    }
    do {
      try self.init(latitude: latitude, longitude: longitude, altitude: altitude)
    } catch {
      throw Failure(.usage, error.words, hint: error.hint)
    }
  }
}

extension Coordinate {
  /// Reads `LAT,LON` in degrees.
  init(argument: String) throws(Failure) {
    let place = try Place(argument: argument)
    guard argument.split(separator: ",").count == 2,
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

  /// For messages: 2026.7, not 2026.69999.
  var words: String {
    let rounded = (value * 1000).rounded() / 1000
    return (rounded.isFinite ? rounded : value).exactText()
  }
}

extension Failure {
  /// Nobody knows what day it is.
  static func wrongClock() -> Failure {
    Failure(.usage, clockWords(WallClock.unixTime), hint: "set the clock, or give --date")
  }

  /// The sentence about a wrong clock.
  static func clockWords(_ unixTime: Double) -> String {
    "the system's clock says \(day(unixTime)), which can't be right"
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
  var words: String {
    switch self {
    case .dateOutsideLife(let date, let model, let life):
      "date \(date.words) is outside the life of \(model), \(life.lowerBound.words) to \(life.upperBound.words)"
    }
  }

  /// Another model is named only where one covers the date.
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
