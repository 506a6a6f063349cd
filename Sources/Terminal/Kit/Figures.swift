import Core

/// Numbers as the screens show them, rounded as in every other output.
enum Figures {
  /// What stands for a value that is not known.
  static let absent = "–"

  /// With a fixed number of decimals; `–` for nil and what is not a number, an exponent for what is beyond 10¹².
  static func fixed(_ value: Double?, decimals: Int, plus: Bool = false) -> String {
    guard let value, value.isFinite else { return absent }
    guard abs(value) < 1e12 else { return value.description }
    var text = TextBuffer()
    text.append(value, decimals: decimals)
    let isAboveZero = value > 0 && text.text.contains { ("1"..."9").contains($0) }
    return plus && isAboveZero ? "+" + text.text : text.text
  }

  /// A direction in 0.0 ... 359.9 degrees.
  static func direction(_ degrees: Double?) -> String {
    guard let degrees, degrees.isFinite else { return absent }
    var text = TextBuffer()
    text.append(headingDegrees: degrees, decimals: 1)
    return text.text
  }

  /// Minutes and seconds, with hours when there are any.
  static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return absent }
    let whole = Int(seconds)
    let minutes = whole / 60 % 60
    let hours = whole / 3600
    let tail = twoDigits(whole % 60)
    return hours > 0 ? "\(hours):\(twoDigits(minutes)):\(tail)" : "\(minutes):\(tail)"
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

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
