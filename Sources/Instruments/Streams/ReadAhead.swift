import LodestoneCore
import Drivers
import LodestonePorts

/// A recording that is read and understood on a thread of its own, up to some thousand samples ahead of whoever asks:
/// reading numbers and computing with them share the work of a long recording.
final class ReadAhead: SampleStream {
  /// Samples, and what came after them.
  private struct Batch: Sendable {
    var samples: [Sample] = []
    var event: Result<StreamEvent, StreamError>?
  }

  /// Samples that are handed over at once.
  private static let batchCount = 1024
  /// Batches that wait: one is being read, one understood.
  private static let depth = 2

  /// The thread's part. Unchecked: the thread alone touches the stream once it runs.
  private final class Reader: @unchecked Sendable {
    let stream: any SampleStream
    let handover: Handover<Batch>

    init(_ stream: any SampleStream, _ handover: Handover<Batch>) {
      self.stream = stream
      self.handover = handover
    }

    func run() {
      while true {
        let batch = nextBatch()
        guard handover.put(batch) else { return }
        switch batch.event {
        case .success(.ended), .failure: return
        default: break
        }
      }
    }

    private func nextBatch() -> Batch {
      var batch = Batch()
      batch.samples.reserveCapacity(ReadAhead.batchCount)
      var sample = Sample(time: 0)
      while batch.samples.count < ReadAhead.batchCount {
        if stream.nextSample(into: &sample) {
          batch.samples.append(sample)
          continue
        }
        do throws(StreamError) {
          switch try stream.next() {
          case .sample(let sample): batch.samples.append(sample)
          case .waiting: if handover.isStopped { return batch }
          case let event:
            batch.event = .success(event)
            return batch
          }
        } catch {
          batch.event = .failure(error)
          return batch
        }
      }
      return batch
    }
  }

  let identity: String
  let unixStart: Double?
  let isLive = false
  let wakeTime: MonotonicTime? = nil
  private let reader: Reader
  private var thread: BackgroundThread?
  /// Unchecked: they are asked for each sample, and call nothing that comes back here.
  @exclusivity(unchecked) private var batch = Batch()
  @exclusivity(unchecked) private var position = 0

  /// Ahead of `stream`, which must be a recording: never live, never waiting. Nothing is read before the first event is
  /// asked for.
  init(of stream: any SampleStream) throws(SystemError) {
    identity = stream.identity
    unixStart = stream.unixStart
    reader = Reader(stream, try Handover(capacity: Self.depth))
  }

  deinit {
    reader.handover.stop()
    thread?.join()
  }

  var descriptor: Int32? { reader.handover.descriptor }

  func seekPositions() -> Bool { reader.stream.seekPositions() }

  func expect(_ expectation: FieldExpectation) { reader.stream.expect(expectation) }

  func nextSample(into sample: inout Sample) -> Bool {
    guard position < batch.samples.count else { return false }
    sample = batch.samples[position]
    position &+= 1
    return true
  }

  func next() throws(StreamError) -> StreamEvent {
    try startOnce()
    while true {
      var sample = Sample(time: 0)
      if nextSample(into: &sample) { return .sample(sample) }
      if let event = batch.event {
        if case .success(.ended) = event { return .ended }
        batch.event = nil
        return try event.get()
      }
      guard let arrived = reader.handover.take() else { return .waiting }
      batch = arrived
      position = 0
    }
  }

  private func startOnce() throws(StreamError) {
    guard thread == nil else { return }
    let reader = reader
    do {
      thread = try BackgroundThread { reader.run() }
    } catch {
      throw .port(.system(path: identity, error))
    }
  }
}
