import LodestonePorts

/// Notices when a live stream says nothing, or nothing that makes sense. Silence is told once until bytes come again,
/// nonsense every ten seconds at most.
struct SilenceWatch {
  /// The problem with the stream.
  enum Complaint: Equatable {
    /// No byte for this many seconds.
    case silent(seconds: Double)
    /// Bytes, but no message among them.
    case senseless
  }

  /// Seconds until the user is told.
  private static let patience = 3.0
  /// Seconds before nonsense is told again.
  private static let repetition = 10.0

  private let isLive: Bool
  private let isWatched: Bool
  private let began: MonotonicTime
  private var lastByte: MonotonicTime?
  private var firstSenseless: MonotonicTime?
  private var silenceIsTold = false
  private var mayRepeat: MonotonicTime
  /// A message has come since the stream began.
  private(set) var hasMessages = false

  /// - Parameters:
  ///   - isLive: silence is told, besides nonsense.
  ///   - isWatched: nonsense is told.
  ///   - now: when a message may first be expected.
  init(isLive: Bool, isWatched: Bool? = nil, since now: MonotonicTime) {
    self.isLive = isLive
    self.isWatched = isWatched ?? isLive
    began = now
    mayRepeat = now
  }

  /// Bytes have come.
  mutating func received(_ now: MonotonicTime) {
    guard isWatched else { return }
    lastByte = max(now, began)
    silenceIsTold = false
    firstSenseless = firstSenseless ?? max(now, began)
  }

  /// Bytes have been coming for a while without a message among them.
  func isSenseless(_ now: MonotonicTime) -> Bool {
    firstSenseless.map { now - $0 >= Self.patience } ?? false
  }

  /// A message has come.
  @inline(__always)
  mutating func heard() {
    guard isWatched else { return }
    hasMessages = true
    firstSenseless = nil
  }

  /// When to look again; nil when only bytes can change anything.
  var wakeTime: MonotonicTime? {
    guard isWatched, !silenceIsTold else { return nil }
    let nonsense = firstSenseless.map { max($0 + Self.patience, mayRepeat) }
    guard isLive else { return nonsense }
    let silence = (lastByte ?? began) + Self.patience
    return nonsense.map { min(silence, $0) } ?? silence
  }

  /// The present problem, if the user is to be told.
  mutating func complaint(_ now: MonotonicTime) -> Complaint? {
    guard let due = wakeTime, due <= now else { return nil }
    let quiet = now - (lastByte ?? began)
    guard quiet < Self.patience || !isLive else {
      silenceIsTold = true
      return .silent(seconds: quiet)
    }
    mayRepeat = now + Self.repetition
    return .senseless
  }
}
