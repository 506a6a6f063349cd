/// Words in the place of a number that is not there, as C, Python, JavaScript, MATLAB, R and Arduino's `Print` write
/// them.
enum MissingNumber {
  /// The words for a missing number, without a sign, in lower case.
  static let words: Set<ColumnWord> = [
    "nan", "inf", "infinity", "ovf", "none", "null", "nil", "undefined", "na", "n/a",
  ]

  /// A text is such a word, perhaps behind a sign: `-nan`.
  static func isWord(_ text: Span<UInt8>) -> Bool {
    let start = text.count > 0 && (text[0] == UInt8(ascii: "-") || text[0] == UInt8(ascii: "+")) ? 1 : 0
    let word = text.extracting(start..<text.count)
    return !word.isEmpty && word.indices.allSatisfy { word[$0].isLetter || word[$0] == UInt8(ascii: "/") }
      && words.contains(ColumnWord(word))
  }
}
