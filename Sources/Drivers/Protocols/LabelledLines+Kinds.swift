import LodestoneCore

/// The kinds of lines among those with names.
extension LabelledLines {
  /// Text with letters and numbers, or a tuple, and not of a kind that has marks of its own.
  static func mayBeLabelled(_ line: Span<UInt8>) -> Bool {
    if InfluxLines.isOne(line) || AndroidLog.isOne(line) || line.endsInHexDump { return false }
    switch line[0] {
    // `#12 X: …` is numbered.
    case UInt8(ascii: "#") where line.count > 1 && line[1].isDigit: break
    // `< RAW_IMU {…` is what MAVProxy watches.
    case UInt8(ascii: "<") where line.holds("< "): break
    case UInt8(ascii: "$"), UInt8(ascii: "#"), UInt8(ascii: "!"), UInt8(ascii: "<"): return false
    default: break
    }
    var hasLetter = "([{".utf8.contains(line[0])
    for index in line.indices {
      let byte = line[index]
      if byte == UInt8(ascii: "{"), isJSON(line, index) { return false }
      guard byte >= 0x20 || byte == .tab, byte != 0x7F else { return false }
      // Letters of other scripts are bytes from 0xD0 on.
      if byte.isLetter || byte >= 0xD0 { hasLetter = true }
    }
    return hasLetter
  }

  /// A brace with a key in quotes behind it.
  private static func isJSON(_ line: Span<UInt8>, _ brace: Int) -> Bool {
    var index = brace + 1
    while index < line.count, line[index].isBlank { index += 1 }
    return index < line.count && (line[index] == .quote || line[index] == .apostrophe)
  }

  /// A row of dashes and no more.
  static func isDashed(_ line: Span<UInt8>) -> Bool {
    line.count > 2 && line.indices.allSatisfy { "-=_*#".utf8.contains(line[$0]) }
  }

  /// A row of dashes or the like, which parts what people read, brackets alone, a remark, a word behind an exclamation
  /// mark (`!phase:IDLE`), or a member of a list without a name of its own.
  static func isRule(_ line: Span<UInt8>) -> Bool {
    line.holds("- ") || line.holds("# ") || line.holds("!") && line.isOfWords
      || line.indices.allSatisfy { index in
        switch line[index] {
        case .space, .tab, .bar, .comma: true
        default: "-=_*#/+~{}[]()".utf8.contains(line[index])
        }
      }
  }
}

extension Span<UInt8> {
  /// Text without a digit.
  fileprivate var isOfWords: Bool { indices.allSatisfy { (0x20..<0x7F).contains(self[$0]) && !self[$0].isDigit } }
}
