import Glibc

/// The decimal number at `position` (sign, digits with a point, exponent), and `position` moved past it; nil, and the
/// position unmoved, when there is none or it is too large to hold. Correctly rounded.
func parseDecimal(_ text: Span<UInt8>, from position: inout Int, decimalComma: Bool = false) -> Double? {
  var index = position
  let end = text.count
  var isNegative = false
  if index < end, text[index] == UInt8(ascii: "-") || text[index] == UInt8(ascii: "+") {
    isNegative = text[index] == UInt8(ascii: "-")
    index &+= 1
  }
  var mantissa: UInt64 = 0
  var digits = readDigits(text, from: &index, into: &mantissa)
  var exponent = 0
  if index < end, text[index] == UInt8(ascii: ".") || (decimalComma && text[index] == .comma) {
    index &+= 1
    let decimals = readDigits(text, from: &index, into: &mantissa)
    digits &+= decimals
    exponent = -decimals
  }
  guard digits > 0 else { return nil }
  exponent &+= readExponent(text, from: &index)
  let magnitude: Double
  if digits <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
    let whole = Double(mantissa)
    magnitude = exponent < 0 ? whole / powersOfTen[-exponent] : whole * powersOfTen[exponent]
  } else {
    magnitude = abs(convert(text, position..<index))
    guard magnitude.isFinite else { return nil }
  }
  position = index
  return isNegative ? -magnitude : magnitude
}

/// Reads digits on top of `mantissa`, which wraps past 19 of them; how many there were.
@inline(__always)
private func readDigits(_ text: Span<UInt8>, from index: inout Int, into mantissa: inout UInt64) -> Int {
  let start = index
  while index < text.count {
    let digit = text[index] &- 48
    if digit > 9 { break }
    mantissa = mantissa &* 10 &+ UInt64(digit)
    index &+= 1
  }
  return index &- start
}

/// Reads `e-5`, if it is there; 0 otherwise. Held below a million, which no number reaches.
@inline(__always)
private func readExponent(_ text: Span<UInt8>, from index: inout Int) -> Int {
  guard index < text.count, text[index] | 0x20 == UInt8(ascii: "e") else { return 0 }
  var at = index &+ 1
  var isNegative = false
  if at < text.count, text[at] == UInt8(ascii: "-") || text[at] == UInt8(ascii: "+") {
    isNegative = text[at] == UInt8(ascii: "-")
    at &+= 1
  }
  let start = at
  var exponent = 0
  while at < text.count, text[at].isDigit {
    exponent = min(exponent &* 10 &+ Int(text[at] &- 48), 1_000_000)
    at &+= 1
  }
  guard at > start else { return 0 }
  index = at
  return isNegative ? -exponent : exponent
}

/// What strtod(3) makes of a range, for numbers that are too long for exact arithmetic in a double.
private func convert(_ text: Span<UInt8>, _ range: Range<Int>) -> Double {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: range.count + 1) { buffer in
    for (offset, index) in range.enumerated() {
      buffer[offset] = CChar(bitPattern: text[index] == .comma ? UInt8(ascii: ".") : text[index])
    }
    buffer[range.count] = 0
    return buffer.baseAddress.map { strtod($0, nil) } ?? .nan
  }
}

/// 10⁰ to 10²², all exact in a double.
private let powersOfTen: InlineArray<23, Double> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
  1e21, 1e22,
]
