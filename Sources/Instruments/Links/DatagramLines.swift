/// The line ends that datagrams of text do without. Most senders put a line or several into a datagram, some of them
/// without an end behind the last; a bridge from a serial port cuts the text anywhere, and the next datagram goes on
/// with the line. A line is ended where the next datagram begins as a line does that goes on with nothing; once that
/// was seen, at the end of each datagram, so that a line need not wait for the next. Bytes that are no text are left as
/// they are.
struct DatagramLines {
  /// The line that the last datagram left without an end; nil where there is none.
  private var open: OpenLine?
  /// Whether datagrams were seen to be whole lines.
  private var areWhole = false
  /// Whether a line end came inside a datagram, or at its end.
  private var hasLineEnds = false
  private var count = 0
  private var byteCount = 0

  /// Datagrams and bytes without a line end, past which there will be none: only parts of a longer line would be cut.
  private static let patience = (count: 16, byteCount: 2048)
  /// Values of a row without names from which on rows of as many are no parts of one line.
  private static let fewestValues = 3

  /// A line without an end.
  private struct OpenLine {
    /// The word that it begins with; empty where it begins with none.
    var word: [UInt8]
    /// The part of it that was in the last datagram.
    var part: [UInt8]
    /// Whether it was ended at the end of the datagram.
    var isEnded: Bool
  }

  /// Takes in the next datagram, which is not empty.
  /// - Returns: whether a line must be ended before it, and at its end.
  mutating func take(_ datagram: UnsafeRawBufferPointer) -> (before: Bool, after: Bool) {
    guard datagram.allSatisfy(\.isText) else {
      self = DatagramLines()
      return (false, false)
    }
    let first = Array(datagram.prefix { !$0.endsLine })
    let isWithoutEnd = first.count == datagram.count
    hasLineEnds = hasLineEnds || !isWithoutEnd
    count += 1
    byteCount += datagram.count
    let begins = open.map { isNewLine(first, after: $0) } ?? false
    let isEndedBefore = open?.isEnded ?? false
    if isEndedBefore, !begins, hasLineEnds { areWhole = false }
    areWhole = (areWhole || begins) && (isWithoutEnd || !first.isNumeric)
    let last = Array(datagram.suffix { !$0.endsLine })
    let goesOn = isWithoutEnd && !begins && !isEndedBefore
    let word = goesOn ? open?.word : nil
    open = last.isEmpty ? nil : OpenLine(word: word ?? Array(last.word), part: last, isEnded: areWhole)
    return (begins && !isEndedBefore, areWhole && !last.isEmpty)
  }

  /// Whether the text begins a line, and is not what is left of the open one.
  private func isNewLine(_ text: [UInt8], after open: OpenLine) -> Bool {
    switch (open.part.last, text.first) {
    case (_, UInt8(ascii: "$")), (_, UInt8(ascii: "!")): return true  // nowhere else in a sentence
    case (UInt8(ascii: "}"), UInt8(ascii: "{")), (UInt8(ascii: "]"), UInt8(ascii: "[")): return true
    default: break
    }
    if !open.word.isEmpty, text.word.elementsEqual(open.word) { return true }
    guard !hasLineEnds else { return false }
    let values = text.valueCount
    let isCut = open.part.last == UInt8(ascii: ",") || text.first == UInt8(ascii: ",")
    if text.isNumeric, !isCut, values >= Self.fewestValues, values == open.part.valueCount { return true }
    return count > Self.patience.count && byteCount > Self.patience.byteCount
  }
}

extension UInt8 {
  /// Whether it is part of a text: a visible character, a byte of one past ASCII, or white space.
  fileprivate var isText: Bool { self >= 0x20 && self != 0x7f || self == UInt8(ascii: "\t") || endsLine }

  fileprivate var endsLine: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }

  private var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

  /// Whether it stands between two values.
  fileprivate var separates: Bool {
    self == UInt8(ascii: ",") || self == UInt8(ascii: ";") || self == UInt8(ascii: " ") || self == UInt8(ascii: "\t")
  }

  /// Whether it is part of a number, or stands between two.
  fileprivate var isNumeric: Bool { isDigit || separates || "+-.".utf8.contains(self) }
}

extension [UInt8] {
  /// The word that it begins with, whole: something follows it. Empty where there is none.
  fileprivate var word: ArraySlice<UInt8> {
    let word = prefix { $0.isLetter }
    return word.count < count ? word : []
  }

  /// Whether it is a row of numbers, or part of one.
  fileprivate var isNumeric: Bool { allSatisfy(\.isNumeric) }

  fileprivate var valueCount: Int { split(whereSeparator: \.separates).count }
}

extension UnsafeRawBufferPointer {
  /// The longest end whose bytes satisfy the predicate.
  fileprivate func suffix(while predicate: (UInt8) -> Bool) -> Slice<UnsafeRawBufferPointer> {
    self[(lastIndex { !predicate($0) }.map { $0 + 1 } ?? startIndex)...]
  }
}
