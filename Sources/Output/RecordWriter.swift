import LodestoneCore
import LodestonePorts

/// Records as lines in one format. A line costs no allocation.
public struct RecordWriter: ~Copyable {
  /// How many were written.
  public private(set) var count = 0
  /// The format has had nothing to say about any of them.
  public private(set) var isSilent = true
  /// The stream as a sink is told of it.
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

  /// Hands what is left to say behind the last record to `body`.
  public mutating func end(to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    text.removeAll()
    format.appendEnd(to: &text)
    try handOver(to: body)
  }

  @usableFromInline
  mutating func writeRow(to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) {
    text.removeAll()
    format.append(row, to: &text)
    count += 1
    try handOver(to: body)
  }

  /// Appends the lines of some records to a text.
  mutating func append<Reading: Record>(_ readings: UnsafeMutableBufferPointer<Reading>, to text: inout TextBuffer) {
    Self.append(readings, as: &format, by: &row, to: &text)
    count += readings.count
    if !text.isEmpty { isSilent = false }
  }

  /// The format is looked at once for all of them.
  private static func append<Reading: Record>(
    _ readings: UnsafeMutableBufferPointer<Reading>, as format: inout some Format, by row: inout Row,
    to text: inout TextBuffer
  ) {
    guard let first = readings.baseAddress else { return }
    for index in readings.indices {
      row.take(from: &first[index])
      format.append(row, to: &text)
    }
  }

  private mutating func handOver(
    to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void
  ) throws(OutputError) {
    guard !text.isEmpty else { return }
    isSilent = false
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

/// Records on their way to several sinks in one format; a sink that takes no other than its own gets that.
public final class Publisher {
  /// Where they go.
  public let sinks: [any Sink]
  private let channels: [Channel]

  /// Sinks that are sent the same lines.
  private final class Channel {
    let sinks: [any Sink]
    let format: any Format.Type
    var writer: RecordWriter

    init(
      _ schema: RecordSchema, as format: any Format.Type, _ facts: StreamFacts, _ events: [String], to sinks: [any Sink]
    ) {
      self.format = format
      writer = RecordWriter(schema, as: format, facts)
      self.sinks = sinks
      var stream = self.writer.stream
      stream.events = events
      for sink in sinks { sink.begin(stream) }
    }

    func send(_ lines: UnsafeRawBufferPointer) throws(OutputError) {
      for sink in sinks { try sink.send(lines) }
    }
  }

  /// A publisher of records of a kind.
  /// - Parameter events: what can happen and is told, by name.
  public init(
    _ schema: RecordSchema, as format: any Format.Type, _ facts: StreamFacts, events: [String] = [],
    to sinks: [any Sink]
  ) {
    self.sinks = sinks
    let own = sinks.filter { $0.ownFormat != nil }
    let others = sinks.filter { $0.ownFormat == nil }
    channels =
      own.map { Channel(schema, as: $0.ownFormat ?? format, facts, events, to: [$0]) }
      + (others.isEmpty ? [] : [Channel(schema, as: format, facts, events, to: others)])
  }

  /// Sends a record to each of them.
  public func publish<Reading: Record>(_ reading: borrowing Reading) throws(OutputError) {
    for channel in channels {
      try channel.writer.write(reading) { lines throws(OutputError) in try channel.send(lines) }
    }
  }

  /// Tells each of them that the device is gone or silent: what was published last holds no longer.
  public func deviceIsAway() { for sink in sinks { sink.deviceIsAway() } }

  /// One of them has use for events.
  public var takesEvents: Bool { sinks.contains { $0.takesEvents } }

  /// Tells each of them that something happened.
  public func tell(event: String) throws(OutputError) {
    for sink in sinks { try sink.send(event: event) }
  }

  /// Sends what is left, and gives readers until the deadline to take what waits. What stands in the way of one keeps
  /// nothing from the others; it is thrown afterwards.
  public func finish(until deadline: MonotonicTime) throws(OutputError) {
    var problem: OutputError?
    func attempt(_ body: () throws(OutputError) -> Void) {
      do throws(OutputError) { try body() } catch { problem = problem ?? error }
    }
    for channel in channels {
      attempt { () throws(OutputError) in
        try channel.writer.end { lines throws(OutputError) in try channel.send(lines) }
      }
      for sink in channel.sinks { attempt { () throws(OutputError) in try sink.finish(until: deadline) } }
    }
    if let problem { throw problem }
  }

  /// Formats that have had nothing to say about any record, with the sinks that got nothing; known at the end.
  public var silent: [(format: any Format.Type, sinks: [String])] {
    channels.filter { $0.writer.count > 0 && $0.writer.isSilent }.map { ($0.format, $0.sinks.map { $0.name }) }
  }

  /// Tells what sinks have to say while they are used, with their names.
  public func tell(_ say: @escaping (_ sink: String, SinkNotice) -> Void) { sinks.tell(say) }

  /// The losses of readers.
  public var losses: [SinkLoss] { sinks.flatMap { $0.losses } }
}

extension [any Sink] {
  /// Tells what they have to say while they are used, with their names.
  public func tell(_ say: @escaping (_ sink: String, SinkNotice) -> Void) {
    for sink in self {
      let name = sink.name
      sink.tell { say(name, $0) }
    }
  }
}

extension Sink {
  fileprivate var ownFormat: (any Format.Type)? { (self as? any AddressedSink).flatMap { type(of: $0).format } }
}
