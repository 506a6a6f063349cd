import LodestoneCore

/// The causes that are recorded beside a sample's own quantities: a column each, under a name that finds it again.
public struct RecordedCauses: Sendable {
  /// A column: the place of its cause in a sample, and what it is called.
  struct Column: Sendable {
    let place: Int
    let title: String
  }

  let columns: [Column]
  /// Whether the temperature is among them, which has a place of its own in a sample.
  let hasTemperature: Bool

  static let decimals = 6

  /// Causes in the order in which a stream was asked for them.
  /// - Parameter temperature: the temperature has a column even where the first sample has none.
  public init(_ names: [String] = [], temperature: Bool = false) {
    hasTemperature = temperature || names.contains { CauseValues.isTemperature($0) }
    columns = names.prefix(CauseValues.limit).enumerated().filter { !CauseValues.isTemperature($0.element) }.map {
      Column(place: $0.offset, title: Self.title($0.element))
    }
  }

  /// The name with the characters that no format escapes, so that it is found again as it was asked for.
  private static func title(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "/µ°".contains($0) ? $0 : "_" })
  }
}
