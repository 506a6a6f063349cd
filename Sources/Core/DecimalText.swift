import Glibc

// Numbers as text: with a fixed count of decimals, they read as `printf("%.*f")` would write them, except that zero has
// no sign.

extension TextBuffer {
  /// Appends a number with `decimals` digits after the point (0 ... 15), rounded as printf rounds it: to the nearest,
  /// and where the number lies exactly between two, to the even one. No "-0.0".
  /// - `absent`: written for nil, NaN and infinity: nothing in CSV, `null` in JSON.
  @inlinable @inline(__always)
  public mutating func append(_ value: Double?, decimals: Int, absent: StaticString = "") {
    guard let value else { return append(absent) }
    var isDone = false
    if decimals >= 0, decimals < 8 {
      let power = Double(Int64(truncatingIfNeeded: FixedPoint.powerOfTen(decimals)))
      var cursor = cursor(atMost: TextCursor.numberByteCount)
      isDone = cursor.append(value, decimals: decimals, power: power)
      finish(cursor)
    }
    if !isDone { appendLong(value, decimals: decimals, absent: absent) }
  }

  /// Appends an angle as a heading in 0 ..< 360: rounded first and wrapped then, so that 359.96 reads 0.0 and never
  /// 360.0.
  /// - `decimals`: 0 ... 5.
  /// - `absent`: written for nil, NaN and infinity.
  @inlinable @inline(__always)
  public mutating func append(headingDegrees: Double?, decimals: Int, absent: StaticString = "") {
    guard let headingDegrees, headingDegrees.isFinite else { return append(absent) }
    let decimals = min(max(decimals, 0), 5)
    let wrapped = Angle.wrapped(degrees: headingDegrees)
    let turn = 360 &* FixedPoint.powerOfTen(decimals)
    let digits = FixedPoint.rounded(wrapped, decimals: decimals) ?? 0
    append(digits: digits < turn ? digits : digits &- turn, decimals: decimals, isNegative: false)
  }

  /// Appends the shortest text that reads back as the same number: `48.2`, `0.1`, `1e-07`. For values that are handed
  /// on, not measured. Not for hot paths.
  public mutating func append(exactly value: Double?, absent: StaticString = "") {
    guard let value, value.isFinite else { return append(absent) }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return append(whole) }
    append(text: value.description)
  }

  /// Appends an integer.
  public mutating func append(_ value: Int) {
    append(digits: UInt64(value.magnitude), decimals: 0, isNegative: value < 0)
  }

  /// Appends the numbers that `TextCursor` does not.
  @inline(never) @usableFromInline
  mutating func appendLong(_ value: Double, decimals: Int, absent: StaticString) {
    guard value.isFinite else { return append(absent) }
    let decimals = min(max(decimals, 0), 15)
    guard let digits = FixedPoint.rounded(value.magnitude, decimals: decimals) else {
      return appendLarge(value, decimals: decimals)
    }
    append(digits: digits, decimals: decimals, isNegative: value < 0 && digits != 0)
  }

  /// Appends `digits` with the point before the last `decimals` (0 ... 15) of them.
  @usableFromInline
  mutating func append(digits: UInt64, decimals: Int, isNegative: Bool) {
    guard digits < FixedPoint.shortLimit * FixedPoint.shortLimit, decimals < 8 else {
      return appendSlowly(digits: digits, decimals: decimals, isNegative: isNegative)
    }
    var cursor = cursor(atMost: TextCursor.numberByteCount)
    cursor.append(digits: digits, decimals: decimals, isNegative: isNegative)
    finish(cursor)
  }

  /// The slow way for any length, from the last digit to the first.
  private mutating func appendSlowly(digits: UInt64, decimals: Int, isNegative: Bool) {
    let count = max(FixedPoint.digitCount(digits), decimals + 1) + (decimals > 0 ? 1 : 0) + (isNegative ? 1 : 0)
    var end = room(for: count) + count
    func put(_ byte: UInt8) {
      end -= 1
      end.storeBytes(of: byte, as: UInt8.self)
    }
    var rest = digits
    for _ in 0..<decimals {
      put(UInt8(truncatingIfNeeded: rest % 10) | 0x30)
      rest /= 10
    }
    if decimals > 0 { put(UInt8(ascii: ".")) }
    repeat {
      put(UInt8(truncatingIfNeeded: rest % 10) | 0x30)
      rest /= 10
    } while rest > 0
    if isNegative { put(UInt8(ascii: "-")) }
    length += count
  }

  /// Numbers of 2⁵³ units of the last decimal and more: rare, and left to the C library.
  private mutating func appendLarge(_ value: Double, decimals: Int) {
    // Sign, 309 digits, point, 15 decimals, terminator.
    let byteCount = 328
    let start = room(for: byteCount).assumingMemoryBound(to: CChar.self)
    let written = withVaList([Int32(decimals), value]) { vsnprintf(start, byteCount, "%.*f", $0) }
    length += min(max(Int(written), 0), byteCount - 1)
  }
}

extension Double {
  /// The power of ten of its first digit, 2 of 123 and −3 of 0.0045, within ±20; 20 where it is not a number.
  package var decimalExponent: Int {
    let exponent = log10(magnitude).rounded(.down)
    return exponent.isNaN ? 20 : Int(max(-20, min(20, exponent)))
  }

  /// The number with `decimals` (0 ... 15) digits after the point, as `TextBuffer` rounds it; with `plus`, a sign
  /// before what is above zero when rounded; `absent` for what is not finite.
  public func text(decimals: Int, plus: Bool = false, absent: StaticString = "") -> String {
    var text = TextBuffer(capacity: 32)
    text.append(self, decimals: decimals, absent: absent)
    let isAboveZero = plus && self > 0 && text.text.utf8.contains { (49...57).contains($0) }
    return isAboveZero ? "+" + text.text : text.text
  }

  /// The angle as a heading, 0 ..< 360 also when rounded. Empty for what is not finite.
  public func headingText(decimals: Int) -> String {
    var text = TextBuffer(capacity: 32)
    text.append(headingDegrees: self, decimals: decimals)
    return text.text
  }

  /// The shortest text that reads back as the same number; `absent` for what is not finite.
  public func exactText(absent: StaticString = "") -> String {
    var text = TextBuffer(capacity: 32)
    text.append(exactly: self, absent: absent)
    return text.text
  }
}

extension BinaryInteger {
  /// The number with zeros in front up to `width` digits, for what is not negative.
  public func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Fixed-point arithmetic for printing.
@usableFromInline
enum FixedPoint {
  /// 10⁰ ... 10¹⁹. A switch becomes a table of constants; a static array would be copied at each use.
  @inlinable @inline(__always)
  static func powerOfTen(_ exponent: Int) -> UInt64 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    case 10: 10_000_000_000
    case 11: 100_000_000_000
    case 12: 1_000_000_000_000
    case 13: 10_000_000_000_000
    case 14: 100_000_000_000_000
    case 15: 1_000_000_000_000_000
    case 16: 10_000_000_000_000_000
    case 17: 100_000_000_000_000_000
    case 18: 1_000_000_000_000_000_000
    default: 10_000_000_000_000_000_000
    }
  }

  /// Numbers below have at most eight digits.
  @inlinable static var shortLimit: UInt64 { 100_000_000 }

  /// The nearest whole number; nil from 2⁵² on, for ties, and for what is not finite.
  ///
  /// Between 2⁵² and 2⁵³ the doubles are the whole numbers: the sum with 2⁵² is rounded to one, without a branch that
  /// nobody can predict, and holds it in its last bits.
  @inlinable @inline(__always)
  static func nearest(_ scaled: Double) -> UInt64? {
    let wholes = 4_503_599_627_370_496.0
    guard scaled < wholes - 1 else { return nil }
    let sum = scaled + wholes
    guard abs(scaled - (sum - wholes)) != 0.5 else { return nil }
    return sum.bitPattern &- wholes.bitPattern
  }

  /// "00000000" as a little-endian word.
  @inlinable static var eightZeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight digits of a number below 10⁸, the first one in the lowest byte: halves, quarters and digits of all parts
  /// are taken at once, with multiplications in place of divisions.
  @inlinable @inline(__always)
  static func eightDigits(_ value: UInt64) -> UInt64 {
    let high = value / 10_000
    let fours = high | (value &- high &* 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x7F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = ((twos &* 103) >> 10) & 0xF_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  /// `magnitude` · 10^decimals, correctly rounded, half to even; nil from 2⁵³ on.
  @inlinable
  static func rounded(_ magnitude: Double, decimals: Int) -> UInt64? {
    let power = Double(Int64(truncatingIfNeeded: powerOfTen(decimals)))
    let scaled = magnitude * power
    guard scaled < 9_007_199_254_740_992 else { return nil }
    let whole = Int64(scaled)
    let fraction = scaled - Double(whole)
    var up = fraction > 0.5
    if fraction == 0.5 {
      // The product may have been rounded onto the half; what was lost decides, and on a true half the even digit does.
      let lost = fma(magnitude, power, -scaled)
      up = lost > 0 || (lost == 0 && whole & 1 == 1)
    }
    return UInt64(truncatingIfNeeded: whole &+ (up ? 1 : 0))
  }

  /// The number of decimal digits of a number; 1 for zero.
  static func digitCount(_ value: UInt64) -> Int {
    let bits = 64 - (value | 1).leadingZeroBitCount
    let estimate = (bits &* 1233) >> 12
    return estimate + (value | 1 >= powerOfTen(estimate) ? 1 : 0)
  }
}
