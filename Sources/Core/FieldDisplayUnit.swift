/// The units that fields are written in: one of those of a field, or the counts of a chip whose scale nobody knows.
public enum FieldDisplayUnit: Equatable, Sendable {
  /// A unit of the field.
  case unit(FieldUnit)
  /// The numbers that the device sends: differences and ratios are right, and no strength is known.
  case counts

  /// Microtesla.
  public static let microtesla = unit(.microtesla)

  /// The unit with this name, as it is typed; nil for another word.
  public init?(_ name: String) {
    if name == Self.counts.name {
      self = .counts
    } else {
      guard let unit = FieldUnit(shown: name) else { return nil }
      self = .unit(unit)
    }
  }

  /// The name as it is typed, and as it stands in the names of columns.
  public var name: String {
    if case .unit(let unit) = self { unit.rawValue } else { "counts" }
  }

  /// The symbol as people write it.
  public var symbol: String {
    if case .unit(let unit) = self { unit.symbol } else { "counts" }
  }

  /// One of it in µT. A count that is shown as such is read as one of the usual chips', between their 0.006 and 0.15
  /// µT, so that limits in µT are of the right order; nothing is measured by it.
  public var microtesla: Double {
    if case .unit(let unit) = self { unit.microtesla } else { 0.03 }
  }

  /// Decimals that show a nanotesla, or the accuracy of a mean of counts.
  public var decimals: Int {
    if case .unit(let unit) = self { unit.decimals } else { 2 }
  }

  /// Decimals that show two digits of an uncertainty in µT, and no more than the unit has.
  public func decimals(uncertainty microtesla: Double?) -> Int {
    guard let microtesla, microtesla > 0, microtesla.isFinite else { return max(0, decimals - 1) }
    return max(0, min(decimals, 1 - (microtesla / self.microtesla).decimalExponent))
  }
}
