import LodestoneCore

/// The meaning of a comma before three digits where axes have names: decimals, `X: -13,034 Y: 0,532`, or parted
/// thousands, `X: -13,034 Y: -532`. A whole number below a thousand beside it tells, unless other decimals have come.
struct CommaWatch: Sendable {
  private(set) var partsThousands = false
  private var hasDecimals = false
  /// The line has a number of either kind.
  private var (isGrouped, isWhole) = (false, false)

  /// Takes note of an axis, by its text.
  mutating func note(_ text: Span<UInt8>) {
    guard let comma = text.firstIndex(of: .comma) else {
      let isZero = text.indices.allSatisfy { !text[$0].isDigit || text[$0] == UInt8(ascii: "0") }
      if text.firstIndex(of: UInt8(ascii: ".")) == nil, !isZero, text.indices.count(where: { text[$0].isDigit }) < 4 {
        isWhole = true
      }
      return
    }
    if Self.mayPartThousands(text, comma) { isGrouped = true } else { hasDecimals = true }
  }

  /// The line that has been read shows that commas part thousands: the first that does is to be read again.
  mutating func shows() -> Bool {
    defer { (isGrouped, isWhole) = (false, false) }
    guard isGrouped, isWhole, !hasDecimals, !partsThousands else { return false }
    partsThousands = true
    return true
  }

  /// The value of a number with a comma that was read as one with decimals.
  func value(_ decimal: Double, _ text: Span<UInt8>) -> Double {
    guard partsThousands, let comma = text.firstIndex(of: .comma), Self.mayPartThousands(text, comma) else {
      return decimal
    }
    return (decimal * 1000).rounded()
  }

  /// One to three digits, no zero first, before the comma, and three behind it.
  static func mayPartThousands(_ text: Span<UInt8>, _ comma: Int) -> Bool {
    let start = text.indices.first { text[$0].isDigit } ?? comma
    return (1...3).contains(comma - start) && text[start] != UInt8(ascii: "0") && text.count - comma == 4
  }
}
