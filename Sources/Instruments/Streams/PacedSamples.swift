import LodestoneCore
import LodestonePorts

/// A recording at the pace of its time stamps: each sample waits until its time has come.
struct PacedSamples {
  private var pace = Pace()
  private var waiting: (sample: Sample, due: MonotonicTime)?

  /// When the sample that waits is due; nil where none waits.
  var due: MonotonicTime? { waiting?.due }

  /// The event now, or `.waiting` for a sample whose time has not come: it is kept for `release`.
  mutating func hold(_ event: StreamEvent) -> StreamEvent {
    guard case .sample(let sample) = event else { return event }
    let due = pace.due(sample.time)
    guard due > MonotonicTime.now else { return event }
    waiting = (sample, due)
    return .waiting
  }

  /// The sample that waits, once its time has come, and `.waiting` until then; nil where none waits.
  mutating func release() -> StreamEvent? {
    guard let waiting else { return nil }
    guard waiting.due <= MonotonicTime.now else { return .waiting }
    self.waiting = nil
    return .sample(waiting.sample)
  }
}
