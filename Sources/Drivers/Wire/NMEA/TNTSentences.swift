import LodestoneCore

/// Sentences of True North Technologies' compasses (Revolution) and Honeywell's HMR3000. A status letter follows each
/// value: with any but N (normal) the value is not taken. Headings are magnetic. Source: Honeywell HMR3000 manual.
enum TNTSentences {
  /// `$PTNTHTM`: heading, status, pitch, status, roll, status, dip, horizontal field. Angles are in 65536ths of a turn.
  static func readHTM(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let perCount = 360.0 / 65_536
    let heading = normal(line, &fields, within: -65_536...65_536)
    let pitch = normal(line, &fields, within: -65_536...65_536)
    let roll = normal(line, &fields, within: -65_536...65_536)
    return attitude(heading.map { $0 * perCount }, pitch.map { $0 * perCount }, roll.map { $0 * perCount })
  }

  /// `$PTNTHPR`: the same in degrees. A compass that is set to mils gives itself away past 360 and is refused there.
  static func readHPR(_ line: Span<UInt8>, _ fields: inout Fields) -> OwnHeading? {
    let heading = normal(line, &fields, within: 0...360)
    let pitch = normal(line, &fields, within: -180...180)
    let roll = normal(line, &fields, within: -180...180)
    return attitude(heading, pitch, roll)
  }

  /// `$PTNTCCD`: tilt x, tilt y, field x, y, z, total (counts), heading in degrees.
  static func readCCD(_ line: Span<UInt8>, _ fields: inout Fields, _ message: inout WireMessage) {
    fields.skip(in: line)
    fields.skip(in: line)
    message.field = fields.vector(in: line)
    fields.skip(in: line)
    message.own = fields.number(in: line, within: 0...360).map { OwnHeading(magnetic: Heading(degrees: $0)) }
  }

  /// A value and its status; nil unless it is normal.
  private static func normal(_ line: Span<UInt8>, _ fields: inout Fields, within range: ClosedRange<Double>) -> Double?
  {
    let value = fields.number(in: line, within: range)
    return fields.letter(in: line) == UInt8(ascii: "N") ? value : nil
  }

  private static func attitude(_ heading: Double?, _ pitch: Double?, _ roll: Double?) -> OwnHeading? {
    guard heading != nil || pitch != nil || roll != nil else { return nil }
    return OwnHeading(magnetic: heading.map { Heading(degrees: $0) }, pitch: pitch, roll: roll)
  }
}
