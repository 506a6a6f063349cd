import LodestoneCore

/// Where an antenna on a rotator points, as Hamlib's rotctld answers it: azimuth and elevation in degrees, a line each. The azimuth is against true
/// north where that is known, else against magnetic north; without an accelerometer the elevation is zero.
public struct RotatorFormat: Format {
  /// `--format rotctl`.
  public static let name = "rotctl"
  private let magnetic, trueNorth, pitch: Int?

  /// Looks the columns up.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    magnetic = schema.index(of: "magnetic_heading")
    trueNorth = schema.index(of: "true_heading")
    pitch = schema.pitch
  }

  /// Nothing else has a place.
  public static let needs = "headings"
  /// Records with a heading.
  public static func suits(_ schema: RecordSchema) -> Bool { schema.index(of: "magnetic_heading") != nil }

  /// Two lines; none without a heading.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let azimuth = row[trueNorth] ?? row[magnetic] else { return }
    text.append(headingDegrees: azimuth, decimals: 2)
    text.append("\n")
    text.append(row[pitch] ?? 0, decimals: 2)
    text.append("\n")
  }
}
