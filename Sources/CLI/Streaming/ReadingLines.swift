import Core
import Navigation
import Output
import Ports

/// Readings of the compass on their way out in one format.
struct ReadingLines: ~Copyable {
  /// How many were written.
  private(set) var count = 0
  private var format: any ReadingFormat
  private var text = TextBuffer(capacity: 1024)

  /// A writer in the format of this name, which must be one.
  init(format name: String, facts: StreamFacts) {
    format = (ReadingFormats.all.first { $0.name == name } ?? TextReadings.self).init(facts)
  }

  /// Writes the header.
  mutating func begin(on output: OutputPipe) throws(OutputError) {
    text.removeAll()
    format.appendHeader(to: &text)
    try output.append(text)
  }

  /// Writes a reading.
  @inline(__always)
  mutating func write(_ reading: borrowing Reading, to output: OutputPipe) throws(OutputError) {
    text.removeAll()
    format.append(reading, to: &text)
    try output.append(text)
    count += 1
  }
}

extension OutputPipe {
  /// Queues a text of whole lines.
  func append(_ text: borrowing TextBuffer) throws(OutputError) {
    guard !text.isEmpty else { return }
    try text.withUnsafeBytes { bytes throws(OutputError) in try append(bytes) }
  }
}
