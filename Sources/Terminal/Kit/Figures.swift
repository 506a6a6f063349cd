import LodestoneCore

/// Numbers as the screens show them, rounded as in every other output.
enum Figures {
  /// The sign for a value that is not known.
  static let absent = "–"

  /// The number with a fixed count of decimals; `–` for nil and for NaN and infinity, an exponent beyond 10¹².
  static func fixed(_ value: Double?, decimals: Int, plus: Bool = false) -> String {
    guard let value, value.isFinite else { return absent }
    guard abs(value) < 1e12 else { return value.description }
    return value.text(decimals: decimals, plus: plus)
  }

  /// A direction in 0.0 ... 359.9 degrees.
  static func direction(_ degrees: Double?) -> String {
    guard let degrees, degrees.isFinite else { return absent }
    return degrees.headingText(decimals: 1)
  }

  /// Minutes and seconds, with hours when there are any.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return absent }
    let whole = Int(seconds)
    let minutes = whole / 60 % 60
    let hours = whole / 3600
    let tail = (whole % 60).padded(to: 2)
    return hours > 0 ? "\(hours):\(minutes.padded(to: 2)):\(tail)" : "\(minutes):\(tail)"
  }

  /// A share of one as a whole percentage; 100 only when nothing is missing.
  static func percent(_ fraction: Double) -> String {
    guard fraction.isFinite else { return absent }
    return "\(Int((min(max(fraction, 0), 1) * 100).rounded(.down))) %"
  }

  /// Blanks before a text up to a width.
  static func padded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - CellText.columns(text))) + text
  }
}
