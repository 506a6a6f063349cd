import Glibc

// Numbers as text: with a fixed count of decimals, they read as `printf("%.*f")` would write them, except that zero has
// no sign.

extension TextBuffer {
  /// Appends a number with `decimals` digits after the point (0 ... 15), rounded as printf rounds it: to the nearest,
  /// and where the number lies exactly between two, to the even one. No "-0.0".
  /// - Parameter absent: written for nil, NaN and infinity: nothing in CSV, `null` in JSON.
  @inlinable @inline(always)
  public mutating func append(_ value: Double?, decimals: Int, absent: StaticString = "") {
    guard let value else { return append(absent) }
    guard let digits = FixedPoint.short(value.magnitude, decimals: decimals) else {
      return appendLong(value, decimals: decimals, absent: absent)
    }
    append(short: digits, decimals: decimals, isNegative: value < 0 && digits != 0)
  }

  /// Appends an angle as a heading in 0 ..< 360: rounded first and wrapped then, so that 359.96 reads 0.0 and never 360.0.
  /// - Parameter decimals: 0 ... 5.
  /// - Parameter absent: written for nil, NaN and infinity.
  @inlinable @inline(always)
  public mutating func append(headingDegrees: Double?, decimals: Int, absent: StaticString = "") {
    guard let headingDegrees, headingDegrees.isFinite else { return append(absent) }
    let decimals = min(max(decimals, 0), 5)
    let wrapped = Angle.wrapped(degrees: headingDegrees)
    let turn = 360 &* FixedPoint.powerOfTen(decimals)
    let digits =
      FixedPoint.short(wrapped, decimals: decimals) ?? FixedPoint.rounded(wrapped, decimals: decimals) ?? 0
    append(short: digits < turn ? digits : digits &- turn, decimals: decimals, isNegative: false)
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

  /// Appends a number below 10⁸ with the point before the last `decimals` (0 ... 7) of its digits. All eight are made at
  /// once and stored twice, without their leading zeros and behind the point; what is too much is written over.
  @inlinable @inline(always)
  mutating func append(short number: UInt64, decimals: Int, isNegative: Bool) {
    var end = room(for: 24)
    end.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    end += isNegative ? 1 : 0
    let digits = FixedPoint.eightDigits(number)
    let leadingZeros = min(digits.trailingZeroBitCount >> 3, 7 &- decimals)
    let text = digits | FixedPoint.eightZeros
    end.storeBytes(of: (text &>> UInt64(truncatingIfNeeded: 8 &* leadingZeros)).littleEndian, as: UInt64.self)
    end += 8 &- decimals &- leadingZeros
    if decimals > 0 {
      end.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
      let fraction = text &>> UInt64(truncatingIfNeeded: 8 &* (8 &- decimals))
      end.storeBytes(of: fraction.littleEndian, toByteOffset: 1, as: UInt64.self)
      end += decimals &+ 1
    }
    length = end - storage
  }

  /// All that `FixedPoint.short` leaves.
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
  private mutating func append(digits: UInt64, decimals: Int, isNegative: Bool) {
    let (whole, fraction) = FixedPoint.split(digits, decimals: decimals)
    guard whole < FixedPoint.shortLimit, decimals <= 8 else {
      return appendSlowly(digits: digits, decimals: decimals, isNegative: isNegative)
    }
    append(short: whole, decimals: 0, isNegative: isNegative)
    guard decimals > 0 else { return }
    let end = room(for: 9)
    end.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    let text = FixedPoint.eightDigits(fraction) | FixedPoint.eightZeros
    let shifted = text &>> UInt64(truncatingIfNeeded: 8 &* (8 &- decimals))
    end.storeBytes(of: shifted.littleEndian, toByteOffset: 1, as: UInt64.self)
    length &+= decimals &+ 1
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
  /// The number with `decimals` (0 ... 15) digits after the point, as `TextBuffer` rounds it; with `plus`, a sign before
  /// what is above zero when rounded. Empty for what is not finite.
  public func text(decimals: Int, plus: Bool = false) -> String {
    var text = TextBuffer(capacity: 32)
    text.append(self, decimals: decimals)
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
  @inlinable @inline(always)
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

  /// What stands before the point and behind it. The usual counts of decimals have their own lines because a division by
  /// a constant is a multiplication.
  @inline(__always)
  static func split(_ digits: UInt64, decimals: Int) -> (whole: UInt64, fraction: UInt64) {
    let whole: UInt64
    switch decimals {
    case 0: return (digits, 0)
    case 2: whole = digits / 100
    case 3: whole = digits / 1000
    case 6: whole = digits / 1_000_000
    default: whole = digits / powerOfTen(decimals)
    }
    return (whole, digits &- whole &* powerOfTen(decimals))
  }

  /// Numbers below have at most eight digits.
  @inlinable static var shortLimit: UInt64 { 100_000_000 }

  /// `magnitude` · 10^decimals to the nearest whole number below 10⁸, which is what nearly every number of an instrument is.
  /// Nil for more decimals than 7, for ties, and for what is not finite.
  ///
  /// Between 2⁵² and 2⁵³ the doubles are the whole numbers: the sum with 2⁵² is rounded to one, without a branch that nobody
  /// can predict, and holds it in its last bits.
  @inlinable @inline(always)
  static func short(_ magnitude: Double, decimals: Int) -> UInt64? {
    let wholes = 4_503_599_627_370_496.0
    let scaled = magnitude * Double(Int64(truncatingIfNeeded: powerOfTen(decimals)))
    guard scaled < 99_999_999, (0..<8).contains(decimals) else { return nil }
    let sum = scaled + wholes
    guard abs(scaled - (sum - wholes)) != 0.5 else { return nil }
    return sum.bitPattern &- wholes.bitPattern
  }

  /// "00000000" as a little-endian word.
  @inlinable static var eightZeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight digits of a number below 10⁸, the first one in the lowest byte: halves, quarters and digits of all parts
  /// are taken at once, with multiplications in place of divisions.
  @inlinable @inline(always)
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

  /// How many decimal digits a number has; 1 for zero.
  static func digitCount(_ value: UInt64) -> Int {
    let bits = 64 - (value | 1).leadingZeroBitCount
    let estimate = (bits &* 1233) >> 12
    return estimate + (value | 1 >= powerOfTen(estimate) ? 1 : 0)
  }
}
