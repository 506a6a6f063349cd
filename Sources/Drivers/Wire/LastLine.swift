/// The last line of a text without the end of a line, which may be cut off anywhere, or may be whole, as editors and
/// copies of a monitor's window leave it.
enum LastLine {
  /// Lines before it that are looked at, and how many of those must end as it does.
  private static let (looked, enough) = (8, 3)
  /// Bytes before it in which those are.
  private static let reach = 1024

  /// Whether it ends as several lines before it do: with as many cells, and as many decimals or the same text behind
  /// the last number; and none of them goes on from there.
  static func isWhole(_ line: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard let own = ending(of: bytes.extracting(line)) else { return false }
    let cells = separators(in: bytes.extracting(line))
    var (end, count, alike) = (line.lowerBound, 0, 0)
    while count < looked, end > 0, line.lowerBound - end < reach {
      var start = end
      while start > 0, !isEnd(bytes[start - 1]) { start -= 1 }
      if start < end, let other = ending(of: bytes.extracting(start..<end)) {
        count += 1
        if other == own, separators(in: bytes.extracting(start..<end)) == cells {
          alike += 1
        } else if other.starts(with: own) {
          return false
        }
      }
      end = start
      while end > 0, isEnd(bytes[end - 1]) { end -= 1 }
    }
    return alike >= enough
  }

  private static func separators(in line: Span<UInt8>) -> Int {
    line.indices.count { line[$0] == .comma || line[$0] == .tab || line[$0] == .semicolon }
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

  /// The end of a line from its last decimal point on, digits as zeros, or behind its last digit; nil where nothing
  /// there would tell that it is cut off.
  private static func ending(of line: Span<UInt8>) -> [UInt8]? {
    guard let digit = line.indices.last(where: { line[$0].isDigit }) else { return nil }
    var start = digit
    while start > 0, line[start].isDigit { start -= 1 }
    if line[start] != UInt8(ascii: ".") { start = digit + 1 }
    let ending = (start..<line.count).map { line[$0].isDigit ? UInt8(ascii: "0") : line[$0] }
    return ending.isEmpty ? nil : ending
  }
}
