import LodestoneCore
import Instruments
import LodestonePorts

/// The one loop of a stream: waits for the device, the output, signals, the clock and companions in a single poll(2),
/// and hands what happened to the program.
public final class StreamLoop {
  /// An event of the loop.
  public enum Event {
    /// A sample came: it is the loop's `sample`, because it is too large to be handed around for each row of a
    /// recording.
    case sample
    indirect case notice(StreamNotice)
    /// A receiver says where it is, or that it has no fix.
    indirect case position(Position)
    /// The clock struck: `tickInterval` has passed.
    case tick
    /// The loop has waited, and served its companions: a moment to look at what they brought.
    case turn
  }

  /// Whether to go on.
  public enum Verdict {
    case goOn
    case stop
  }

  /// How it ended.
  public enum End: Equatable {
    /// The recording is at its end.
    case streamEnded
    /// The command had enough.
    case stopped
    /// `duration` has passed.
    case durationReached
    /// Ctrl-C, or a request to terminate.
    case interrupted
    /// Nobody reads the output any more.
    case outputClosed
  }

  /// The stream that is read.
  public let stream: any SampleStream
  /// The output of lines; nil for a program that takes readings itself.
  public let output: OutputPipe?
  /// Seconds between ticks; nil for none.
  public var tickInterval: Double?
  /// Seconds of samples after which the loop ends.
  public var duration: Double?
  /// Whether the times of positions count for the duration, and not those of samples.
  public var followsPositions = false
  /// The companions that share the wait.
  public var companions: [any LoopCompanion] = []

  /// A program's answer to an event.
  public typealias Body = (Event) throws -> Verdict

  /// The last sample.
  /// Exclusivity is unchecked: it changes between events only.
  @exclusivity(unchecked) public internal(set) var sample = Sample(time: 0)
  private let signals: Signals?
  /// Rung, the loop ends as `stopped`; from any thread.
  public let bell: Doorbell
  private var poller = Poller()
  private var firstTime: Double?
  private let started = MonotonicTime.now
  private var nextTick: MonotonicTime?

  /// A loop over a stream and an output, which takes the process's signals.
  public convenience init(_ stream: any SampleStream, output: OutputPipe) throws(SessionError) {
    try self.init(stream, output: output, takesSignals: true)
  }

  /// A loop over a stream.
  /// - `takesSignals`: Ctrl-C and its like end the loop instead of the process.
  public init(_ stream: any SampleStream, output: OutputPipe?, takesSignals: Bool) throws(SessionError) {
    self.stream = stream
    self.output = output
    do throws(SystemError) {
      signals = takesSignals ? try Signals() : nil
      bell = try Doorbell()
    } catch {
      throw .system("can't take signals: \(error.message.lowercased())")
    }
    if let beside = (stream as? CausesBeside)?.companion { companions.append(beside) }
  }

  /// Runs until something ends it, be it an error. Everything queued has been written then, however long the reader
  /// takes, unless it is gone or a signal ends the wait: what is left then is counted as dropped.
  public func run(_ body: Body) throws -> End {
    do {
      return try settle(after: pump(body))
    } catch OutputError.closed {
      return .outputClosed
    } catch let error as OutputError {
      throw error
    } catch {
      _ = try? settle(after: .streamEnded)
      throw error
    }
  }

  /// Writes what is queued, and then what companions still held.
  private func settle(after end: End) throws -> End {
    var end = try drain(after: end)
    for companion in companions {
      while end != .outputClosed, try companion.settle() { end = try drain(after: end) }
    }
    return end
  }

  /// Writes what is queued, for lines that follow `run`. A reader that takes nothing after a signal is not waited for.
  public func drain(after end: End) throws -> End {
    guard let output, end != .outputClosed else { return end }
    do {
      return try drain(output, after: end)
    } catch OutputError.closed {
      return .outputClosed
    }
  }

  private func drain(_ output: OutputPipe, after end: End) throws -> End {
    var end = end
    try output.flush()
    while output.isWaiting {
      let deadline: MonotonicTime? = end == .interrupted ? .now + (hasAbandoned ? 0 : Self.patience) : nil
      var last = Poller()
      last.watch(output.descriptor, for: .writable)
      if end != .interrupted, let signals { last.watch(signals.descriptor, for: .readable) }
      guard (try? last.wait(until: deadline)) ?? 0 > 0 else {
        output.abandon()
        hasAbandoned = true
        return end
      }
      if last.readiness(of: output.descriptor).contains(.failed) { return .outputClosed }
      if signals?.next() != nil { end = .interrupted }
      try output.flush()
    }
    // A device sends its samples once: they are flushed to the disk before they are said to be recorded.
    if stream.isLive { try output.keep() }
    return end
  }

  /// Seconds that a reader has after a signal, once.
  private static let patience = 0.2
  private var hasAbandoned = false

  /// Whether there is no room for another sample's line.
  private var isFull: Bool { output?.isFull == true || companions.contains { $0.isFull } }

  /// Runs until something ends it, and leaves what is queued in the output.
  func pump(_ body: Body) throws -> End {
    if nextTick == nil { nextTick = tickInterval.map { started + $0 } }
    poller.watch(bell.descriptor, for: .readable)
    if let signals { poller.watch(signals.descriptor, for: .readable) }
    // A command that streams for long, and no program that imports this: its pages are its own business.
    if signals != nil, stream.isLive { StartPages.forget() }
    // A stream that always has more would never come to be served.
    if bell.wasRung() { return .stopped }
    while true {
      if let end = try drain(body) { return end }
      try output?.flush()
      try wait()
      if let end = try serve(body) { return end }
    }
  }

  /// Whether the stream may hold more than was taken from it. Its descriptor does not tell, so the loop must not wait.
  private var hasMore = false

  /// Takes what the stream has, up to a bound so that signals and keys are not starved by a fast recording.
  private func drain(_ body: Body) throws -> End? {
    hasMore = true
    let stream = stream
    // Where the output is not full it has room for a batch, which is more than the lines of 32 samples.
    let room = companions.map { $0.sampleRoom }.min() ?? 32
    for turn in 0..<4096 {
      if room < 32 || turn & 31 == 0, isFull { return nil }
      if stream.nextSample(into: &sample) {
        if let end = try pass(to: body) { return end }
        continue
      }
      switch try stream.next() {
      case .sample(let sample):
        self.sample = sample
        if let end = try pass(to: body) { return end }
      case .notice(let notice): if try body(.notice(notice)) == .stop { return .stopped }
      case .position(let position):
        if followsPositions, isOver(at: position.time) { return .durationReached }
        if try body(.position(position)) == .stop { return .stopped }
      case .waiting:
        hasMore = false
        return nil
      case .ended: return .streamEnded
      }
    }
    return nil
  }

  @inline(__always)
  private func pass(to body: Body) throws -> End? {
    if !followsPositions, isOver(at: sample.time) { return .durationReached }
    return try body(.sample) == .stop ? .stopped : nil
  }

  /// The duration has passed.
  @inline(__always)
  private func isOver(at time: Double) -> Bool {
    guard let duration else { return false }
    let first = firstTime ?? time
    firstTime = first
    return time - first >= duration
  }

  private func wait() throws {
    let isFull = isFull
    let wakeTimes = [isFull ? nil : stream.wakeTime, nextTick, liveEnd] + companions.map { $0.wakeTime }
    var deadline = wakeTimes.compactMap { $0 }.min()
    if hasMore, !isFull { deadline = started }
    if let descriptor = stream.descriptor {
      if isFull { poller.forget(descriptor) } else { poller.watch(descriptor, for: stream.interest) }
    } else if stream.wakeTime == nil, !isFull {
      deadline = started  // a recording: only look
    }
    for companion in companions { companion.watch(with: &poller) }
    if let output {
      if output.isWaiting { poller.watch(output.descriptor, for: .writable) } else { poller.forget(output.descriptor) }
    }
    do {
      try poller.wait(until: deadline)
    } catch {
      throw SessionError.system("can't wait for the device: \(error)")
    }
    if let descriptor = stream.descriptor { watched = descriptor }
  }

  /// A live stream that says nothing still ends in time.
  private var liveEnd: MonotonicTime? {
    stream.isLive ? duration.map { started + ($0 + 1) } : nil
  }

  private var watched: Int32 = -1

  /// Serves signals, companions and the clock.
  private func serve(_ body: Body) throws -> End? {
    if stream.descriptor != watched {  // closed by an unplug
      poller.forget(watched)
      watched = -1
    }
    if let output, poller.readiness(of: output.descriptor).contains(.failed) { return .outputClosed }
    if signals?.next() != nil { return .interrupted }
    for companion in companions { try companion.serve(poller) }
    if bell.wasRung() { return .stopped }
    if try body(.turn) == .stop { return .stopped }
    let now = MonotonicTime.now
    if let due = nextTick, due <= now {
      nextTick = now + (tickInterval ?? 1)
      if try body(.tick) == .stop { return .stopped }
    }
    if let end = liveEnd, end <= now { return .durationReached }
    return nil
  }
}
