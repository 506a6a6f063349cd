extension String {
  /// The text with a password in an address of it made unreadable: `mqtt://boat:***@host/topic`. An address with one is
  /// refused, and what refuses it must not show it to whoever reads the terminal or a log.
  var withoutPasswords: String {
    var result = Substring()
    var rest = self[...]
    let marks = ["//", "mqtt:", "mqtts:"]
    while let mark = marks.compactMap({ rest.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) {
      let end = Self.end(of: rest, from: mark)
      let address = rest[mark.upperBound..<end]
      result += rest[..<mark.upperBound]
      if let colon = address.firstIndex(of: ":"), let at = address.lastIndex(of: "@"), colon < at {
        result += address[...colon] + "***" + address[at...]
      } else {
        result += address
      }
      rest = rest[end...]
    }
    return String(result + rest)
  }

  /// The end of the address that has the mark: at the quotation mark where it stands between two, else at a space.
  private static func end(of text: Substring, from mark: Range<Index>) -> Index {
    let before = text[..<mark.lowerBound].lastIndex { $0.isWhitespace || "'\"".contains($0) }
    let quote = before.map { text[$0] }.flatMap { "'\"".contains($0) ? $0 : nil }
    let rest = text[mark.upperBound...]
    let end = quote.flatMap { quote in rest.firstIndex(of: quote) } ?? rest.firstIndex { $0.isWhitespace }
    return end ?? text.endIndex
  }
}
