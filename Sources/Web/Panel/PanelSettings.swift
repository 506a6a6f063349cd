import Geomagnetism
import LodestoneCore
import LodestonePorts
import Navigation

/// The settings made on the page, for all who look at it. They are kept in a file.
struct PanelSettings: Equatable {
  /// The heading axis.
  var axis = HeadingEdge.auto
  /// Time constant of the smoothing in seconds; 0 for none.
  var smoothing = 0.0
  /// The place of the device; nil where it was not said on the page.
  var place: Place?

  /// The settings of a compass.
  var compass: Compass.Settings {
    var settings = Compass.Settings()
    settings.orientation = axis.orientation
    settings.smoothing = smoothing > 0 ? smoothing : nil
    return settings
  }

  /// A change of settings; nil for those that stay.
  struct Change {
    var axis: HeadingEdge?
    var smoothing: Double?
    /// The new place; nil inside for none.
    var place: Place??

    /// The change that a request asks for; none without a body.
    init(_ body: JSONValue?) throws(Refusal) {
      guard let body else { return }
      guard case .object(let members) = body else { throw Refusal(status: 400, reason: "give an object of settings") }
      for member in members {
        switch (member.key, member.value) {
        case ("axis", .string(let word)):
          guard let edge = HeadingEdge(rawValue: word) else {
            throw Self.wrong("axis", "auto, top, right, bottom or left")
          }
          axis = edge
        case ("smoothing_s", let value):
          guard let seconds = value.number, (0...60).contains(seconds) else {
            throw Self.wrong("smoothing_s", "0 to 60")
          }
          smoothing = seconds
        case ("place", .null): place = .some(nil)
        case ("place", let value): place = .some(try Self.place(value))
        default: throw Refusal(status: 400, reason: "there is no setting of this name, or not with such a value")
        }
      }
    }

    private static func wrong(_ name: String, _ expected: String) -> Refusal {
      Refusal(status: 400, reason: "\(name): must be \(expected)")
    }

    private static func place(_ value: JSONValue) throws(Refusal) -> Place {
      guard let latitude = value["latitude_deg"]?.number, let longitude = value["longitude_deg"]?.number,
        let altitude = (value["altitude_m"] ?? .number(0)).number
      else { throw wrong("place", "numbers latitude_deg, longitude_deg and, where it is known, altitude_m") }
      do throws(Place.Problem) {
        return try Place(latitude: latitude, longitude: longitude, altitude: altitude)
      } catch {
        switch error {
        case .latitude: throw wrong("latitude_deg", words(Place.latitudes))
        case .longitude: throw wrong("longitude_deg", words(Place.longitudes))
        case .altitude: throw wrong("altitude_m", words(Place.altitudes))
        }
      }
    }

    private static func words(_ range: ClosedRange<Double>) -> String {
      "\(range.lowerBound.text(decimals: 0)) to \(range.upperBound.text(decimals: 0))"
    }
  }

  /// Takes a change.
  mutating func take(_ change: Change) {
    axis = change.axis ?? axis
    smoothing = change.smoothing ?? smoothing
    if let place = change.place { self.place = place }
  }

  // MARK: - As JSON

  /// A place as programs read it.
  static func value(of place: Place?) -> JSONValue {
    guard let place else { return .null }
    return .members(
      ("latitude_deg", .number(place.latitude)), ("longitude_deg", .number(place.longitude)),
      ("altitude_m", .number(place.altitude)))
  }

  /// The shape of a place.
  static let placeShape = Shape.object(
    [
      ("latitude_deg", .number("North positive")), ("longitude_deg", .number("East positive")),
      ("altitude_m", .number("Above the ellipsoid; 0 where it is left out")),
    ], required: ["latitude_deg", "longitude_deg"], "Where the device is; null where nothing was said",
    isOptional: true)

  private var value: JSONValue {
    .members(("axis", .string(axis.rawValue)), ("smoothing_s", .number(smoothing)), ("place", Self.value(of: place)))
  }

  /// The settings kept in a file; the defaults where there is none, or none that can be read.
  init(keptIn path: String? = nil) {
    guard let path, let bytes = try? AtomicFile.read(path, limit: 4096, as: .kept),
      let change = try? Change(JSONValue(parsing: bytes))
    else { return }
    take(change)
  }

  /// Keeps them in a file.
  func keep(in path: String) throws(FileProblem) {
    if let slash = path.lastIndex(of: "/") { try Folder.make(String(path[..<slash])) }
    try AtomicFile.write(Array(value.printed.utf8), to: path, updates: true)
  }
}

extension JSONValue {
  /// The finite number that it is; nil for anything else.
  var number: Double? {
    switch self {
    case .number(let value): value.isFinite ? value : nil
    case .integer(let value): Double(value)
    default: nil
    }
  }
}
