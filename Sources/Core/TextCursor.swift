/// The place of the next byte of a text, while values are written one after the other into room that was made for all
/// of them: neither the room nor the length is checked for each.
@frozen
public struct TextCursor: ~Copyable {
  @usableFromInline var end: UnsafeMutableRawPointer

  @inlinable
  init(_ end: UnsafeMutableRawPointer) { self.end = end }

  /// The most that a number takes: sign, sixteen digits and a point, and what is written over.
  public static let numberByteCount = 32

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(byte: UInt8) {
    end.storeBytes(of: byte, as: UInt8.self)
    end += 1
  }

  /// The most that a word takes, and the bytes that are read for one.
  public static let wordByteCount = 32

  /// Appends a word of a bounded number of bytes: all of them are copied, and what is too much is written over.
  @inlinable @inline(__always)
  public mutating func append(word: UnsafeRawPointer, count: Int) {
    end.storeBytes(of: word.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
    end += count
  }

  /// Appends a number with a count of digits after the point (0 ... 7), as `TextBuffer` does, or leaves it to that:
  /// false, and nothing has been appended, from 2⁵² units of the last digit on, for ties, and for what is not finite.
  /// - `power`: 10 to the power of the digits after the point.
  @inlinable @inline(__always)
  public mutating func append(_ value: Double, decimals: Int, power: Double) -> Bool {
    guard let digits = FixedPoint.nearest(value.magnitude * power) else { return false }
    append(digits: digits, decimals: decimals, isNegative: value < 0 && digits != 0)
    return true
  }

  /// Appends a number in a form with at most seven digits after the point, or leaves it to `TextBuffer` as above, and a
  /// heading that is rounded to 360 as well.
  /// - `table`: the entries of a table of digits. They are taken without a look at their count: each place is a
  ///   quotient or remainder of a thousand.
  @inlinable @inline(__always)
  public mutating func append(_ value: Double, as form: borrowing NumberForm, _ table: Span<UInt32>) -> Bool {
    guard let digits = FixedPoint.nearest(value.magnitude * form.power), digits < form.turn else { return false }
    let isNegative = value < 0 && digits != 0
    if digits < form.shortLimit {
      append(short: digits, isNegative: isNegative, form, table)
    } else if form.decimals == 6, digits < FixedPoint.shortLimit &* 1_000_000 {
      append(millionths: digits, isNegative: isNegative, table)
    } else {
      append(digits: digits, decimals: form.decimals, isNegative: isNegative)
    }
    return true
  }

  /// Appends a number below 1000: both parts are entries of the table.
  @inlinable @inline(__always)
  mutating func append(short digits: UInt64, isNegative: Bool, _ form: borrowing NumberForm, _ table: Span<UInt32>) {
    append(sign: isNegative)
    let product = digits &* form.unit
    let fraction = table[unchecked: Int(truncatingIfNeeded: ((product & 0xFFFF_FFFF) &* 1000) >> 32)]
    append(first: table[unchecked: Int(truncatingIfNeeded: product >> 32)])
    append(byte: UInt8(ascii: "."))
    end.storeBytes(of: fraction.littleEndian, as: UInt32.self)
    end += form.decimals
  }

  /// Appends a number below 10⁸ in millionths: both halves of the fraction are entries of the table.
  @inlinable @inline(__always)
  mutating func append(millionths digits: UInt64, isNegative: Bool, _ table: Span<UInt32>) {
    append(sign: isNegative)
    let whole = digits / 1_000_000
    append(whole: whole, table)
    append(byte: UInt8(ascii: "."))
    let fraction = digits &- whole &* 1_000_000, high = fraction / 1000
    let low = fraction &- high &* 1000
    end.storeBytes(of: table[unchecked: Int(truncatingIfNeeded: high)].littleEndian, as: UInt32.self)
    end.storeBytes(of: table[unchecked: Int(truncatingIfNeeded: low)].littleEndian, toByteOffset: 3, as: UInt32.self)
    end += 6
  }

  /// Appends a number below 10⁸: below a million both its halves are entries of the table.
  @inlinable @inline(__always)
  mutating func append(whole number: UInt64, _ table: Span<UInt32>) {
    guard number < 1_000_000 else { return append(eight: number, leading: 7, decimals: 0) }
    let high = number / 1000
    append(first: table[unchecked: Int(truncatingIfNeeded: high > 0 ? high : number)])
    guard high > 0 else { return }
    end.storeBytes(of: table[unchecked: Int(truncatingIfNeeded: number &- high &* 1000)].littleEndian, as: UInt32.self)
    end += 3
  }

  /// Appends the digits of an entry of the table without leading zeros.
  @inlinable @inline(__always)
  mutating func append(first entry: UInt32) {
    let zeros = entry >> 24
    end.storeBytes(of: (entry &>> zeros).littleEndian, as: UInt32.self)
    end += 3 &- Int(truncatingIfNeeded: zeros >> 3)
  }

  @inlinable @inline(__always)
  mutating func append(sign isNegative: Bool) {
    end.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    end += isNegative ? 1 : 0
  }

  /// Appends a number below 10¹⁶ with the point before the last `decimals` (0 ... 7) of its digits.
  @inlinable @inline(__always)
  mutating func append(digits: UInt64, decimals: Int, isNegative: Bool) {
    append(sign: isNegative)
    let high = digits / FixedPoint.shortLimit
    guard high > 0 else { return append(eight: digits, leading: 7 &- decimals, decimals: decimals) }
    append(eight: high, leading: 7, decimals: 0)
    append(eight: digits &- high &* FixedPoint.shortLimit, leading: 0, decimals: decimals)
  }

  /// Appends a number below 10⁸ with the point before the last `decimals` of its digits. All eight are made at once and
  /// stored twice, without their leading zeros, of which at most `leading` go, and behind the point; what is too much
  /// is written over.
  @inlinable @inline(__always)
  mutating func append(eight number: UInt64, leading: Int, decimals: Int) {
    let digits = FixedPoint.eightDigits(number)
    let zeros = min(digits.trailingZeroBitCount >> 3, leading)
    let text = digits | FixedPoint.eightZeros
    end.storeBytes(of: (text &>> UInt64(truncatingIfNeeded: 8 &* zeros)).littleEndian, as: UInt64.self)
    end += 8 &- decimals &- zeros
    guard decimals > 0 else { return }
    end.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    let fraction = text &>> UInt64(truncatingIfNeeded: 8 &* (8 &- decimals))
    end.storeBytes(of: fraction.littleEndian, toByteOffset: 1, as: UInt64.self)
    end += decimals &+ 1
  }
}

extension TextBuffer {
  /// The place to write a bounded number of bytes at; nothing else may be appended before `finish`.
  @inlinable @inline(__always)
  public mutating func cursor(atMost count: Int) -> TextCursor { TextCursor(room(for: count)) }

  /// Takes what was written for text.
  @inlinable @inline(__always)
  public mutating func finish(_ cursor: consuming TextCursor) { length = cursor.end - storage }
}
