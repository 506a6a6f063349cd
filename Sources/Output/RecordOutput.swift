import LodestoneCore
import LodestonePorts

/// Records as lines of an output. Those of a recording are written on the thread that reads it, up to some thousand
/// records behind: computing with samples, and reading and writing numbers, share the work.
public final class RecordOutput<Reading: Record>: LoopCompanion {
  /// Records that go to the thread at once, and their lines.
  /// Unchecked: only one of the two has it at a time, the loop or the thread.
  private final class Batch: @unchecked Sendable {
    let readings: UnsafeMutableBufferPointer<Reading>
    var count = 0
    var text = TextBuffer()

    init(capacity: Int) {
      readings = .allocate(capacity: capacity)
      readings.initialize(repeating: Reading())
    }

    deinit {
      readings.deinitialize()
      readings.deallocate()
    }
  }

  /// Makes lines of records. Unchecked: the thread's alone while it has a batch.
  private final class Press: @unchecked Sendable {
    var writer: RecordWriter

    init(_ writer: consuming RecordWriter) { self.writer = writer }

    func print(_ batch: Batch) {
      batch.text.removeAll()
      writer.append(UnsafeMutableBufferPointer(rebasing: batch.readings[..<batch.count]), to: &batch.text)
    }
  }

  /// The number of records in a batch. Their lines fit into the output's queue.
  private static var batchCount: Int { 1024 }
  /// Batches on their way: one is filled, one is written, one waits for either.
  private static var depth: Int { 3 }

  private let output: OutputPipe
  private let press: Press
  /// The thread that writes lines; nil where each line is written at once.
  private let thread: SideThread?
  private let done: Handover<Batch>
  /// The batch that is filled now, and others that nobody has; none where each line is written at once.
  private var batch: Batch?
  private var free: [Batch] = []
  /// The number of batches that the thread has, or has written and that were not taken back yet.
  private var outCount = 0
  /// The number of records written.
  public var count: Int { written }
  /// Exclusivity is unchecked, as below: these are used for each record, and call nothing that comes back here.
  @exclusivity(unchecked) @usableFromInline var written = 0
  /// The place of the next record; nil where there is no batch.
  @exclusivity(unchecked) @usableFromInline var place: UnsafeMutablePointer<Reading>?
  @exclusivity(unchecked) @usableFromInline var roomLeft = 0

  /// Lines of records in a format, behind their header.
  /// - `thread`: writes the lines of a recording; nil to write each at once.
  public init(_ format: any Format.Type, _ facts: StreamFacts, to output: OutputPipe, on thread: SideThread?) throws {
    self.output = output
    self.thread = thread
    done = try Handover(capacity: Self.depth)
    press = Press(RecordWriter(Reading.schema, as: format, facts))
    try output.append(header: press.writer.stream.header)
    if thread != nil { beginBatch() }
  }

  /// Whether the format has written nothing for any record; known at the end.
  public var isSilent: Bool { press.writer.isSilent }

  /// Writes a record. Returns how many were written.
  /// - Parameter reading: only read; inout so that it is copied once, to where the thread finds it.
  @inlinable @inline(__always)
  public func write(from reading: inout Reading) throws(OutputError) -> Int {
    written &+= 1
    if let place {
      place.pointee = reading
      self.place = place + 1
      roomLeft &-= 1
      if roomLeft == 0 { handOver() }
    } else {
      try writeNow(reading)
    }
    return written
  }

  /// Writes a line at once, behind all others.
  @usableFromInline
  func writeNow(_ reading: borrowing Reading) throws(OutputError) {
    while try settle() {}
    try press.writer.write(reading) { lines throws(OutputError) in try output.append(lines) }
  }

  private func beginBatch() {
    batch = outCount < Self.depth ? free.popLast() ?? Batch(capacity: Self.batchCount) : nil
    place = batch?.readings.baseAddress
    roomLeft = batch?.readings.count ?? 0
  }

  @usableFromInline
  func handOver() {
    guard let full = batch else { return }
    full.count = full.readings.count - roomLeft
    outCount += 1
    let (press, done) = (press, done)
    thread?.perform {
      press.print(full)
      _ = done.put(full)
    }
    beginBatch()
  }

  /// Writes the end behind the last record.
  public func end() throws(OutputError) {
    try press.writer.end { lines throws(OutputError) in try output.append(lines) }
  }

  // MARK: In the loop

  /// Whether there is no room for 32 more records.
  public var isFull: Bool { thread != nil && outCount >= Self.depth - 1 && roomLeft < sampleRoom }

  /// A sample makes one record at most.
  public var sampleRoom: Int { 32 }

  /// Watches for lines that the thread has written.
  public func watch(with poller: inout Poller) { poller.watch(done.descriptor, for: .readable) }

  /// Hands lines to the output while that has room.
  public func serve(_ poller: Poller) throws(OutputError) {
    while !output.isFull, let batch = done.take() { try takeBack(batch) }
  }

  /// Hands the next lines to the output, and waits for the thread to write them.
  public func settle() throws(OutputError) -> Bool {
    if let batch, roomLeft < batch.readings.count { handOver() }
    guard outCount > 0 else { return false }
    var poller = Poller()
    poller.watch(done.descriptor, for: .readable)
    while true {
      if let batch = done.take() {
        try takeBack(batch)
        return true
      }
      do { try poller.wait() } catch { throw .system(error) }
    }
  }

  private func takeBack(_ written: Batch) throws(OutputError) {
    outCount -= 1
    free.append(written)
    if batch == nil { beginBatch() }
    try output.append(written.text)
  }
}
