import LodestoneCore

/// The head of what Xsens' programs export, which says the rate of rows that tell no time: `// Update Rate: 100.0Hz`.
struct XsensHead: Sendable {
  /// Rows a second; nil for other tables.
  private(set) var rate: Double?
  private var rowCount = 0

  /// Takes in a comment.
  mutating func read(_ line: Span<UInt8>) {
    let key: StaticString = "// Update Rate:"
    guard line.holds(key) else { return }
    var index = key.utf8CodeUnitCount
    while index < line.count, line[index].isBlank { index += 1 }
    if let said = parseDecimal(line, from: &index), said >= 0.1, said <= 1e5 { rate = said }
  }

  /// The time of the next row in seconds, which is one more with each call; nil for other tables.
  mutating func nextTime() -> Double? {
    guard let rate else { return nil }
    defer { rowCount &+= 1 }
    return Double(rowCount) / rate
  }
}
