import LodestoneCore
import LodestonePorts

/// Records as lines in one format. A line costs no allocation.
public struct RecordWriter: ~Copyable {
  /// The number of records written.
  public private(set) var count = 0
  /// Whether the format has written nothing for any of them.
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

  /// Hands the lines of a record to `body`, where the format writes any.
  @inlinable @inline(__always)
  public mutating func write<Reading: Record>(
    _ reading: borrowing Reading, to body: (UnsafeRawBufferPointer) throws(OutputError) -> Void
  ) throws(OutputError) {
    row.take(reading)
    try writeRow(to: body)
  }

  /// Hands the end behind the last record to `body`.
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

  /// Appends them with the concrete format, so that it is opened once for all of them.
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
  /// The sinks that records go to.
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
  /// - Parameter events: the names of the events that may be sent.
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

  /// Tells each sink that the device is gone or silent: what was published last does not hold any longer.
  public func deviceIsAway() { for sink in sinks { sink.deviceIsAway() } }

  /// Whether one of the sinks takes events.
  public var takesEvents: Bool { sinks.contains { $0.takesEvents } }

  /// Sends an event to each sink.
  public func tell(event: String) throws(OutputError) {
    for sink in sinks { try sink.send(event: event) }
  }

  /// Sends what is left, and gives readers until the deadline to take what waits. A sink that fails keeps nothing from
  /// the others; the first error is thrown afterwards.
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

  /// The formats that have written nothing for any record, with the sinks that got nothing; known at the end.
  public var silent: [(format: any Format.Type, sinks: [String])] {
    channels.filter { $0.writer.count > 0 && $0.writer.isSilent }.map { ($0.format, $0.sinks.map { $0.name }) }
  }

  /// Sets a closure that is called with the notices of the sinks and their names.
  public func tell(_ say: @escaping (_ sink: String, SinkNotice) -> Void) { sinks.tell(say) }

  /// The losses of readers.
  public var losses: [SinkLoss] { sinks.flatMap { $0.losses } }
}

extension [any Sink] {
  /// Sets a closure that is called with the notices of the sinks and their names.
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
