import ArgumentParser
import Calibration
import Core
import Geomagnetism

/// Where and when: what the declination and the expected field are asked for.
struct PlaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the device is, in degrees and metres: gives true headings.", valueName: "lat,lon[,alt]"))
  var at: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Decimal year or ISO date for the model. (default: today)", valueName: "date"))
  var date: String?

  @Flag(help: "Accept dates outside the model's life.")
  var extrapolate = false

  /// The Earth's field there and then; nil where no place is given.
  func field() throws -> EarthField? {
    guard let at else { return nil }
    return try field(at: Place(argument: at))
  }

  /// The Earth's field at a place, by the best model for the date: the one given, else the moment's, else today.
  func field(at place: Place, unixTime: Double? = nil) throws -> EarthField {
    let moment = unixTime.map { DecimalYear(secondsSince1970: $0) } ?? .today
    let date = try date.map { text throws(Failure) in try DecimalYear(argument: text) } ?? moment
    do {
      return try FieldModel.nearest(to: date).evaluate(at: place, date: date, extrapolating: extrapolate)
    } catch {
      throw Failure(.usage, error.wording, hint: error.remedy)
    }
  }
}

extension CalibrationSettings.Place {
  /// What a calibration is told of the Earth's field.
  init(_ field: EarthField) {
    self.init(fieldStrength: field.strength, inclination: field.inclination)
  }
}
