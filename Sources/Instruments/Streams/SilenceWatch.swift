import LodestonePorts

/// Notices when a stream that is waited for says nothing, or nothing that makes sense. Silence is told once until bytes
/// come again, nonsense every ten seconds at most, and what is of no use once until a message comes again.
struct SilenceWatch {
  /// The problem with the stream.
  enum Complaint: Equatable {
    /// No byte for this many seconds.
    case silent(seconds: Double)
    /// Bytes, but no message among them.
    case senseless
    /// Messages, but none of use, or none any more.
    case useless
  }

  /// The time of the last bytes or message, and how long the next is waited for by how often they come.
  private struct Pace {
    private(set) var last: MonotonicTime?
    /// Seconds from one time to the next of late, at most.
    private var interval = 0.0

    /// The share of an interval that counts on after a shorter one: a message may arrive in pieces.
    private static let memory = 0.8
    /// Intervals until the user is told, where these are long.
    private static let intervals = 3.0

    /// Seconds of silence that mean nothing, by how often it comes.
    var usualSilence: Double { Self.intervals * interval }

    /// Seconds until the user is told.
    var patience: Double { max(SilenceWatch.patience, usualSilence) }

    /// Something is waited for from now on.
    mutating func wait(since now: MonotonicTime) { if last != nil { last = now } }

    mutating func add(_ now: MonotonicTime) {
      if let last, last < now { interval = max(now - last, interval * Self.memory) }
      last = now
    }
  }

  /// Seconds until the user is told, of a device that speaks often.
  private static let patience = 3.0
  /// Seconds before nonsense is told again.
  private static let repetition = 10.0

  private let isWatched: Bool
  private let began: MonotonicTime
  /// How often bytes come, and how often messages of use do, by the bytes that bring them.
  private var (bytes, messages) = (Pace(), Pace())
  private var firstSenseless: MonotonicTime?
  private var silenceIsTold = false
  /// The first byte after the last message of use.
  private var firstUseless: MonotonicTime?
  private var uselessIsTold = false
  private var mayRepeat: MonotonicTime
  /// Whether a message has come since the stream began.
  private(set) var hasMessages = false

  /// - Parameters:
  ///   - isWatched: silence and nonsense are told: not of a file, which has its end at once.
  ///   - now: when a message may first be expected.
  init(isWatched: Bool = true, since now: MonotonicTime) {
    self.isWatched = isWatched
    began = now
    mayRepeat = now
  }

  /// Bytes have come.
  mutating func received(_ now: MonotonicTime) {
    guard isWatched else { return }
    let now = max(now, began)
    bytes.add(now)
    silenceIsTold = false
    firstSenseless = firstSenseless ?? now
    firstUseless = firstUseless ?? now
  }

  /// Bytes have been coming for a while without a message among them.
  func isSenseless(_ now: MonotonicTime) -> Bool {
    firstSenseless.map { now - $0 >= Self.patience } ?? false
  }

  /// A message has come.
  @inline(__always)
  mutating func heard() {
    guard isWatched else { return }
    heardOther()
    firstUseless = nil
    uselessIsTold = false
    if let last = bytes.last { messages.add(last) }
  }

  /// A message has come that tells nothing of use, such as the state of the device.
  @inline(__always)
  mutating func heardOther() {
    guard isWatched else { return }
    hasMessages = true
    firstSenseless = nil
  }

  /// Whether bytes have been coming for a while without a message of use, and nobody was told.
  private var isUseless: Bool {
    guard !uselessIsTold, hasMessages, let firstUseless, let last = bytes.last else { return false }
    return last - firstUseless >= messages.patience
  }

  /// Takes note that nobody has looked for a while: what is to come is waited for from now on. False where so much
  /// silence is usual, or was told before.
  mutating func goOn(_ now: MonotonicTime, after hole: Backlog.Hole) -> Bool {
    guard !silenceIsTold, hole.hasBytesBefore || hole.seconds > bytes.usualSilence else { return false }
    bytes.wait(since: now)
    (firstSenseless, firstUseless) = (nil, nil)
    return true
  }

  /// Seconds after which messages of no use are told.
  var patience: Double { messages.patience }

  /// The time to look again; nil when only bytes can change anything.
  var wakeTime: MonotonicTime? {
    guard isWatched, !silenceIsTold else { return nil }
    if isUseless { return bytes.last }
    let nonsense = firstSenseless.map { max($0 + Self.patience, mayRepeat) }
    let silence = (bytes.last ?? began) + bytes.patience
    return nonsense.map { min(silence, $0) } ?? silence
  }

  /// The present problem, if the user is to be told.
  mutating func complaint(_ now: MonotonicTime) -> Complaint? {
    guard let due = wakeTime, due <= now else { return nil }
    let quiet = now - (bytes.last ?? began)
    guard quiet < bytes.patience else {
      silenceIsTold = true
      return .silent(seconds: quiet)
    }
    mayRepeat = now + Self.repetition
    guard !isUseless else {
      uselessIsTold = true
      return .useless
    }
    return .senseless
  }
}
