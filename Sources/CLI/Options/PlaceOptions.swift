import ArgumentParser
import Geomagnetism
import Instruments
import Lodestone

/// The place and the date that the declination and the expected field are asked for.
struct PlaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the device is, in degrees and metres: gives true headings, and a calibration its axes, sign and strength.",
      valueName: "lat,lon[,alt]"))
  var at: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Decimal year or ISO date for the model. (default: today; for a recording that tells it, its own)",
      valueName: "date"))
  var date: String?

  @Flag(help: "Accept dates outside the model's life.")
  var extrapolate = false

  /// The option, as it was typed, that means nothing where nothing tells the place; nil for none.
  var dependsOnPlace: String? { date != nil ? "--date" : extrapolate ? "--extrapolate" : nil }

  /// The error where such an option was given, and nothing tells the place.
  static func useless(_ option: String) -> ValidationError {
    ValidationError("\(option) changed nothing: say where the device is, as in --at 48.2,16.37")
  }

  /// The field at the place today; nil where none is given.
  func field() throws -> EarthField? {
    try known().map { settings throws in try Self.found(settings.field()) }
  }

  /// The field at the place on the day of a recording that tells it, or today; nil where no place is given.
  func field(of stream: any SampleStream) throws -> EarthField? {
    try known().map { settings throws in try Self.found(settings.field(of: stream)) }
  }

  private static func found(_ field: EarthField?) throws(Failure) -> EarthField {
    guard let field else { throw Failure.wrongClock() }
    return field
  }

  /// The place and date; nil where nothing tells the place, which no other option may need then.
  func known() throws -> PlaceSettings? {
    let settings = try settings()
    if settings.place == nil, let dependsOnPlace { throw Self.useless(dependsOnPlace) }
    return settings.place == nil ? nil : settings
  }

  /// The place and date, as far as they are given.
  func settings() throws(Failure) -> PlaceSettings {
    let set = try UserSettings.current()[.at]?.text
    return PlaceSettings(
      try (at ?? set).map { text throws(Failure) in try Place(argument: text) },
      date: try date.map { text throws(Failure) in try DecimalYear(argument: text) }, extrapolates: extrapolate)
  }
}
