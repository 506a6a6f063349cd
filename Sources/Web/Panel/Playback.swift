import Calibration
import Drivers
import Instruments
import LodestoneCore
import LodestonePorts

/// A recording at its own pace. It can be paused, and stays when it has ended, be it by an error: its last state is what
/// there is to see.
final class Playback: SampleStream {
  private let recording: any SampleStream
  private var held: (event: StreamEvent, due: MonotonicTime)?
  private var pace = Pace()
  private var pausedAt: MonotonicTime?
  private var first: Double?
  /// Seconds from its first sample to the present one.
  private(set) var position = 0.0
  /// Seconds from its first sample to the last; nil where that is not known.
  let duration: Double?
  /// Whether it has ended.
  private(set) var hasEnded = false
  /// Called with the error that ends it after its first sample; one before that is thrown.
  var onFailure: ((StreamError) -> Void)?

  init(_ recording: any SampleStream, duration: Double?) {
    self.recording = recording
    self.duration = duration
  }

  /// Seconds from the first sample of a recording to the last; nil for one that takes too long to read through.
  static func duration(of recording: any SampleStream) -> Double? {
    let end = MonotonicTime.now + longestScan
    var times: (first: Double, last: Double)?
    while MonotonicTime.now < end {
      for _ in 0..<256 {
        guard let event = try? recording.next() else { return nil }
        switch event {
        case .sample(let sample): times = (times?.first ?? sample.time, sample.time)
        case .ended: return times.map { $0.last - $0.first }
        default: break
        }
      }
    }
    return nil
  }

  /// Seconds that reading through a recording may take.
  private static let longestScan = 0.5

  /// Whether the clock of the recording stands still.
  var isPaused: Bool {
    get { pausedAt != nil }
    set {
      guard newValue != isPaused else { return }
      let now = MonotonicTime.now
      if let pausedAt {
        let lost = now - pausedAt
        pace.putOff(by: lost)
        held = held.map { ($0.event, $0.due + lost) }
      }
      pausedAt = newValue ? now : nil
    }
  }

  func next() throws(StreamError) -> StreamEvent {
    guard !isPaused, !hasEnded else { return .waiting }
    if let held {
      guard held.due <= .now else { return .waiting }
      self.held = nil
      return noted(held.event)
    }
    let event: StreamEvent
    do throws(StreamError) {
      event = try recording.next()
    } catch {
      guard first != nil else { throw error }
      hasEnded = true
      onFailure?(error)
      return .waiting
    }
    switch event {
    case .ended:
      hasEnded = true
      return .waiting
    case .sample(let sample): return hold(event, until: sample.time)
    case .position(let place): return hold(event, until: place.time)
    default: return event
    }
  }

  private func hold(_ event: StreamEvent, until time: Double) -> StreamEvent {
    let due = pace.due(time)
    guard due > .now else { return noted(event) }
    held = (event, due)
    return .waiting
  }

  private func noted(_ event: StreamEvent) -> StreamEvent {
    guard case .sample(let sample) = event else { return event }
    let start = first ?? sample.time
    first = start
    position = max(0, sample.time - start)
    return event
  }

  // MARK: - What the recording says

  /// Whether it is paused or has ended.
  var isStanding: Bool { isPaused || hasEnded }
  var descriptor: Int32? { isStanding || held != nil ? nil : recording.descriptor }
  var interest: Poller.Interest { recording.interest }
  var wakeTime: MonotonicTime? { isStanding ? .now + 0.5 : held?.due ?? recording.wakeTime }
  let isLive = false
  var isEndless: Bool { true }
  var identity: String { recording.identity }
  var unixStart: Double? { recording.unixStart }
  var sideThread: SideThread? { recording.sideThread }
  var builtInProfile: Profile? { recording.builtInProfile }
  func expect(_ expectation: FieldExpectation) { recording.expect(expectation) }
  func seek(_ causes: CauseNames) { recording.seek(causes) }
  func seekPositions() -> Bool { recording.seekPositions() }
  func follow(_ request: HandRequest) { recording.follow(request) }
}
