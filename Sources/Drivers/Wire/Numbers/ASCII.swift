import Glibc

/// The characters that text protocols are made of.
extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let comma = UInt8(ascii: ",")
  static let semicolon = UInt8(ascii: ";")
  static let bar = UInt8(ascii: "|")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")

  /// A blank or a tab.
  @inline(__always) var isBlank: Bool { self == .space || self == .tab }

  /// A blank, a tab, or a byte that ends lines.
  @inline(__always) var isBlankOrLineEnd: Bool { isBlank || self == .lineFeed || self == .carriageReturn }

  /// 0 to 9.
  @inline(__always) var isDigit: Bool { self &- 48 < 10 }

  /// A to Z.
  @inline(__always) var isCapital: Bool { self &- 65 < 26 }

  /// 0 to 9, A to F or a to f.
  @inline(__always) var isHexDigit: Bool { isDigit || (self | 0x20) &- 97 < 6 }

  /// A to Z or a to z.
  @inline(__always) var isLetter: Bool { (self | 0x20) &- 97 < 26 }
}

extension Span<UInt8> {
  /// Whether it ends in six bytes or more of two hexadecimal digits each, one of which begins with a nought: `RAW: FF
  /// 71 00 A9 08 26`. Those that have no letters would pass for numbers.
  var endsInHexDump: Bool {
    var (end, bytes, hasNought) = (count, 0, false)
    while end >= 2, self[end - 1].isHexDigit, self[end - 2].isHexDigit, end == 2 || self[end - 3].isBlank {
      bytes += 1
      hasNought = hasNought || self[end - 2] == UInt8(ascii: "0")
      end -= 3
    }
    return bytes > 5 && hasNought
  }

  /// The bytes at `start` are those of `text`.
  @inline(__always)
  func holds(_ text: StaticString, at start: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard start >= 0, count - start >= length else { return false }
    return text.withUTF8Buffer { expected in
      for index in 0..<length where self[start + index] != expected[index] { return false }
      return true
    }
  }

  /// The bytes in `range` are those of `text`, no more and no less.
  @inline(__always)
  func holds(_ text: StaticString, in range: Range<Int>) -> Bool {
    range.count == text.utf8CodeUnitCount && holds(text, at: range.lowerBound)
  }

  /// The bytes in `range` are `expected`, no more and no less.
  func holds(_ expected: [UInt8], in range: Range<Int>) -> Bool {
    guard range.count == expected.count else { return false }
    for offset in expected.indices where self[range.lowerBound + offset] != expected[offset] { return false }
    return true
  }

  /// A copy of the bytes in `range`.
  func bytes(in range: Range<Int>) -> [UInt8] { range.map { self[$0] } }

  /// The index of the first `byte` at or after `start`; nil when there is none.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index &+= 1
    }
    return nil
  }

  /// The index of the first `byte` in a range, by memchr(3).
  @inline(__always)
  func quickIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    let part = extracting(range)
    return part.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, let found = memchr(start, Int32(byte), buffer.count) else { return nil }
      return range.lowerBound + (UnsafeRawPointer(found) - UnsafeRawPointer(start))
    }
  }

  /// The index of the first of two bytes at or after `start`, or the count. It looks at eight bytes at a time.
  @inline(__always)
  func quickIndex(of one: UInt8, or other: UInt8, from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let word = eightBytes(at: index)
      let found = word.marks(of: one) | word.marks(of: other)
      if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < count, self[index] != one, self[index] != other { index &+= 1 }
    return index
  }

  /// Eight bytes as one number, the first one lowest.
  @inline(__always)
  func eightBytes(at index: Int) -> UInt64 {
    bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
  }

  /// Eight bytes as one number. Unchecked, like the next: for those who have made sure that many bytes follow.
  @inline(__always)
  func eightBytes(unchecked index: Int) -> UInt64 {
    bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self).littleEndian
  }

  /// Two bytes as one number, the first one lowest.
  @inline(__always)
  func twoBytes(unchecked index: Int) -> UInt16 {
    bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt16.self).littleEndian
  }

  /// The index of the last `byte`; nil when there is none.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count
    while index > 0 {
      index &-= 1
      if self[index] == byte { return index }
    }
    return nil
  }
}

extension UInt64 {
  /// Marks the bytes that are `byte` by their highest bit. Only the lowest mark is sure: what lies above it may be a
  /// carry ("Bit Twiddling Hacks", S. E. Anderson: determine if a word has a zero byte).
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let rest = self ^ (ones &* UInt64(byte))
    return (rest &- ones) & ~rest & (ones << 7)
  }
}
