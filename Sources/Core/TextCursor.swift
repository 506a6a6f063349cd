/// Where the next byte of a text goes, while values are written one after the other into room that was made for all of
/// them: neither the room nor the length is looked at for each.
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

  /// Appends a number with a count of digits after the point (0 ... 7), as `TextBuffer` does, or leaves it to that: false, and
  /// nothing has been appended, from 2⁵² units of the last digit on, for ties, and for what is not finite.
  /// - `power`: 10 to the power of the digits after the point.
  /// - `turn`: the number of units of the last digit at which a rounded number begins at zero again.
  @inlinable @inline(__always)
  public mutating func append(_ value: Double, decimals: Int, power: Double, turn: UInt64 = .max) -> Bool {
    guard let units = FixedPoint.nearest(value.magnitude * power) else { return false }
    let digits = units < turn ? units : units &- turn
    append(digits: digits, decimals: decimals, isNegative: value < 0 && digits != 0)
    return true
  }

  /// Appends a number below 10¹⁶ with the point before the last `decimals` (0 ... 7) of its digits.
  @inlinable @inline(__always)
  mutating func append(digits: UInt64, decimals: Int, isNegative: Bool) {
    end.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    end += isNegative ? 1 : 0
    let high = digits / FixedPoint.shortLimit
    guard high > 0 else { return append(eight: digits, leading: 7 &- decimals, decimals: decimals) }
    append(eight: high, leading: 7, decimals: 0)
    append(eight: digits &- high &* FixedPoint.shortLimit, leading: 0, decimals: decimals)
  }

  /// Appends a number below 10⁸ with the point before the last `decimals` of its digits. All eight are made at once and
  /// stored twice, without their leading zeros, of which at most `leading` go, and behind the point; what is too much is
  /// written over.
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
