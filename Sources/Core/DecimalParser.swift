import Glibc

/// Reads the decimal number that begins at `position`: sign, digits with at most one point, exponent. The value is the
/// nearest to the text, as strtod's is.
/// - Returns: nil, with `position` where it was, when no number begins there or when it is too large for a Double;
///   otherwise `position` is at the first byte behind the number. Names such as "nan" and "inf" and hexadecimal are no
///   numbers.
/// - `decimalMark`: a point, or the comma of many spreadsheets.
public func parseDecimal(
  _ bytes: Span<UInt8>, from position: inout Int, decimalMark: UInt8 = UInt8(ascii: ".")
) -> Double? {
  parseShortDecimal(bytes, from: &position, decimalMark: decimalMark)
    ?? longDecimal(bytes, from: &position, decimalMark)
}

/// Reads any number.
@inline(never)
private func longDecimal(_ bytes: Span<UInt8>, from position: inout Int, _ decimalMark: UInt8) -> Double? {
  var scan = DecimalScan(at: position, decimalMark: decimalMark)
  guard position >= 0, scan.read(bytes) else { return nil }
  if let value = scan.exactValue {
    position = scan.end
    return value
  }
  guard let value = libraryValue(bytes, from: position, to: scan.end, decimalMark) else { return nil }
  position = scan.end
  return value
}

extension Double {
  /// The number that all of these bytes spell, with blanks allowed around it; nil for anything else.
  public init?(decimal bytes: Span<UInt8>) {
    var position = 0
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    guard let value = parseDecimal(bytes, from: &position) else { return nil }
    while position < bytes.count, bytes[position] == 0x20 { position += 1 }
    guard position == bytes.count else { return nil }
    self = value
  }
}

/// Reads what nearly every number of a stream is: up to seven digits, a point, up to seven digits. In units of 10⁻⁸
/// they are a whole number below 2⁵², so that one division makes the nearest value. Nil, and nothing moved, for all
/// others, which `parseDecimal` may still read. For loops that read nothing but numbers: it becomes part of them.
@inlinable @inline(__always)
public func parseShortDecimal(
  _ bytes: Span<UInt8>, from position: inout Int, decimalMark: UInt8 = UInt8(ascii: ".")
) -> Double? {
  guard bytes.count >= 8, position >= 0, position < bytes.count else { return nil }
  let sign: UInt64 = bytes[unchecked: position] == UInt8(ascii: "-") ? 1 : 0
  var end = position &+ Int(truncatingIfNeeded: sign)
  let first = eightBytes(bytes, at: end)
  let whole = DigitRun(first)
  // Most end within eight bytes, point and all.
  if whole.next == decimalMark, whole.endsPointed,
    UInt8(truncatingIfNeeded: first &>> whole.pointedBitCount) | 0x20 != UInt8(ascii: "e")
  {
    position = end &+ Int(truncatingIfNeeded: whole.pointedBitCount >> 3)
    return whole.pointedValue(sign: sign)
  }
  end &+= whole.count
  var fraction = DigitRun.none
  var next = whole.next
  if next == decimalMark {
    fraction = DigitRun(eightBytes(bytes, at: end &+ 1))
    end &+= fraction.count &+ 1
    next = fraction.next
  }
  guard whole.isShort, fraction.isShort, whole.count &+ fraction.count > 0, next | 0x20 != UInt8(ascii: "e") else {
    return nil
  }
  position = end
  return DigitRun.value(whole, fraction, sign: sign)
}

/// A short number in a table, read where many bytes follow. Its one branch is the same for most numbers of a column,
/// and whether all is well is to be asked once for a row.
@frozen
public struct ShortNumber {
  /// Bytes that must be readable from its beginning on.
  public static let byteCount = 24

  /// The number, where all is well.
  public let value: Double
  /// Behind it, where it may go on after all: at most 18 bytes from its beginning.
  public let end: Int
  /// Zero where all is well. Anything else may be a number all the same, for `parseDecimal`.
  public let fault: UInt64

  /// The number that begins at `start`, with `byteCount` bytes or more from there on.
  @inlinable @inline(__always)
  public init(_ bytes: Span<UInt8>, at start: Int) {
    let sign = Self.isZero(UInt64(bytes[unchecked: start] ^ UInt8(ascii: "-")))
    let begin = start &+ Int(truncatingIfNeeded: sign)
    let whole = DigitRun(Self.word(bytes, begin))
    let next = begin &+ Int(truncatingIfNeeded: whole.pointedBitCount >> 3)
    if whole.next == UInt8(ascii: "."),
      whole.endsPointed || whole.pointedBitCount == 64 && bytes[unchecked: next] &- UInt8(ascii: "0") > 9
    {
      self.init(value: whole.pointedValue(sign: sign), end: next, fault: 0)
    } else {
      self.init(bytes, whole, at: begin, sign: sign)
    }
  }

  @inlinable @inline(__always)
  init(value: Double, end: Int, fault: UInt64) {
    self.value = value
    self.end = end
    self.fault = fault
  }

  /// The number that begins with these digits, with or without others behind a point.
  @inlinable @inline(__always)
  init(_ bytes: Span<UInt8>, _ whole: DigitRun, at begin: Int, sign: UInt64) {
    let hasPoint = Self.isZero(UInt64(whole.next ^ UInt8(ascii: ".")))
    let point = begin &+ whole.count
    let fraction = DigitRun(Self.word(bytes, point &+ 1) & (0 &- hasPoint))
    end = point &+ fraction.count &+ Int(truncatingIfNeeded: hasPoint)
    let bits = whole.bitCount | fraction.bitCount
    fault = Self.isZero(bits) | bits & 64
    value = DigitRun.value(whole, fraction, sign: sign)
  }

  /// 1 for zero and else 0, for small numbers.
  @inlinable @inline(__always)
  static func isZero(_ value: UInt64) -> UInt64 { (value &- 1) >> 63 }

  @inlinable @inline(__always)
  static func word(_ bytes: Span<UInt8>, _ position: Int) -> UInt64 {
    bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self).littleEndian
  }
}

/// The eight bytes at a position, the first one lowest, with zeros for those behind the end of `bytes`, of which there
/// are at least eight.
@inlinable @inline(__always)
func eightBytes(_ bytes: Span<UInt8>, at position: Int) -> UInt64 {
  let missing = position &+ 8 &- bytes.count
  let start = missing <= 0 ? position : bytes.count &- 8
  let word = bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt64.self).littleEndian
  return missing <= 0 ? word : missing < 8 ? word &>> UInt64(truncatingIfNeeded: 8 &* missing) : 0
}

/// The digits at the beginning of eight bytes (Lemire, "Quickly parsing eight digits", 2018).
@usableFromInline
struct DigitRun {
  /// The bytes less "0".
  @usableFromInline let digits: UInt64
  /// Eight for each digit, 0 ... 64.
  @usableFromInline let bitCount: UInt64
  /// Eight for each byte before the second one that is no digit, 8 ... 64: the length of a number with a point, where
  /// that is the first one.
  @usableFromInline let pointedBitCount: UInt64
  /// The byte behind them, where there are fewer than eight.
  @usableFromInline let next: UInt8

  @inlinable @inline(__always)
  init(_ word: UInt64) {
    digits = word ^ 0x3030_3030_3030_3030
    // The lowest bit of each byte that is no digit; a carry reaches only what lies behind the first.
    let others = (((digits &+ 0x7676_7676_7676_7676) | digits) >> 7) & 0x0101_0101_0101_0101
    bitCount = UInt64(truncatingIfNeeded: others.trailingZeroBitCount)
    pointedBitCount = UInt64(truncatingIfNeeded: (others & (others &- 1)).trailingZeroBitCount)
    next = UInt8(truncatingIfNeeded: word &>> bitCount)
  }

  /// No digits.
  @inlinable @inline(__always)
  static var none: DigitRun { DigitRun(0) }

  /// 0 ... 8.
  @inlinable var count: Int { Int(truncatingIfNeeded: bitCount >> 3) }

  /// Whether there are fewer than eight.
  @inlinable var isShort: Bool { bitCount < 64 }

  /// Whether they are a number of two to seven bytes with a point, which is the first byte that is no digit: such a
  /// number ends before the eighth byte.
  @inlinable @inline(__always)
  var endsPointed: Bool { pointedBitCount &- 16 <= 40 }

  /// The number with these digits, a point and the digits behind it, all within the eight bytes.
  /// - Parameter sign: 1 for a minus.
  @inlinable @inline(__always)
  func pointedValue(sign: UInt64) -> Double {
    let wholes = (1 &<< bitCount) &- 1
    let withoutPoint = digits & wholes | (digits >> 8) & ~wholes
    let units = Self.number(withoutPoint &<< (72 &- pointedBitCount))
    let decimals = Int(truncatingIfNeeded: (pointedBitCount &- bitCount) >> 3 &- 1)
    let magnitude = Double(Int32(truncatingIfNeeded: units)) / exactPowerOfTen(decimals & 7)
    return Double(bitPattern: magnitude.bitPattern | sign << 63)
  }

  /// The number with these digits, fewer than eight each, before and behind the point.
  /// - Parameter sign: 1 for a minus. It is put in as a bit: whether it is there nobody can predict.
  @inlinable @inline(__always)
  static func value(_ whole: DigitRun, _ fraction: DigitRun, sign: UInt64) -> Double {
    // Zeros take the place of the digits that are missing in front, or behind.
    let front = (whole.digits &<< (56 &- whole.bitCount)) << 8
    let back = fraction.digits & (1 &<< fraction.bitCount &- 1)
    let units = number(front) &* 100_000_000 &+ number(back)
    // A whole number below 2⁵² in the last bits of 2⁵² makes their sum.
    let wholes = 4_503_599_627_370_496.0
    let magnitude = (Double(bitPattern: wholes.bitPattern | units) - wholes) / 100_000_000
    return Double(bitPattern: magnitude.bitPattern | sign << 63)
  }

  /// The number of eight digits, the first one in the lowest byte.
  @inlinable @inline(__always)
  static func number(_ eight: UInt64) -> UInt64 {
    let pairs = eight &* 10 &+ (eight >> 8)
    let fours = (pairs & 0xFF_0000_00FF) &* 0xF_4240_0000_0064
    return (fours &+ ((pairs >> 16) & 0xFF_0000_00FF) &* 0x2710_0000_0001) >> 32
  }
}

/// The parts of a number as they are read: digits · 10^exponent.
private struct DecimalScan {
  var end: Int
  var negative = false
  /// The first 19 digits, without leading zeros.
  var digits: UInt64 = 0
  var digitCount = 0
  /// Whether there were digits beyond the nineteenth.
  var truncated = false
  var exponent = 0

  let decimalMark: UInt8

  init(at position: Int, decimalMark: UInt8) {
    end = position
    self.decimalMark = decimalMark
  }

  /// Reads a number; false when none begins here.
  mutating func read(_ bytes: Span<UInt8>) -> Bool {
    readSign(bytes)
    var seen = readDigits(bytes, exponentStep: 0)
    if end < bytes.count, bytes[end] == decimalMark {
      end += 1
      seen = readDigits(bytes, exponentStep: -1) || seen
    }
    if seen { readExponent(bytes) }
    return seen
  }

  private mutating func readSign(_ bytes: Span<UInt8>) {
    guard end < bytes.count else { return }
    negative = bytes[end] == UInt8(ascii: "-")
    if negative || bytes[end] == UInt8(ascii: "+") { end += 1 }
  }

  /// Reads digits; false when there are none.
  private mutating func readDigits(_ bytes: Span<UInt8>, exponentStep: Int) -> Bool {
    let start = end
    while end < bytes.count {
      let digit = bytes[end] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      if digitCount < 19 {
        digits = digits &* 10 &+ UInt64(digit)
        digitCount += digits == 0 ? 0 : 1
        exponent += exponentStep
      } else {
        truncated = true
        exponent += exponentStep + 1
      }
      end += 1
    }
    return end > start
  }

  /// Reads `e`, sign and digits; where there are no digits, the number ends before the `e`.
  private mutating func readExponent(_ bytes: Span<UInt8>) {
    guard end < bytes.count, bytes[end] | 0x20 == UInt8(ascii: "e") else { return }
    var position = end + 1
    var minus = false
    if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
      minus = bytes[position] == UInt8(ascii: "-")
      position += 1
    }
    let start = position
    var power = 0
    while position < bytes.count {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      power = min(power * 10 + Int(digit), 100_000)
      position += 1
    }
    guard position > start else { return }
    exponent += minus ? -power : power
    end = position
  }

  /// The value where one rounding makes it: digits up to 2⁵³ and powers up to 10²² are exact in a Double, so their
  /// product or quotient is the nearest (Clinger, "How to read floating point numbers accurately", PLDI 1990).
  var exactValue: Double? {
    guard !truncated, digits <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
    let magnitude =
      exponent < 0 ? Double(digits) / exactPowerOfTen(-exponent) : Double(digits) * exactPowerOfTen(exponent)
    return negative ? -magnitude : magnitude
  }
}

/// 10⁰ ... 10²². A switch becomes a table of constants; a global array would be copied at each use.
@inlinable @inline(__always)
func exactPowerOfTen(_ exponent: Int) -> Double {
  switch exponent {
  case 0: 1e0
  case 1: 1e1
  case 2: 1e2
  case 3: 1e3
  case 4: 1e4
  case 5: 1e5
  case 6: 1e6
  case 7: 1e7
  case 8: 1e8
  case 9: 1e9
  case 10: 1e10
  case 11: 1e11
  case 12: 1e12
  case 13: 1e13
  case 14: 1e14
  case 15: 1e15
  case 16: 1e16
  case 17: 1e17
  case 18: 1e18
  case 19: 1e19
  case 20: 1e20
  case 21: 1e21
  default: 1e22
  }
}

/// Reads a number that was found well formed by strtod; nil when it is infinite or longer than any sane text.
@inline(never)
private func libraryValue(_ bytes: Span<UInt8>, from start: Int, to end: Int, _ mark: UInt8) -> Double? {
  let length = end - start
  guard length <= 1_100 else { return nil }
  let value = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { text in
    for index in 0..<length {
      let byte = bytes[start + index]
      text[index] = CChar(bitPattern: byte == mark ? UInt8(ascii: ".") : byte)
    }
    text[length] = 0
    return text.baseAddress.map { strtod($0, nil) }
  }
  guard let value, value.isFinite else { return nil }
  return value
}
