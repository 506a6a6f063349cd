import Glibc

/// Text under construction: UTF-8 bytes in storage that is kept and used again, so that a line a sample costs no
/// allocation. Numbers are written with a fixed count of decimals and read back as `printf("%.*f")` would write them,
/// except that zero has no sign.
public struct TextBuffer: Sendable {
  /// All of it initialized; the text is the first `count` bytes.
  @usableFromInline var storage: [UInt8]
  /// The length of the text in bytes.
  public private(set) var count = 0

  /// An empty text with room for `capacity` bytes before it must grow.
  public init(capacity: Int = 256) {
    storage = [UInt8](repeating: 0, count: max(capacity, 64))
  }

  /// Nothing has been appended since the last removal.
  public var isEmpty: Bool { count == 0 }

  /// The text, for tests and messages.
  public var text: String { String(decoding: storage[..<count], as: UTF8.self) }

  /// Empties the text; its room stays unless told otherwise.
  public mutating func removeAll(keepingCapacity: Bool = true) {
    count = 0
    if !keepingCapacity { storage = [UInt8](repeating: 0, count: 64) }
  }

  /// Shortens the text to its first `length` bytes: takes back what was appended after that length was noted.
  public mutating func truncate(to length: Int) { count = min(max(length, 0), count) }

  /// The bytes of the text, valid during the call.
  @inlinable
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try storage.span.withUnsafeBytes { all throws(Failure) in
      try body(UnsafeRawBufferPointer(rebasing: all[..<count]))
    }
  }

  /// Makes room for `extra` more bytes.
  private mutating func reserve(_ extra: Int) {
    if count + extra > storage.count { grow(extra) }
  }

  @inline(never)
  private mutating func grow(_ extra: Int) {
    storage.append(contentsOf: repeatElement(0, count: max(storage.count, extra)))
  }
}

// MARK: Text

extension TextBuffer {
  /// Appends one byte.
  public mutating func append(byte: UInt8) {
    reserve(1)
    storage[count] = byte
    count += 1
  }

  /// Appends a literal.
  public mutating func append(_ literal: StaticString) {
    literal.withUTF8Buffer { append(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a string known only at run time. Control characters are the caller's business.
  public mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes as they are.
  public mutating func append(bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append(bytes: $0) }
  }

  /// Appends bytes as they are.
  public mutating func append(bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    storage.withUnsafeMutableBytes { all in
      UnsafeMutableRawBufferPointer(rebasing: all[count..<(count + bytes.count)])
        .copyMemory(from: UnsafeRawBufferPointer(start: source, count: bytes.count))
    }
    count += bytes.count
  }
}

// MARK: Numbers

extension TextBuffer {
  /// Appends a number with `decimals` digits after the point (0 ... 15), rounded as printf rounds it: to the nearest,
  /// and where the number lies exactly between two, to the even one. No "-0.0".
  /// - Parameter absent: written for nil, NaN and infinity: nothing in CSV, `null` in JSON.
  public mutating func append(_ value: Double?, decimals: Int, absent: StaticString = "") {
    guard let value, value.isFinite else { return append(absent) }
    let decimals = min(max(decimals, 0), 15)
    guard let rounded = FixedPoint.rounded(value.magnitude, decimals: decimals) else {
      return appendLarge(value, decimals: decimals)
    }
    append(fixedPoint: rounded, decimals: decimals, negative: value < 0 && rounded != 0)
  }

  /// Appends an angle as a heading in 0 ..< 360: rounded first and wrapped then, so that 359.96 reads 0.0 and never 360.0.
  /// - Parameter absent: written for nil, NaN and infinity.
  public mutating func append(headingDegrees: Double?, decimals: Int, absent: StaticString = "") {
    guard let headingDegrees, headingDegrees.isFinite else { return append(absent) }
    let decimals = min(max(decimals, 0), 12)
    let wrapped = Angle.wrapped(degrees: headingDegrees)
    guard let rounded = FixedPoint.rounded(wrapped, decimals: decimals) else { return append(absent) }
    let turn = 360 &* FixedPoint.powerOfTen(decimals)
    append(fixedPoint: rounded < turn ? rounded : rounded &- turn, decimals: decimals, negative: false)
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
    append(fixedPoint: UInt64(value.magnitude), decimals: 0, negative: value < 0)
  }

  /// Appends `digits` with the point before the last `decimals` of them.
  private mutating func append(fixedPoint digits: UInt64, decimals: Int, negative: Bool) {
    let (whole, fraction) = FixedPoint.split(digits, decimals: decimals)
    guard whole < 100_000_000, decimals <= 8 else {
      return appendLong(fixedPoint: digits, decimals: decimals, negative: negative)
    }
    // Sign, eight digits, point, eight digits: each eight are stored at once, and what is too much is written over.
    reserve(24)
    let start = count
    count = storage.withUnsafeMutableBytes { all in
      var end = start
      all.storeBytes(of: UInt8(ascii: "-"), toByteOffset: end, as: UInt8.self)
      end &+= negative ? 1 : 0
      let wholeText = FixedPoint.eightDigits(whole)
      let leadingZeros = min(wholeText.trailingZeroBitCount >> 3, 7)
      all.storeBytes(
        of: ((wholeText | FixedPoint.eightZeros) >> UInt64(8 &* leadingZeros)).littleEndian, toByteOffset: end,
        as: UInt64.self)
      end &+= 8 &- leadingZeros
      guard decimals > 0 else { return end }
      all.storeBytes(of: UInt8(ascii: "."), toByteOffset: end, as: UInt8.self)
      let fractionText = FixedPoint.eightDigits(fraction) | FixedPoint.eightZeros
      all.storeBytes(
        of: (fractionText >> UInt64(8 &* (8 &- decimals))).littleEndian, toByteOffset: end &+ 1, as: UInt64.self)
      return end &+ 1 &+ decimals
    }
  }

  /// The same for numbers of any length.
  @inline(never)
  private mutating func appendLong(fixedPoint digits: UInt64, decimals: Int, negative: Bool) {
    reserve(24)
    let length = max(FixedPoint.digitCount(digits), decimals + 1) + (decimals > 0 ? 1 : 0) + (negative ? 1 : 0)
    var position = count + length
    count = position
    var bytes = storage.mutableSpan
    var rest = digits
    var left = decimals
    while left > 0 {
      position -= 1
      left -= 1
      let quotient = rest / 10
      bytes[position] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) | 0x30
      rest = quotient
    }
    if decimals > 0 {
      position -= 1
      bytes[position] = UInt8(ascii: ".")
    }
    repeat {
      position -= 1
      let quotient = rest / 10
      bytes[position] = UInt8(truncatingIfNeeded: rest &- quotient &* 10) | 0x30
      rest = quotient
    } while rest > 0
    if negative { bytes[position - 1] = UInt8(ascii: "-") }
  }

  /// Numbers of 2⁵³ units of the last decimal and more: rare, and left to the C library.
  @inline(never)
  private mutating func appendLarge(_ value: Double, decimals: Int) {
    // Sign, 309 digits, point, 15 decimals, terminator.
    let room = 328
    reserve(room)
    let written = withVaList([Int32(decimals), value]) { arguments in
      storage.withUnsafeMutableBytes { all in
        vsnprintf(all.baseAddress.map { ($0 + count).assumingMemoryBound(to: CChar.self) }, room, "%.*f", arguments)
      }
    }
    count += min(max(Int(written), 0), room - 1)
  }
}

/// Fixed-point arithmetic for printing.
enum FixedPoint {
  /// 10⁰ ... 10¹⁹. A switch becomes a table of constants; a static array would be copied at each use.
  @inline(__always)
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

  /// "00000000" as a little-endian word.
  static var eightZeros: UInt64 { 0x3030_3030_3030_3030 }

  /// The eight digits of a number below 10⁸, the first one in the lowest byte: halves, quarters and digits of all parts
  /// are taken at once, with multiplications in place of divisions.
  @inline(__always)
  static func eightDigits(_ value: UInt64) -> UInt64 {
    let high = value / 10_000
    let fours = high | (value &- high &* 10_000) << 32
    let hundreds = ((fours &* 10_486) >> 20) & 0x7F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = ((twos &* 103) >> 10) & 0xF_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  /// `magnitude` · 10^decimals, correctly rounded, half to even; nil from 2⁵³ on.
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
