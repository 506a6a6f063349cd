import Core
import Navigation

/// NMEA 0183 sentences: HDG with the variation where it is known, HDM, HDT, ROT, and XDR for pitch and roll, each with
/// its checksum and CR LF. What is not known is not sent.
public struct NMEAReadings: ReadingFormat {
  /// `--format nmea`.
  public static let name = "nmea"

  private let talker: String

  /// Talks as `stream.talker`.
  public init(_ stream: StreamFacts) {
    talker = stream.talker
  }

  /// The sentences of one reading.
  public mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer) {
    let trueHeading = reading.trueHeading?.degrees
    if let magnetic = reading.magneticHeading?.degrees {
      sentence("HDG", &text) { text in
        text.append(headingDegrees: magnetic, decimals: 1)
        text.append(",,,")
        appendVariation(from: magnetic, to: trueHeading, &text)
      }
      sentence("HDM", &text) { text in
        text.append(headingDegrees: magnetic, decimals: 1)
        text.append(",M")
      }
    }
    if let trueHeading {
      sentence("HDT", &text) { text in
        text.append(headingDegrees: trueHeading, decimals: 1)
        text.append(",T")
      }
    }
    if let rate = reading.rateOfTurn {
      sentence("ROT", &text) { text in
        text.append(rate * 60, decimals: 1)  // degrees per minute, to port negative
        text.append(",A")
      }
    }
    if let pitch = reading.pitch, let roll = reading.roll {
      sentence("XDR", &text) { text in
        text.append("A,")
        text.append(pitch, decimals: 1)
        text.append(",D,PTCH,A,")
        text.append(roll, decimals: 1)
        text.append(",D,ROLL")
      }
    }
  }

  private func appendVariation(from magnetic: Double, to trueHeading: Double?, _ text: inout TextBuffer) {
    guard let trueHeading else { return text.append(",") }
    let variation = Angle.shortestTurn(from: magnetic, to: trueHeading)
    text.append(variation.magnitude, decimals: 1)
    text.append(variation < 0 ? ",W" : ",E")
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
