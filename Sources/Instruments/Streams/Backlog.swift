import LodestonePorts

/// The bytes of a live source that waited unread while the program was stopped or its output was full. They have come
/// since the look before, one after the other at the pace of those before; what the system had no room for is missing
/// at their end.
struct Backlog {
  /// Bytes that are missing.
  struct Hole: Equatable {
    /// Their length in time.
    var seconds: Double
    /// Others waited, so that more must have come.
    var hasBytesBefore: Bool
  }

  /// Seconds from one look at the source to the next, at most, and those after which one is late: machines may be busy.
  private static let (rest, late) = (1.0, 2.0)
  /// Seconds of bytes that tell a pace, and those after which the older ones count half.
  private static let (telling, memory) = (1.0, 30.0)
  /// Bytes that share a moment: less than most messages.
  private static let pieceByteCount = 16
  /// The share of a stop that a pace may be off by before bytes count as missing.
  private static let tolerance = 0.2

  private var looked: MonotonicTime
  /// The bytes that have come since a moment; nil before the first.
  private var pace: (since: MonotonicTime, byteCount: Double)?
  /// The bytes that waited since a look and are handed out so far, and their pace in bytes per second.
  private var waiting: (since: MonotonicTime, byteCount: Double, perSecond: Double)?

  /// A backlog of a source that was opened at a moment.
  init(since now: MonotonicTime) { looked = now }

  /// The bytes that came in a second so far; 0 where that is not known.
  /// - Parameter moment: when the last of them came.
  func perSecond(until moment: MonotonicTime) -> Double {
    guard let pace, moment - pace.since >= Self.telling else { return 0 }
    return pace.byteCount / (moment - pace.since)
  }

  /// Nobody has looked for a while, so that what is read now may have waited.
  func isLate(_ now: MonotonicTime) -> Bool { waiting != nil || now - looked > Self.late }

  /// Takes note that the bytes read next, so many, have waited from a moment until another, though somebody looked.
  /// They are spread evenly, as far as the pace before does not show that some are missing.
  mutating func wait(for count: Int, since moment: MonotonicTime, until end: MonotonicTime) {
    let (even, before) = (Double(count) / (end - moment), perSecond(until: moment))
    waiting = (moment, 0, before > (1 + Self.tolerance) * even ? before : even)
    looked = end
  }

  /// The time to look again, so that a late look tells of a stop; nil before the first byte.
  var wakeTime: MonotonicTime? { pace == nil ? nil : looked + Self.rest }

  /// The number of the bytes read now that came together, and when they came.
  mutating func piece(of count: Int, _ now: MonotonicTime) -> (byteCount: Int, moment: MonotonicTime) {
    if waiting == nil, isLate(now) { begin() }
    looked = now
    guard let (since, waited, perSecond) = waiting else {
      note(count, now)
      return (count, now)
    }
    let size = min(count, Self.pieceByteCount)
    waiting?.byteCount += Double(size)
    return (size, min(now, since + (waited + Double(size)) / perSecond))
  }

  private mutating func begin() {
    let perSecond = perSecond(until: looked)
    if perSecond > 0 { waiting = (looked, 0, perSecond) }
  }

  private mutating func note(_ count: Int, _ now: MonotonicTime) {
    guard let pace else { return self.pace = (now, 0) }
    self.pace?.byteCount += Double(count)
    guard now - pace.since > Self.memory else { return }
    self.pace = (pace.since + (now - pace.since) / 2, (pace.byteCount + Double(count)) / 2)
  }

  /// Takes note that all has been read. The bytes that are missing: after some that waited, or since the look before
  /// where none did, as after a sleep of the machine, which lets none in; nil for none.
  mutating func end(_ now: MonotonicTime) -> Hole? {
    let pause = now - looked
    looked = now
    guard let (since, byteCount, perSecond) = waiting else {
      return pace != nil && pause > Self.late ? Hole(seconds: pause, hasBytesBefore: false) : nil
    }
    (waiting, pace) = (nil, (now + -Self.telling, perSecond * Self.telling))
    let missing = now - since - byteCount / perSecond
    let isTold = missing > max(Self.rest, Self.tolerance * (now - since))
    return isTold ? Hole(seconds: missing, hasBytesBefore: true) : nil
  }
}
