/// Lines whose numbers are written to the base of 16, as `X: FE79 Y: 1D6 Z: FAE9` and `0x1F3A,…`. Those that happen to have no
/// letters would pass for decimal ones.
enum HexNumbers {
  /// Bytes at the beginning of a text that are looked at.
  private static let searchedByteCount = 4096
  /// Lines of hexadecimal numbers that are enough.
  private static let fewest = 3

  /// At least half of the first lines hold three numbers or more, none of which has a sign or a point, and one of which has
  /// digits and letters.
  static func fill(_ bytes: Span<UInt8>) -> Bool {
    let text = bytes.extracting(first: min(bytes.count, searchedByteCount))
    var (framer, position) = (LineFramer(), 0)
    var (count, all) = (0, 0)
    while case .line(let range)? = framer.next(in: text, from: &position) {
      all += 1
      if isHex(text.extracting(range)) { count += 1 }
    }
    return count >= fewest && 2 * count >= all
  }

  private static func isHex(_ line: Span<UInt8>) -> Bool {
    var (numbers, mixed, index) = (0, 0, 0)
    while index < line.count {
      if line[index] == UInt8(ascii: ".") || line[index] == UInt8(ascii: "-") { return false }
      guard isWord(line[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < line.count, isWord(line[index]) { index += 1 }
      switch kind(line, start..<index) {
      case .word: break
      case .plain: numbers += 1
      case .mixed: (numbers, mixed) = (numbers + 1, mixed + 1)
      }
    }
    return numbers >= 3 && mixed > 0
  }

  private enum Kind { case word, plain, mixed }

  /// A word, digits that may be of either kind, or a number that has letters, too; one with an exponent has none.
  private static func kind(_ line: Span<UInt8>, _ range: Range<Int>) -> Kind {
    let isMarked = range.count > 2 && (line.holds("0x", at: range.lowerBound) || line.holds("0X", at: range.lowerBound))
    let digits = isMarked ? range.lowerBound + 2..<range.upperBound : range
    guard digits.count <= 8, digits.allSatisfy({ line[$0].isHexDigit }) else { return .word }
    if isMarked { return .mixed }
    let letters = digits.filter { line[$0].isLetter }
    guard let letter = letters.first else { return .plain }
    if letters.count == digits.count { return digits.count > 1 ? .plain : .word }
    let isExponent = letters.count == 1 && line[letter] | 0x20 == UInt8(ascii: "e") && letter > digits.lowerBound
    return isExponent ? .plain : .mixed
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") }
}
