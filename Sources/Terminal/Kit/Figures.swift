import Core
import Glibc

/// Numbers as the screens show them. Rounded first, so that there is no −0.0 and no 360.0.
enum Figures {
  /// What stands for a value that is not known.
  static let absent = "–"

  /// With a fixed number of decimals (0 ... 6); `–` for nil and what is not a number, an exponent for what is beyond 10¹².
  static func fixed(_ value: Double?, decimals: Int, plus: Bool = false) -> String {
    guard let value, value.isFinite else { return absent }
    guard abs(value) < 1e12 else { return value.description }
    let scales: [Int64] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
    let decimals = min(max(decimals, 0), 6)
    let scaled = Int64((abs(value) * Double(scales[decimals])).rounded(.toNearestOrEven))
    let sign = scaled == 0 ? "" : value < 0 ? "-" : plus ? "+" : ""
    guard decimals > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % scales[decimals])
    return sign + String(scaled / scales[decimals]) + "."
      + String(repeating: "0", count: decimals - fraction.utf8.count)
      + fraction
  }

  /// A direction in 0.0 ... 359.9 degrees.
  static func direction(_ degrees: Double?) -> String {
    guard let degrees, degrees.isFinite else { return absent }
    let tenths = (Angle.wrapped(degrees: degrees) * 10).rounded()
    return fixed(tenths >= 3600 ? 0 : tenths / 10, decimals: 1)
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
