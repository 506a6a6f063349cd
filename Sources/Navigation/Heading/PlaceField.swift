// One rule for every instrument: the field that is expected is that of the calibration, which the same chip has
// measured and which is not off by what the chip's gain is, as long as a model of the place tells about the same.
// Elsewhere it is the model's, and that is said: the device has been taken to another place, or the place that was
// given is wrong.

extension HeadingErrorModel {
  /// The share by which a chip's gain is off where nobody measured it.
  private static let gainLimit = 0.12
  /// Degrees by which two places have about the same inclination.
  private static let inclinationLimit = 4.0

  /// Expects the Earth's field of the place where the device is; that of the calibration where nothing is known of it.
  mutating func follow(_ earth: EarthReference?) {
    guard isCalibrated else { return }
    let place = earth.flatMap { earth in
      earth.strength.map { Reference(strength: $0, inclination: earth.inclination ?? reference.inclination) }
    }
    expect(place.flatMap { isLike($0) ? nil : $0 } ?? reference)
  }

  private func isLike(_ place: Reference) -> Bool {
    abs(place.strength - reference.strength) < Self.gainLimit * place.strength
      && abs((place.inclination ?? 0) - (reference.inclination ?? place.inclination ?? 0)) < Self.inclinationLimit
  }

  /// How the field of the place is another one than the calibration's; nil where it is about the same.
  @inline(__always)
  var difference: PlaceDifference? {
    guard expected != reference, reference.strength > 0 else { return nil }
    return PlaceDifference(
      strengthShare: expected.strength / reference.strength - 1,
      inclination: reference.inclination.flatMap { found in expected.inclination.map { $0 - found } })
  }
}

/// How the Earth's field of a place, by a model, differs from the one that a calibration found.
public struct PlaceDifference: Equatable, Sendable {
  /// How much stronger it is there, as a share of the calibration's.
  public var strengthShare: Double
  /// How much steeper it dips there, in degrees, down positive; nil where the calibration knows no inclination.
  public var inclination: Double?

  /// A difference by its parts.
  public init(strengthShare: Double, inclination: Double?) {
    (self.strengthShare, self.inclination) = (strengthShare, inclination)
  }
}

/// A place whose field is not the calibration's, told once.
struct PlaceNotice: Sendable {
  private var isTold = false

  /// The notice, where it is news.
  mutating func next(_ difference: PlaceDifference?) -> InstrumentNotice? {
    guard let difference, !isTold else { return nil }
    isTold = true
    return .otherPlace(difference)
  }
}
