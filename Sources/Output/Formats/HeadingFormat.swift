import LodestoneCore

/// A format of headings: nothing else has a place in it.
public protocol HeadingFormat: Format {}

extension HeadingFormat {
  /// Headings.
  public static var needs: String { "headings" }
  /// Records with a heading.
  public static func suits(_ schema: RecordSchema) -> Bool { schema.index(of: "magnetic_heading") != nil }
}

/// The columns of a heading and of what belongs to it. Pitch and roll are as the compass means them: an attitude has
/// others, too.
struct HeadingPlaces {
  let magnetic, trueNorth, deviation, rateOfTurn, pitch, roll: Int?

  init(_ schema: RecordSchema) {
    magnetic = schema.index(of: "magnetic_heading")
    trueNorth = schema.index(of: "true_heading")
    deviation = schema.index(of: "deviation")
    rateOfTurn = schema.index(of: "rate_of_turn")
    pitch = schema.index(of: "compass_pitch") ?? schema.index(of: "pitch")
    roll = schema.index(of: "compass_roll") ?? schema.index(of: "roll")
  }

  /// A heading with its record's deviation added where that is known, in degrees that may pass a turn: what has no
  /// field for the deviation tells it.
  func deviated(_ heading: Int?, _ row: borrowing Row) -> Double? {
    let deviation = row[deviation] ?? 0
    return row[heading].map { $0 + deviation }
  }
}
