/// The times at which the bytes that wait to be read arrived. They are read piece by piece, as they have come, so that
/// what a line of one piece says can be given the moment of that piece, however long it waited for its meaning.
struct ArrivalMarks: Sendable {
  /// The end of each piece in the bytes, and the time at which it came.
  private var pieces: [(end: Int, seconds: Double)] = []
  /// The one that is read.
  private var current = 0

  /// The most pieces that are kept; more become half as many: they are told apart less finely.
  private static let mostPieces = 1024

  /// The end of the piece that is read; nil where all bytes may be.
  @inline(__always)
  var limit: Int? { current < pieces.count ? pieces[current].end : nil }

  /// The time at which the current piece came, in seconds of the stream; nil where nobody said.
  var seconds: Double? { current < pieces.count ? pieces[current].seconds : nil }

  /// Takes note that the bytes up to `end` are there. Those that come at no known moment came with the ones before.
  mutating func add(upTo end: Int, at seconds: Double?) {
    guard let last = pieces.last, seconds == nil || seconds == last.seconds else {
      guard let seconds else { return }
      if pieces.count == Self.mostPieces, current == 0 { thinOut() }
      return pieces.append((end, seconds))
    }
    pieces[pieces.count - 1].end = end
  }

  private mutating func thinOut() { pieces = pieces.indices.filter { $0 % 2 == 1 }.map { pieces[$0] } }

  /// Goes on to the next piece; false where there is none.
  mutating func advance() -> Bool {
    guard current + 1 < pieces.count else { return false }
    current += 1
    return true
  }

  /// Says that the first bytes have been taken away.
  mutating func drop(_ count: Int) {
    guard !pieces.isEmpty else { return }
    let done = pieces.prefix { $0.end <= count }.count
    pieces.removeFirst(done)
    current = max(0, current - done)
    for index in pieces.indices { pieces[index].end -= count }
  }

  /// Forgets all.
  mutating func removeAll() { (pieces, current) = ([], 0) }
}
