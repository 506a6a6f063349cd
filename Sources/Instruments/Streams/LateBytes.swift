import LodestonePorts

/// The bytes of a live source that come again after a pause. They are kept back for a moment, to see how many come at
/// once: far more than before have waited on their way, in a network or a buffer of the sender, and are as old as the
/// pause is long. A source that went on after it sends no more at a time than before.
struct LateBytes {
  /// A part of the bytes, and the moment at which it came.
  typealias Part = (bytes: ArraySlice<UInt8>, moment: MonotonicTime)

  /// Seconds of silence that are a pause, and of bytes that a pause must have let wait.
  private static let (pause, least) = (2.0, 1.0)
  /// Usual intervals from one read to the next that are a pause.
  private static let intervals = 3.0
  /// Seconds in which bytes count as coming at once, and how many times as many as usual have waited.
  private static let (moment, crowd) = (0.2, 4.0)
  /// Bytes that are kept back at most.
  private static let limit = 65_536

  /// The last bytes, and the seconds from some to the next of late.
  private var last: (moment: MonotonicTime, interval: Double)?
  /// The bytes that come at once now, since a moment, and the most that did of late. The first do not count: they may
  /// have waited until somebody read them.
  private var (recent, most, recentBegan) = (0, 0.0, MonotonicTime?.none)
  /// The share of the most that counts on from one moment to the next.
  private static let memory = 0.98
  /// Those that are kept back, and where they end that came by a moment.
  private var (kept, ends) = ([UInt8](), [(end: Int, moment: MonotonicTime)]())

  /// When the bytes that are kept back are to be released; nil for none.
  private(set) var releaseTime: MonotonicTime?

  /// Keeps bytes back that came now; false where they are to be handed on as usual.
  mutating func keep(_ bytes: UnsafeRawBufferPointer, _ now: MonotonicTime) -> Bool {
    guard releaseTime != nil || isAfterPause(now) else {
      note(bytes.count, now)
      return false
    }
    releaseTime = releaseTime ?? now + Self.moment
    kept += bytes
    ends.append((kept.count, now))
    if kept.count >= Self.limit { releaseTime = now }
    return true
  }

  /// Takes note of bytes that waited because nobody looked: they tell nothing of how many come at once.
  mutating func skip(_ now: MonotonicTime) { last?.moment = now }

  private func isAfterPause(_ now: MonotonicTime) -> Bool {
    guard let last, most > 0 else { return false }
    return now - last.moment > max(Self.pause, Self.intervals * last.interval)
  }

  private mutating func note(_ count: Int, _ now: MonotonicTime) {
    last = (now, last.map { max(now - $0.moment, 0.8 * $0.interval) } ?? 0)
    guard let began = recentBegan else { return recentBegan = now }
    if now - began > Self.moment { (recent, most, recentBegan) = (0, Self.memory * most, now) }
    recent += count
    most = max(most, Double(recent))
  }

  /// Releases what was kept back: when it came, and since when it waited, nil where it did not.
  /// - Parameter perSecond: bytes that came in a second until a moment; 0 where that is not known.
  mutating func release(perSecond: (MonotonicTime) -> Double) -> (parts: [Part], waitedSince: MonotonicTime?) {
    defer { (kept, ends, releaseTime) = ([], [], nil) }
    guard let last, let end = ends.last?.moment else { return ([], nil) }
    let (count, perSecond) = (Double(kept.count), perSecond(last.moment))
    if perSecond > 0, count > Self.crowd * most, count > Self.least * perSecond {
      self.last?.moment = end
      return ([(kept[...], end)], last.moment)
    }
    var (parts, start) = ([Part](), 0)
    for part in ends {
      parts.append((kept[start..<part.end], part.moment))
      note(part.end - start, part.moment)
      start = part.end
    }
    return (parts, nil)
  }
}
