import LodestoneCore
import Glibc

/// The seven elements that describe the Earth's magnetic field at a place, or their change in a year.
public struct MagneticElements: Equatable, Sendable {
  /// The angle from true to magnetic north in degrees, east positive, −180 ... 180. At a geographic pole, north is the
  /// direction of the meridian that the longitude names, as if the place were a hair away from the pole along it.
  public var declination: Double
  /// The angle of the field below the horizontal in degrees, −90 ... 90.
  public var inclination: Double
  /// The horizontal intensity in nT.
  public var horizontal: Double
  /// The component to true north in nT.
  public var north: Double
  /// The component to the east in nT.
  public var east: Double
  /// The component down, along the normal of the ellipsoid, in nT.
  public var down: Double
  /// The total intensity in nT.
  public var total: Double
}

extension MagneticElements {
  /// The elements of a field given by its components in nT.
  init(north: Double, east: Double, down: Double) {
    let horizontal = (north * north + east * east).squareRoot()
    self.init(
      declination: Angle.degrees(atan2(east, north)), inclination: Angle.degrees(atan2(down, horizontal)),
      horizontal: horizontal, north: north, east: east, down: down,
      total: (horizontal * horizontal + down * down).squareRoot())
  }

  /// The change of the elements in a year, from that of the components in nT. An angle that is undefined, because
  /// there is no field to have a direction, is said not to change.
  func change(north dNorth: Double, east dEast: Double, down dDown: Double) -> MagneticElements {
    let perHorizontal = horizontal > 0 ? 1 / horizontal : 0
    let perTotal = total > 0 ? 1 / total : 0
    let dHorizontal = (north * dNorth + east * dEast) * perHorizontal
    return MagneticElements(
      declination: Angle.degrees((north * dEast - east * dNorth) * perHorizontal * perHorizontal),
      inclination: Angle.degrees((horizontal * dDown - down * dHorizontal) * perTotal * perTotal),
      horizontal: dHorizontal, north: dNorth, east: dEast, down: dDown,
      total: (horizontal * dHorizontal + down * dDown) * perTotal)
  }
}

/// How far a compass can be trusted, by the horizontal intensity (World Magnetic Model 2020, technical report, 1.5).
public enum CompassZone: String, CaseIterable, Sendable {
  /// 6000 nT and more.
  case normal
  /// Less than 6000 nT: compasses may be in error.
  case caution
  /// Less than 2000 nT: declination is unreliable and compasses are not to be used.
  case blackout

  /// The zone of a horizontal intensity in nT.
  public init(horizontal: Double) {
    self = horizontal < 2000 ? .blackout : horizontal < 6000 ? .caution : .normal
  }
}

/// The Earth's field at a place and date, by a model.
public struct EarthField: Equatable, Sendable {
  /// The field.
  public let elements: MagneticElements
  /// Its change in a year: degrees and nT.
  public let yearlyChange: MagneticElements
  /// One standard deviation of the declination in degrees: what the model leaves out and what it foretells wrongly; at
  /// most 180, where nothing is known. Iron nearby comes on top of it.
  public let declinationUncertainty: Double

  /// How far a compass can be trusted here.
  public var zone: CompassZone { CompassZone(horizontal: elements.horizontal) }
  /// The angle from true to magnetic north.
  public var declination: Declination { Declination(degrees: elements.declination) }
  /// The total intensity in µT, which an undisturbed and calibrated magnetometer reads.
  public var strength: Double { elements.total * FieldUnit.nanotesla.microtesla }
  /// The angle of the field below the horizontal in degrees, which it reads when level.
  public var inclination: Double { elements.inclination }
}
