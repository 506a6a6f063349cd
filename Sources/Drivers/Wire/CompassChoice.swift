/// Keeps the compasses of one stream apart: the first one heard is read until a better one is heard, or until it falls
/// silent.
struct CompassChoice: Sendable {
  /// Headings of others without one of the compass, after which it has gone.
  private static let patience = 50
  /// Seconds without a heading of the compass after which it has gone, where times are known.
  private static let longestSilence = 3.0

  /// The compass that is read; nil while none has been heard.
  private(set) var chosen: UInt64?
  /// A compass that was passed over; nil while there is no other.
  private(set) var other: UInt64?
  /// The rank that the compass that is read has shown itself to have.
  private(set) var rank = 0
  private var strangers = 0
  private var lastTime: Double?

  /// Whether to read a heading of a sender.
  /// - Parameters:
  ///   - rank: how good a sender of such headings is: a better one takes over at once.
  ///   - now: in seconds; nil where nobody knows.
  mutating func reads(_ sender: UInt64, rank: Int = 0, at now: Double? = nil) -> Bool {
    guard let chosen, chosen != sender else {
      take(sender, rank: chosen == nil ? rank : max(rank, self.rank), at: now)
      return true
    }
    other = sender
    strangers += 1
    guard rank > self.rank || strangers > Self.patience || isSilent(at: now) else { return false }
    take(sender, rank: rank, at: now)
    return true
  }

  private func isSilent(at now: Double?) -> Bool {
    guard let now, let lastTime else { return false }
    return now - lastTime > Self.longestSilence
  }

  private mutating func take(_ sender: UInt64, rank: Int, at now: Double?) {
    (chosen, self.rank, lastTime) = (sender, rank, now)
    strangers = 0
  }
}
