import LodestonePorts

/// The presence of a live device, or of the other end of a connection: there, lost and looked for, back. Its stream
/// says what happened; whether it is waited for, when to look, and what is told of it is decided here.
struct Presence {
  /// Whether its loss is not the end of the stream.
  var isAwaited: Bool
  /// The time to look for it; nil while it is there.
  private(set) var nextLook: MonotonicTime?
  /// Whether it is a connection, which breaks and is made again, and no device, which is unplugged.
  private let isConnection: Bool
  private let pauses: ClosedRange<Double>
  private var pause: Double
  private var foundAt: MonotonicTime?
  private var lostAt: MonotonicTime?
  /// The time at which its user is to be told that the first connection has not come about; nil once that was told.
  private var overdueAt: MonotonicTime?

  /// Seconds for which a connection may come about without a word.
  private static let patience = 3.0
  /// Seconds after which what was found counts as good: the next pause is short again.
  private static let goodSeconds = 10.0

  /// - Parameter pauses: seconds from one look to the next, which double as long as it is not found.
  init(isAwaited: Bool = false, isConnection: Bool = false, pauses: ClosedRange<Double> = 0.5...0.5) {
    (self.isAwaited, self.isConnection, self.pauses, pause) = (isAwaited, isConnection, pauses, pauses.lowerBound)
    overdueAt = isConnection ? .now + Self.patience : nil
  }

  /// The time to ask whether the first connection is overdue.
  var overdueTime: MonotonicTime? { foundAt == nil ? overdueAt : nil }

  /// Whether the first connection has not come about for so long that its user is to be told; true once.
  mutating func isOverdue(_ now: MonotonicTime) -> Bool {
    guard let time = overdueTime, time <= now else { return false }
    overdueAt = nil
    return true
  }

  /// Whether it was there, and is gone.
  var isLost: Bool { lostAt != nil }
  /// Whether it had to be found, and was.
  var wasFound: Bool { foundAt != nil }

  /// Takes note that it is gone; throws where that is the end.
  /// - Parameter reason: in the words of the other end of a connection; nil where it has told none.
  mutating func lose(
    _ name: String, _ now: MonotonicTime, reason: String? = nil
  ) throws(StreamError) -> StreamEvent {
    guard isAwaited else { throw isConnection ? .disconnected(name) : .gone(name) }
    if let foundAt, now - foundAt > Self.goodSeconds { pause = pauses.lowerBound }
    lostAt = now
    miss(now)
    return .notice(isConnection ? .disconnected(name, reason: reason) : .lost(name))
  }

  /// Whether it is time to look for it.
  func isDue(_ now: MonotonicTime) -> Bool { nextLook.map { $0 <= now } ?? false }

  /// Takes note that it is not there: it is looked for later.
  mutating func miss(_ now: MonotonicTime) {
    nextLook = now + pause
    pause = min(2 * pause, pauses.upperBound)
  }

  /// Takes note that it is there. The event that tells its return; nil where it was not lost.
  mutating func find(_ name: String, _ now: MonotonicTime) -> StreamEvent? {
    defer { lostAt = nil }
    (foundAt, nextLook) = (now, nil)
    return lostAt.map { .notice(.returned(name, seconds: now - $0)) }
  }
}
