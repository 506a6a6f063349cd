import Core
import Navigation

/// One line for people: `  123.4° magnetic   127.6° true   ±0.8° good   48.21 µT`.
public struct TextReadings: ReadingFormat {
  /// `--format text`.
  public static let name = "text"

  /// Says nothing of the stream.
  public init(_ stream: StreamFacts) {}

  /// One line.
  public mutating func append(_ reading: borrowing Reading, to text: inout TextBuffer) {
    appendLine(reading, to: &text)
    text.append(byte: UInt8(ascii: "\n"))
  }

  /// The line without its end: for a screen that writes over it.
  public func appendLine(_ reading: borrowing Reading, to text: inout TextBuffer) {
    appendHeading(reading.magneticHeading?.degrees, "° magnetic", to: &text)
    if reading.trueHeading != nil {
      text.append("  ")
      appendHeading(reading.trueHeading?.degrees, "° true", to: &text)
    }
    if let accuracy = reading.accuracy {
      text.append("   ±")
      text.append(accuracy, decimals: 1)
      text.append("°")
    }
    text.append("   ")
    text.append(reading.quality == .device ? "(the device's own)" : reading.quality.word)
    if let field = reading.field {
      text.append("   ")
      text.append(field.strength, decimals: 1)
      text.append(" µT")
    }
    if let pitch = reading.pitch, let roll = reading.roll {
      text.append("   pitch ")
      text.append(pitch, decimals: 1)
      text.append("° roll ")
      text.append(roll, decimals: 1)
      text.append("°")
    }
  }

  private func appendHeading(_ degrees: Double?, _ unit: StaticString, to text: inout TextBuffer) {
    let start = text.count
    text.append(headingDegrees: degrees, decimals: 1, absent: "  -.-")
    let width = text.count - start
    if width < 5 {  // right-aligned: rewrite behind the blanks that were missing
      text.truncate(to: start)
      for _ in width..<5 { text.append(byte: UInt8(ascii: " ")) }
      text.append(headingDegrees: degrees, decimals: 1, absent: "  -.-")
    }
    text.append(unit)
  }
}
