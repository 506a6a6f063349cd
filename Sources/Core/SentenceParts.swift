// Parts of the sentences that people read, for the faces that word them.

/// A number in a sentence, with this number of decimals; a question mark where it is not finite.
package func number(_ value: Double, _ decimals: Int) -> String { value.text(decimals: decimals, absent: "?") }

extension ClosedRange<Double> {
  /// The range as part of a sentence: "from 0.0 to 2.5".
  package var words: String { "from \(number(lowerBound, 1)) to \(number(upperBound, 1))" }
}

extension [String] {
  /// "a, b and c".
  package var listed: String { listed(joined: "and") }

  /// The words with another one than "and" before the last: "a, b or c".
  package func listed(joined: String) -> String {
    guard let last else { return "" }
    return count == 1 ? last : "\(dropLast().joined(separator: ", ")) \(joined) \(last)"
  }
}

extension String {
  /// The text as it begins a sentence.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The clause as a sentence of its own.
  package var asSentence: String { capitalizedFirst + (hasSuffix(".") || hasSuffix("?") ? "" : ".") }

  /// The sentence of a library or a peer as a clause: without the capital and the full stop.
  package var asClause: String {
    let text = hasSuffix(".") ? String(dropLast()) : self
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
