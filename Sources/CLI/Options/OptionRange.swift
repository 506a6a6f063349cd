import ArgumentParser
import LodestoneCore

/// Refusals of numbers outside what an option can mean. What is not a number is outside of every range.
enum OptionRange {
  /// A number as it was probably typed: 0, not 0.0.
  static func typed(_ value: Double) -> String { value.isFinite ? value.exactText() : "\(value)" }

  /// Refuses a value that is not more than 0, or more than `most`.
  static func check(_ option: String, _ value: Double?, to most: Double, _ unit: String = "") throws(ValidationError) {
    guard let value, !(value > 0 && value <= most) else { return }
    throw ValidationError("\(option) \(typed(value)): must be more than 0 and at most \(most.exactText())\(unit)")
  }

  /// Refuses a value outside a range.
  static func check(
    _ option: String, _ value: Double?, in range: ClosedRange<Double>, _ unit: String = ""
  ) throws(ValidationError) {
    guard let value, !range.contains(value) else { return }
    let (least, most) = (range.lowerBound.exactText(), range.upperBound.exactText())
    throw ValidationError("\(option) \(typed(value)): not in \(least) to \(most)\(unit)")
  }
}
