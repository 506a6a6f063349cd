import LodestoneCore
import Drivers
import LodestonePorts

/// A recording that is read and understood on a thread of its own, up to some thousand samples ahead of whoever asks:
/// reading numbers and computing with them share the work of a long recording.
final class ReadAhead: SampleStream {
  /// Samples, and what came after them.
  /// Unchecked: only one of the two has it at a time, the thread or the caller.
  private final class Batch: @unchecked Sendable {
    let samples: UnsafeMutablePointer<Sample>
    var count = 0
    var event: Result<StreamEvent, StreamError>?

    init() {
      samples = .allocate(capacity: ReadAhead.batchCount)
      samples.initialize(repeating: Sample(time: 0), count: ReadAhead.batchCount)
    }

    deinit {
      samples.deinitialize(count: ReadAhead.batchCount)
      samples.deallocate()
    }

    /// Whether nothing comes after it.
    var isLast: Bool {
      switch event {
      case .success(.ended), .failure: true
      default: false
      }
    }
  }

  /// Samples that are handed over at once.
  private static let batchCount = 1024
  /// Batches on their way: one is being read, one waits, one is looked at.
  private static let depth = 3

  /// The thread's part. Unchecked: the thread alone touches the stream once it runs.
  private final class Reader: @unchecked Sendable {
    let stream: any SampleStream
    let handover: Handover<Batch>
    private var isOver = false

    init(_ stream: any SampleStream, _ handover: Handover<Batch>) {
      self.stream = stream
      self.handover = handover
    }

    func fill(_ batch: Batch) {
      guard !isOver, !handover.isStopped else { return }
      batch.count = 0
      batch.event = nil
      read(into: batch)
      isOver = batch.isLast
      _ = handover.put(batch)
    }

    private func read(into batch: Batch) {
      var count = 0
      defer { batch.count = count }
      while count < ReadAhead.batchCount {
        if stream.nextSample(into: &batch.samples[count]) {
          count &+= 1
          continue
        }
        do throws(StreamError) {
          switch try stream.next() {
          case .sample(let sample):
            batch.samples[count] = sample
            count &+= 1
          case .waiting: return  // Junk without end must not keep other jobs from their turn.
          case let event:
            batch.event = .success(event)
            return
          }
        } catch {
          batch.event = .failure(error)
          return
        }
      }
    }
  }

  let identity: String
  let unixStart: Double?
  let isLive = false
  let wakeTime: MonotonicTime? = nil
  let sideThread: SideThread?
  private let reader: Reader
  private var hasBegun = false
  private var batch: Batch?
  /// The samples of the batch that were not asked for yet. Unchecked: they are asked for each sample, and call nothing
  /// that comes back here.
  @exclusivity(unchecked) private var place: UnsafeMutablePointer<Sample>?
  @exclusivity(unchecked) private var countLeft = 0

  /// Ahead of `stream`, which must be a recording: never live, never waiting. Nothing is read before the first event is
  /// asked for.
  init(of stream: any SampleStream) throws(SystemError) {
    identity = stream.identity
    unixStart = stream.unixStart
    reader = Reader(stream, try Handover(capacity: Self.depth))
    sideThread = try SideThread()
  }

  deinit { reader.handover.stop() }

  var descriptor: Int32? { reader.handover.descriptor }

  func seekPositions() -> Bool { reader.stream.seekPositions() }

  func expect(_ expectation: FieldExpectation) { reader.stream.expect(expectation) }

  func seek(_ causes: CauseNames) { reader.stream.seek(causes) }

  func nextSample(into sample: inout Sample) -> Bool {
    guard countLeft > 0, let place else { return false }
    sample = place.pointee
    self.place = place + 1
    countLeft &-= 1
    return true
  }

  func next() throws(StreamError) -> StreamEvent {
    if !hasBegun {
      hasBegun = true
      for _ in 0..<Self.depth { askForMore(in: Batch()) }
    }
    while true {
      var sample = Sample(time: 0)
      if nextSample(into: &sample) { return .sample(sample) }
      if let batch, let event = batch.event {
        if case .success(.ended) = event { return .ended }
        batch.event = nil
        return try event.get()
      }
      guard let arrived = reader.handover.take() else { return .waiting }
      if let batch { askForMore(in: batch) }
      batch = arrived
      place = arrived.samples
      countLeft = arrived.count
    }
  }

  private func askForMore(in batch: Batch) {
    let reader = reader
    sideThread?.perform { reader.fill(batch) }
  }
}
