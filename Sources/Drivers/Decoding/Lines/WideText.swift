/// Text in UTF-16, as PowerShell and spreadsheets save it, written in UTF-8.
struct WideText: Sendable {
  /// The low byte of a unit comes first.
  private let isLittle: Bool
  /// The first byte of a unit whose other one has not come, and the first half of a pair.
  private var (half, lead) = (UInt8?.none, UInt16?.none)

  /// Letters of which one byte is zero that tell text with a mark, for the mark alone may be noise, and text without,
  /// which no frame begins with.
  private static let (marked, unmarked) = (4, 16)

  /// Text that begins with these bytes; nil for any other.
  init?(beginningWith bytes: Span<UInt8>) {
    guard bytes.count >= 2 + 2 * Self.marked else { return nil }
    let isMarked = bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF
    let start = isMarked ? 2 : 0
    let end = start + 2 * (isMarked ? Self.marked : Self.unmarked)
    isLittle = isMarked ? bytes[0] == 0xFF : bytes[1] == 0
    let zero = isLittle ? 1 : 0
    guard bytes.count >= end else { return nil }
    for place in stride(from: start, to: end, by: 2) {
      let letter = bytes[place + 1 - zero]
      guard bytes[place + zero] == 0, letter >= .space || letter.isBlankOrLineEnd, letter < 0x7F || isMarked else {
        return nil
      }
    }
  }

  /// Appends the next bytes in UTF-8, without the mark.
  mutating func rewrite(_ bytes: Span<UInt8>, into plain: inout [UInt8]) {
    for index in bytes.indices {
      guard let first = half else {
        half = bytes[index]
        continue
      }
      half = nil
      let (low, high) = isLittle ? (first, bytes[index]) : (bytes[index], first)
      add(UInt16(high) << 8 | UInt16(low), into: &plain)
    }
  }

  private mutating func add(_ unit: UInt16, into plain: inout [UInt8]) {
    switch unit {
    case 0xFEFF: break
    case 0..<0x80: plain.append(UInt8(truncatingIfNeeded: unit))
    case 0xD800..<0xDC00:
      lead = unit
      return
    default:
      let units = lead.map { [$0, unit] } ?? [unit]
      plain += Array(String(decoding: units, as: UTF16.self).utf8)
    }
    lead = nil
  }
}

/// The bytes of a stream in UTF-8, with the minus of ASCII before its numbers.
struct PlainText: Sendable {
  private var wide: WideText?
  private var signs = MinusSigns()

  /// Looks at the first bytes.
  mutating func begin(with bytes: Span<UInt8>) { wide = WideText(beginningWith: bytes) }

  /// The next bytes as they are to be read; nil where they are as they came.
  mutating func plain(_ bytes: Span<UInt8>) -> [UInt8]? {
    guard wide != nil else { return withPlainSigns(bytes) }
    var text: [UInt8] = []
    wide?.rewrite(bytes, into: &text)
    return withPlainSigns(text.span) ?? text
  }

  private mutating func withPlainSigns(_ bytes: Span<UInt8>) -> [UInt8]? {
    signs.seek(in: bytes)
    guard signs.arePresent else { return nil }
    var plain: [UInt8] = []
    signs.rewrite(bytes, into: &plain)
    return plain
  }

  /// The bytes that are held back at the end of a stream.
  mutating func rest() -> [UInt8] {
    var rest: [UInt8] = []
    if signs.arePresent { signs.finish(into: &rest) }
    return rest
  }
}
