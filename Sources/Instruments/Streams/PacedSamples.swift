import LodestoneCore
import LodestonePorts

/// A recording at the pace of its time stamps: each sample, or each position of a receiver's log, waits until its time
/// has come.
struct PacedSamples {
  /// Whether the times of positions set the pace, and not those of samples.
  var followsPositions = false
  private var pace = Pace()
  private var waiting: (event: StreamEvent, due: MonotonicTime)?

  /// The time at which the event that waits is due; nil where none waits.
  var due: MonotonicTime? { waiting?.due }

  /// The event now, or `.waiting` for one whose time has not come: it is kept for `release`.
  mutating func hold(_ event: StreamEvent) -> StreamEvent {
    guard let time = time(of: event) else { return event }
    let due = pace.due(time)
    guard due > MonotonicTime.now else { return event }
    waiting = (event, due)
    return .waiting
  }

  private func time(of event: StreamEvent) -> Double? {
    switch event {
    case .sample(let sample): followsPositions ? nil : sample.time
    case .position(let position): followsPositions ? position.time : nil
    default: nil
    }
  }

  /// The event that waits, once its time has come, and `.waiting` until then; nil where none waits.
  mutating func release() -> StreamEvent? {
    guard let waiting else { return nil }
    guard waiting.due <= MonotonicTime.now else { return .waiting }
    self.waiting = nil
    return waiting.event
  }
}
