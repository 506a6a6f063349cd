import Core
import Navigation

/// Comma-separated values with a header; absent values are empty.
public struct CSVReadings: ReadingFormat {
  /// `--format csv`.
  public static let name = "csv"

  /// Says nothing of the stream.
  public init(_ stream: StreamFacts) {}

  /// The names carry the units; a change of meaning would change a name.
  public func appendHeader(to text: inout TextBuffer) {
    text.append("time_s,magnetic_heading_deg,true_heading_deg,accuracy_deg,quality,field_uT,inclination_deg,")
    text.append("pitch_deg,roll_deg,orientation\n")
  }

  /// One row.
  public mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer) {
    text.append(reading.time, decimals: 6)
    text.append(byte: UInt8(ascii: ","))
    text.append(headingDegrees: reading.magneticHeading?.degrees, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(headingDegrees: reading.trueHeading?.degrees, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.accuracy, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.quality.word)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.field?.strength, decimals: 3)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.inclination, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.pitch, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.roll, decimals: 2)
    text.append(byte: UInt8(ascii: ","))
    text.append(reading.orientation.word)
    text.append(byte: UInt8(ascii: "\n"))
  }
}
