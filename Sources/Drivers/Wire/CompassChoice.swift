/// Keeps the compasses of one stream apart: the first one heard is read, and another takes over after more than
/// `patience` headings without one of the first.
struct CompassChoice: Sendable {
  /// Headings of others without one of the compass, after which it has gone.
  private static let patience = 50

  /// Who is read; nil while none has been heard.
  private(set) var chosen: UInt64?
  /// Somebody who was passed over; nil while there is no other.
  private(set) var other: UInt64?
  private var strangers = 0

  /// Whether to read a heading of a sender.
  mutating func reads(_ sender: UInt64) -> Bool {
    guard let chosen, chosen != sender else {
      self.chosen = sender
      strangers = 0
      return true
    }
    other = sender
    strangers += 1
    guard strangers > Self.patience else { return false }
    self.chosen = sender
    strangers = 0
    return true
  }
}
