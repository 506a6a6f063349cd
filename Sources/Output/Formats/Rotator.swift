import LodestoneCore

/// The direction of an antenna on a rotator, as Hamlib's rotctld tells it: azimuth and elevation in degrees, a line
/// each. The azimuth is against true north where that is known, else against magnetic north, with the deviation added;
/// without an accelerometer the elevation is zero.
public struct RotatorFormat: HeadingFormat {
  /// `--format rotctl`.
  public static let name = "rotctl"
  private let places: HeadingPlaces

  /// Looks the columns up.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) { places = HeadingPlaces(schema) }

  /// Two lines; none without a heading.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let azimuth = places.deviated(places.trueNorth, row) ?? places.deviated(places.magnetic, row) else { return }
    text.append(headingDegrees: azimuth, decimals: 2)
    text.append("\n")
    text.append(row[places.pitch] ?? 0, decimals: 2)
    text.append("\n")
  }
}
