import LodestoneCore

extension JSONLines {
  /// A reading of another lodestone, as far as its line tells, or a heading of a board.
  struct Reading {
    /// The heading of a board that says no more of it, and whether its key says that it is in degrees.
    private(set) var board: (heading: Double, isInDegrees: Bool)?
    /// A sample of another lodestone.
    private(set) var written = WrittenReading()
    /// An angle has come that may be a heading: `{"roll": 0.1, "pitch": 359.2, "yaw": 40.3}`.
    private(set) var mayBeHeading = false

    /// `heading`, `compassHeading`, `heading_deg` and their like; `compass` alone, which may have a `heading` of its
    /// own.
    private static func isHeading(_ words: [ColumnWord]) -> Bool {
      let others: [ColumnWord] = ["compass", "imu", "magnetic", "deg", "degrees"]
      if words == ["compass"] { return true }
      return words.contains("heading") && words.allSatisfy { $0 == "heading" || others.contains($0) }
    }

    mutating func take(_ item: JSONScanner.Item, _ line: Span<UInt8>) {
      guard item.parent.isEmpty || ["compass", "payload"].contains(where: { line.holds($0, in: item.parent) }) else {
        return
      }
      if written.take(item.number, item.key, line) {
        if let word = item.string { written.take(basis: line.extracting(word)) }
      } else if let number = item.value(in: line) {
        let words = ColumnWord.words(of: line.extracting(item.key))
        if Self.isHeading(words) {
          board = (number, words.contains { LineLabel.degrees.contains($0) })
        } else if LabelReader.Line.headings.contains(number), words.contains(where: { LineLabel.angles.contains($0) }) {
          mayBeHeading = true
        }
      }
    }
  }
}
