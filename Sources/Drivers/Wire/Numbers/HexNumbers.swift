/// Lines whose numbers are written to the base of 16, as `X: FE79 Y: 1D6 Z: FAE9` and `0x1F3A,…`. Those that happen to
/// have no letters would pass for decimal ones.
enum HexNumbers {
  /// Bytes at the end of what has come of a text that are looked at.
  private static let searchedByteCount = 4096
  /// Lines of hexadecimal numbers that are enough.
  private static let fewest = 3

  /// Whether at least half of the lines that have the same text around their numbers as the last one has are
  /// hexadecimal: of those before it others may hold addresses, as a crash prints them.
  static func fill(_ bytes: Span<UInt8>) -> Bool {
    let text = bytes.extracting(last: min(bytes.count, searchedByteCount))
    var (framer, position) = (LineFramer(), 0)
    var forms: [Form?] = []
    while case .line(let range)? = framer.next(in: text, from: &position) { forms.append(form(text.extracting(range))) }
    guard case let last?? = forms.last else { return false }
    let alike = forms.compactMap { $0 }.filter { $0.text == last.text }
    let count = alike.count { $0.isHex }
    return count >= fewest && 2 * count >= alike.count
  }

  /// The text around the numbers of a line, and whether one of these has digits and letters.
  private struct Form {
    var text: [UInt8] = []
    var isHex = false
  }

  /// The form of a line of three numbers or more, none of which has a sign or a point; nil for any other, and for a
  /// sentence, whose checksum alone may have letters. Where some are marked, `0x1F`, the others are decimal, and three
  /// of the marked are needed: fewer are an address or a state beside them.
  private static func form(_ line: Span<UInt8>) -> Form? {
    if line.count > 3, line[line.count - 3] == UInt8(ascii: "*") { return nil }
    var (form, count, markedCount, index) = (Form(), 0, 0, 0)
    while index < line.count {
      if line[index] == UInt8(ascii: ".") || line[index] == UInt8(ascii: "-") { return nil }
      let start = index
      while index < line.count, isWord(line[index]) { index += 1 }
      guard index > start else {
        form.text.append(line[index])
        index += 1
        continue
      }
      switch kind(line, start..<index) {
      case .word: form.text += line.bytes(in: start..<index)
      case .plain: (count, form.text) = (count + 1, form.text + [0])
      case .mixed: (count, form.text, form.isHex) = (count + 1, form.text + [0], true)
      case .marked: (markedCount, form.text, form.isHex) = (markedCount + 1, form.text + [0], true)
      }
    }
    return (markedCount > 0 ? markedCount : count) >= 3 ? form : nil
  }

  private enum Kind { case word, plain, mixed, marked }

  /// A word, digits that may be of either kind, a number that has letters, too (one with an exponent has none), or one
  /// that says its base.
  private static func kind(_ line: Span<UInt8>, _ range: Range<Int>) -> Kind {
    let isMarked = range.count > 2 && (line.holds("0x", at: range.lowerBound) || line.holds("0X", at: range.lowerBound))
    let digits = isMarked ? range.lowerBound + 2..<range.upperBound : range
    guard digits.count <= 8, digits.allSatisfy({ line[$0].isHexDigit }) else { return .word }
    if isMarked { return .marked }
    let letters = digits.filter { line[$0].isLetter }
    guard let letter = letters.first else { return .plain }
    if letters.count == digits.count { return digits.count > 1 ? .plain : .word }
    let isExponent = letters.count == 1 && line[letter] | 0x20 == UInt8(ascii: "e") && letter > digits.lowerBound
    return isExponent ? .plain : .mixed
  }

  private static func isWord(_ byte: UInt8) -> Bool { byte.isDigit || byte.isLetter || byte == UInt8(ascii: "_") }
}
