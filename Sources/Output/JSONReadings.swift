import Core
import Navigation

/// One JSON object a line; absent values are null.
public struct JSONReadings: ReadingFormat {
  /// `--format json`.
  public static let name = "json"

  /// Says nothing of the stream.
  public init(_ stream: StreamFacts) {}

  /// One object: the columns of CSV as keys, and the calibrated field in the device frame.
  public mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer) {
    text.append("{\"time_s\":")
    text.append(reading.time, decimals: 6, absent: "null")
    text.append(",\"magnetic_heading_deg\":")
    text.append(headingDegrees: reading.magneticHeading?.degrees, decimals: 2, absent: "null")
    text.append(",\"true_heading_deg\":")
    text.append(headingDegrees: reading.trueHeading?.degrees, decimals: 2, absent: "null")
    text.append(",\"accuracy_deg\":")
    text.append(reading.accuracy, decimals: 2, absent: "null")
    text.append(",\"quality\":\"")
    text.append(reading.quality.word)
    text.append("\",\"field_uT\":")
    text.append(reading.field?.strength, decimals: 3, absent: "null")
    text.append(",\"inclination_deg\":")
    text.append(reading.inclination, decimals: 2, absent: "null")
    text.append(",\"pitch_deg\":")
    text.append(reading.pitch, decimals: 2, absent: "null")
    text.append(",\"roll_deg\":")
    text.append(reading.roll, decimals: 2, absent: "null")
    text.append(",\"orientation\":\"")
    text.append(reading.orientation.word)
    text.append("\",\"bx_uT\":")
    text.append(reading.field?.microtesla.x, decimals: 3, absent: "null")
    text.append(",\"by_uT\":")
    text.append(reading.field?.microtesla.y, decimals: 3, absent: "null")
    text.append(",\"bz_uT\":")
    text.append(reading.field?.microtesla.z, decimals: 3, absent: "null")
    text.append("}\n")
  }
}
