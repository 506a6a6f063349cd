import Core
import Navigation

/// One line for people: `12.34 µT ±0.40   x 3.1 y −2.0 z 11.8   peak 15.0`.
public struct TextFields: FieldFormat {
  /// `--format text`.
  public static let name = "text"
  private let unit: FieldUnit

  /// Writes in this unit.
  public init(unit: FieldUnit) { self.unit = unit }

  /// Nothing.
  public func appendHeader(to text: inout TextBuffer) {}

  /// One line.
  public mutating func append(_ reading: FieldReading, to text: inout TextBuffer) {
    if reading.flags.contains(.belowNoise) {
      text.append("< ")
      append(reading.uncertainty, to: &text)
      appendUnit(to: &text)
    } else {
      append(reading.magnitude, to: &text)
      appendUnit(to: &text)
      text.append(" ±")
      append(reading.uncertainty, to: &text)
    }
    text.append("   x ")
    append(reading.difference.x, to: &text)
    text.append(" y ")
    append(reading.difference.y, to: &text)
    text.append(" z ")
    append(reading.difference.z, to: &text)
    text.append("   peak ")
    append(reading.peak, to: &text)
    if !reading.flags.subtracting(.belowNoise).isEmpty {
      text.append("   ")
      reading.flags.subtracting(.belowNoise).append(to: &text)
    }
    text.append("\n")
  }

  private func append(_ microtesla: Double, to text: inout TextBuffer) {
    text.append(microtesla / unit.microtesla, decimals: max(0, unit.decimals - 1))
  }

  private func appendUnit(to text: inout TextBuffer) {
    text.append(unit == .microtesla ? " µT" : " ")
    if unit != .microtesla { text.append(unit.suffix) }
  }
}
