import LodestoneCore

/// NMEA 0183 sentences: HDG with deviation and variation where they are known, HDM, HDT, ROT, and XDR for pitch and roll, each with
/// its checksum and CR LF. What is not known is not sent.
public struct NMEAFormat: Format {
  /// `--format nmea`.
  public static let name = "nmea"
  private let talker: String
  private let magnetic, trueNorth, deviation, rateOfTurn, pitch, roll: Int?

  /// Sentences by `facts.talker`.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    talker = facts.talker
    magnetic = schema.index(of: "magnetic_heading")
    trueNorth = schema.index(of: "true_heading")
    deviation = schema.index(of: "deviation")
    rateOfTurn = schema.index(of: "rate_of_turn")
    pitch = schema.index(of: "pitch")
    roll = schema.index(of: "roll")
  }

  /// Nothing else has a place.
  public static let needs = "headings"
  /// Records with a heading.
  public static func suits(_ schema: RecordSchema) -> Bool { schema.index(of: "magnetic_heading") != nil }

  /// The sentences of one record.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let trueHeading = row[trueNorth]
    if let heading = row[magnetic] {
      sentence("HDG", &text) { text in
        text.append(headingDegrees: heading, decimals: 1)
        text.append(",")
        append(eastward: row[deviation], &text)
        text.append(",")
        append(eastward: trueHeading.map { Angle.shortestTurn(from: heading, to: $0) }, &text)
      }
      sentence("HDM", &text) { text in
        text.append(headingDegrees: heading, decimals: 1)
        text.append(",M")
      }
    }
    if let trueHeading {
      sentence("HDT", &text) { text in
        text.append(headingDegrees: trueHeading, decimals: 1)
        text.append(",T")
      }
    }
    if let rate = row[rateOfTurn] {
      sentence("ROT", &text) { text in
        text.append(rate * 60, decimals: 1)  // degrees per minute, to port negative
        text.append(",A")
      }
    }
    if let pitch = row[pitch], let roll = row[roll] {
      sentence("XDR", &text) { text in
        text.append("A,")
        text.append(pitch, decimals: 1)
        text.append(",D,PTCH,A,")
        text.append(roll, decimals: 1)
        text.append(",D,ROLL")
      }
    }
  }

  /// Degrees without a sign, and which way; two empty fields for what is not known.
  private func append(eastward degrees: Double?, _ text: inout TextBuffer) {
    guard let degrees else { return text.append(",") }
    text.append(degrees.magnitude, decimals: 1)
    text.append(degrees < 0 ? ",W" : ",E")
  }

  /// `$` talker, name, the body, `*` and the exclusive or of all between `$` and `*` in two hexadecimal digits.
  private func sentence(_ name: StaticString, _ text: inout TextBuffer, body: (inout TextBuffer) -> Void) {
    let start = text.count + 1
    text.append(byte: UInt8(ascii: "$"))
    text.append(text: talker)
    text.append(name)
    text.append(byte: UInt8(ascii: ","))
    body(&text)
    var sum: UInt8 = 0
    text.withUnsafeBytes { bytes in
      for byte in bytes[start...] { sum ^= byte }
    }
    text.append(byte: UInt8(ascii: "*"))
    for digit in [sum >> 4, sum & 15] { text.append(byte: digit < 10 ? 48 + digit : 55 + digit) }
    text.append("\r\n")
  }
}
