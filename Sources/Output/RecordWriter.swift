import LodestoneCore
import LodestonePorts

/// Records as lines in one format. A line costs no allocation.
public struct RecordWriter: ~Copyable {
  /// How many were written.
  public private(set) var count = 0
  /// What a sink is told of the lines.
  public let stream: SinkStream
  private var format: any Format
  @usableFromInline var row: Row
  private var text = TextBuffer(capacity: 1024)

  /// A writer of records of a kind.
  public init(_ schema: RecordSchema, as format: any Format.Type, _ facts: StreamFacts) {
    self.format = format.init(schema, facts)
    row = Row(schema)
    self.format.appendHeader(to: &text)
    stream = SinkStream(schema: schema, facts: facts, format: format.name, header: text.withUnsafeBytes { Array($0) })
    text.removeAll()
  }

  /// Hands the lines of a record to `body`, unless the format has nothing to say about it.
  @inlinable @inline(__always)
  public mutating func write<Reading: Record>(
    _ reading: borrowing Reading, to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void
  ) throws(OutputError) {
    row.take(reading)
    try writeRow(to: body)
  }

  @usableFromInline
  mutating func writeRow(to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    text.removeAll()
    format.append(row, to: &text)
    count += 1
    guard !text.isEmpty else { return }
    try text.withUnsafeBytes { bytes throws(OutputError) in try body(bytes) }
  }
}

extension OutputPipe {
  /// Queues a text of whole lines.
  public func append(_ text: borrowing TextBuffer) throws(OutputError) {
    guard !text.isEmpty else { return }
    try text.withUnsafeBytes { bytes throws(OutputError) in try append(bytes) }
  }
}

/// Records on their way to several sinks in one format.
public final class Publisher {
  /// Where they go.
  public let sinks: [any Sink]
  private var writer: RecordWriter

  /// A publisher of records of a kind.
  public init(_ schema: RecordSchema, as format: any Format.Type, _ facts: StreamFacts, to sinks: [any Sink]) {
    writer = RecordWriter(schema, as: format, facts)
    self.sinks = sinks
    for sink in sinks { sink.begin(writer.stream) }
  }

  /// Sends a record to each of them.
  public func publish<Reading: Record>(_ reading: borrowing Reading) throws(OutputError) {
    let sinks = sinks
    try writer.write(reading) { lines throws(OutputError) in
      for sink in sinks { try sink.send(lines) }
    }
  }

  /// What readers did not get.
  public var losses: [SinkLoss] { sinks.flatMap { $0.losses } }
}
