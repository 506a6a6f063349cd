import Calibration
import Geomagnetism
import Instruments
import LodestoneCore
import LodestonePorts
import Navigation

/// The place and the date that the Earth's field is asked for.
public struct PlaceSettings: Sendable {
  /// The place where the device stays; nil while it is not known, or follows positions.
  public var place: Place?
  /// The date for the model; nil for the moment.
  public var date: DecimalYear?
  /// Whether dates outside the model's life are accepted.
  public var extrapolates: Bool

  /// A place, or none.
  public init(_ place: Place? = nil, date: DecimalYear? = nil, extrapolates: Bool = false) {
    self.place = place
    self.date = date
    self.extrapolates = extrapolates
  }

  /// The field at the place today; nil where no place is given, or the day is not known.
  public func field() throws(FieldModel.Problem) -> EarthField? {
    guard let place else { return nil }
    return try field(at: place, unixTime: WallClock.believed)
  }

  /// The field at the place on the day of a stream: of a recording that tells when it began, else today; nil where no
  /// place is given, or the day is not known.
  public func field(of stream: any SampleStream) throws(FieldModel.Problem) -> EarthField? {
    guard let place else { return nil }
    let recorded = stream.isLive ? nil : WallClock.recorded(stream.unixStart, now: WallClock.unixTime)
    return try field(at: place, unixTime: recorded ?? WallClock.believed)
  }

  /// The field at a place, by the best model for the date: the one given, else the moment's; nil without either.
  public func field(at place: Place, unixTime: Double?) throws(FieldModel.Problem) -> EarthField? {
    guard let date = date ?? unixTime.map({ DecimalYear(secondsSince1970: $0) }) else { return nil }
    return try FieldModel.nearest(to: date).evaluate(at: place, date: date, extrapolating: extrapolates)
  }
}

extension EarthReference {
  /// The Earth's field as an instrument is told of it.
  package init(_ field: EarthField) {
    self.init(
      declination: field.declination, declinationUncertainty: field.declinationUncertainty, strength: field.strength,
      inclination: field.inclination)
  }
}

extension CalibrationSettings.Place {
  /// The Earth's field as a calibration is told of it.
  public init(_ field: EarthField) {
    self.init(fieldStrength: field.strength, inclination: field.inclination)
  }
}
