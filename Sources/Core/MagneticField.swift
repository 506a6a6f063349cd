/// A magnetic flux density along three axes. Held in microtesla; the unit is said at every way in and out.
@frozen
public struct MagneticField: Equatable, Hashable, Sendable {
  /// The components in µT.
  public var microtesla: Vector3

  /// A field from its components in µT.
  @inlinable
  public init(microtesla: Vector3) { self.microtesla = microtesla }

  /// A field from its components in µT.
  @inlinable
  public init(microtesla x: Double, _ y: Double, _ z: Double) { microtesla = Vector3(x, y, z) }

  /// A field from components in any unit.
  @inlinable
  public init(_ components: Vector3, unit: FieldUnit) { microtesla = components * unit.microtesla }

  /// The magnitude in µT.
  @inlinable public var strength: Double { microtesla.length }

  /// The strengths that the Earth's field can have, in µT: about 22 in the South Atlantic, 67 near the south magnetic
  /// pole, and a little room for what a room and a chip's gain make of it.
  public static let earthStrength: ClosedRange<Double> = 20...70

  /// The factor by which a strength in µT lies outside what the Earth's field can be; 1 within.
  public static func earthMisfit(_ strength: Double) -> Double {
    max(1, strength / earthStrength.upperBound, earthStrength.lowerBound / max(strength, 1e-12))
  }
}

/// The units a field is given or shown in.
public enum FieldUnit: String, CaseIterable, Sendable {
  case nanotesla = "nT"
  case microtesla = "uT"
  case millitesla = "mT"
  case gauss = "G"
  case milligauss = "mG"
  /// T: programs that keep to SI, such as ROS.
  case tesla = "T"
  /// pT: optically pumped magnetometers.
  case picotesla = "pT"
  /// The field strength H, as laboratories write it: what makes as much flux density in a vacuum.
  case amperePerMetre = "A/m"
  case kiloamperePerMetre = "kA/m"

  /// The units that fields are shown in.
  public static let shown: [FieldUnit] = [.nanotesla, .microtesla, .millitesla, .gauss, .milligauss]

  /// The units that numbers without one may be in. A/m and pT are not among them, because programs that print them name
  /// them: the Earth's field in A/m would pass for one in µT, in pT for one in no unit at all.
  public static let inferable = shown + [.tesla]

  /// The one of those with this name, as it is typed or shown (uT, µT); nil for another word.
  public init?(shown name: some StringProtocol) {
    // The micro sign, and the Greek letter that keyboards have for it.
    let name = name == "\u{3BC}T" ? "\u{B5}T" : String(name)
    guard let unit = Self.shown.first(where: { $0.rawValue == name || $0.symbol == name }) else { return nil }
    self = unit
  }

  /// Microtesla in one of this unit.
  @inlinable public var microtesla: Double {
    switch self {
    case .nanotesla: 1e-3
    case .microtesla: 1
    case .millitesla: 1e3
    case .gauss: 100
    case .milligauss: 0.1
    case .tesla: 1e6
    case .picotesla: 1e-6
    // The vacuum's permeability in µT·m/A (CODATA 2022).
    case .amperePerMetre: 1.256_637_061_27
    case .kiloamperePerMetre: 1256.637_061_27
    }
  }

  /// Decimals that show a nanotesla.
  public var decimals: Int {
    switch self {
    case .nanotesla: 1
    case .microtesla: 3
    case .millitesla: 6
    case .gauss: 5
    case .milligauss: 2
    case .tesla: 9
    case .picotesla: 0
    case .amperePerMetre: 3
    case .kiloamperePerMetre: 6
    }
  }

  /// The symbol as people write it: µT for `uT`.
  public var symbol: String { self == .microtesla ? "µT" : rawValue }
}
