/// The units that the user wants quantities written in, where there is a choice.
public struct DisplayUnits: Equatable, Sendable {
  /// The unit of magnetic fields.
  public var field: FieldDisplayUnit
  /// The unit of distances over ground.
  public var distance: DistanceUnit
  /// The unit of volumes.
  public var volume: VolumeUnit

  /// Microtesla, metres and litres, unless something else is wanted.
  public init(
    field: FieldDisplayUnit = .microtesla, distance: DistanceUnit = .metre, volume: VolumeUnit = .litre
  ) {
    self.field = field
    self.distance = distance
    self.volume = volume
  }
}

/// The units a volume of water or gas is shown in.
public enum VolumeUnit: String, CaseIterable, Sendable {
  case litre = "L"
  case cubicMetre = "m3"

  /// Litres in one of this unit.
  public var litres: Double { self == .litre ? 1 : 1000 }
  /// Decimals that show a millilitre.
  public var decimals: Int { self == .litre ? 3 : 6 }
  /// The symbol as people write it.
  public var symbol: String { self == .litre ? "L" : "m³" }
}

/// The units a distance over ground is shown in.
public enum DistanceUnit: String, CaseIterable, Sendable {
  case metre = "m"
  case kilometre = "km"
  case mile = "mi"
  case nauticalMile = "nmi"

  /// Metres in one of this unit; the mile is the international one of 1959.
  public var metres: Double {
    switch self {
    case .metre: 1
    case .kilometre: 1000
    case .mile: 1609.344
    case .nauticalMile: 1852
    }
  }

  /// Decimals that show a centimetre, or nearly one in large units.
  public var decimals: Int { self == .metre ? 2 : 5 }
}
