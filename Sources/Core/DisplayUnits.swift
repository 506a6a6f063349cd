/// What the user wants quantities written in, where there is a choice.
public struct DisplayUnits: Equatable, Sendable {
  /// What magnetic fields are written in.
  public var field: FieldUnit
  /// What distances over ground are written in.
  public var distance: DistanceUnit

  /// Microtesla and metres, unless something else is wanted.
  public init(field: FieldUnit = .microtesla, distance: DistanceUnit = .metre) {
    self.field = field
    self.distance = distance
  }
}

/// The units a distance over ground is shown in.
public enum DistanceUnit: String, CaseIterable, Sendable {
  case metre = "m"
  case kilometre = "km"
  case mile = "mi"
  case nauticalMile = "nmi"

  /// How many metres one of this unit is; the mile is the international one of 1959.
  public var metres: Double {
    switch self {
    case .metre: 1
    case .kilometre: 1000
    case .mile: 1609.344
    case .nauticalMile: 1852
    }
  }

  /// So many decimals show a centimetre, or what is left of it in large units.
  public var decimals: Int { self == .metre ? 2 : 5 }
}
