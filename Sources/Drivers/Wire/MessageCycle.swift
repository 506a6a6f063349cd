/// Joins messages that say one thing each (a line for the field, one for the acceleration, …) into one for the moment.
///
/// A cycle ends where a part comes again, or the part that opened the first cycle. Once a cycle has been heard, the
/// next one of the same parts is let out with its last part, without waiting.
struct MessageCycle: Sendable {
  /// The message that is put together and the one that was finished last: they change places instead of being copied.
  private var messages = InlineArray<2, WireMessage>(repeating: WireMessage())
  /// The one that is put together.
  private var current = 0
  /// The parts of this cycle, one bit each.
  private var parts: UInt32 = 0
  /// The parts of the cycle before.
  private var expected: UInt32 = 0
  /// The part that opens a cycle; zero before the first.
  private var opener: UInt32 = 0
  /// Parts of a damaged cycle that may still come.
  private var partsToSkip = 0
  /// The other one has not been taken.
  private var isFinished = false

  /// Adds what one part says. `part` is a number below 32.
  @inline(__always)
  mutating func add(_ part: Int, _ edit: (inout WireMessage) -> Void) {
    let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: part & 31)
    if opener == 0 { opener = bit }
    if bit == opener { partsToSkip = 0 }
    guard partsToSkip == 0 else { return partsToSkip -= 1 }
    if parts & bit != 0 || (bit == opener && parts != 0) {
      expected = parts
      finish()
    }
    edit(&messages[current])
    parts |= bit
    if !isFinished, parts == expected { finish() }
  }

  /// Parts come that a board tells together, one bit each. What waits is of an earlier moment where it holds one of
  /// them, as the end of a line does that was cut off at its beginning: they begin a cycle then.
  @inline(__always)
  mutating func begin(_ parts: UInt32) {
    guard self.parts & parts != 0, parts & (parts &- 1) != 0 else { return }
    expected = self.parts
    opener = parts & (0 &- parts)
    finish()
  }

  /// A message ends, as a row of dashes or a quantity says that was cut off at its beginning: the first cycle ends with
  /// it, as it may have begun in its middle.
  mutating func endFirst() {
    guard expected == 0, parts != 0, !isFinished else { return }
    expected = parts
    finish()
    opener = 0
  }

  /// Parts that come at once, in their order, are a whole cycle, and nothing of another waits: they are a message by
  /// themselves, and need not be added. It changes nothing, but is given no copy like this.
  @inline(__always)
  mutating func isWhole(_ parts: UInt32) -> Bool {
    self.parts == 0 && !isFinished && partsToSkip == 0 && parts == expected && parts & (0 &- parts) == opener
  }

  /// Whether nothing has been added, and nothing waits.
  @inline(__always)
  var isEmpty: Bool { parts == 0 && !isFinished }

  /// A finished message, once; false when there is none. At the end of a stream, what there is of the last cycle is
  /// finished too.
  @inline(__always)
  mutating func take(atEnd: Bool, into message: inout WireMessage) -> Bool {
    if !isFinished, parts != 0, parts == expected || atEnd { finish() }
    guard isFinished else { return false }
    isFinished = false
    message = messages[current ^ 1]
    return true
  }

  /// A damaged part takes its cycle with it, so that values of two cycles never meet in one message.
  mutating func damage() {
    partsToSkip = max(0, max(parts, expected).nonzeroBitCount - 1)
    restart()
  }

  private mutating func finish() {
    isFinished = true
    current ^= 1
    restart()
  }

  private mutating func restart() {
    messages[current].clear()
    parts = 0
  }
}

/// A protocol that joins what its lines or frames say.
protocol CycleJoining {
  /// The cycle in which they are joined.
  var cycle: MessageCycle { get set }
}
