import LodestoneCore

/// The text of a line around its numbers, and what each number is. Boards print the same text with each line: one whose
/// form is known is read in a single pass, and any other the long way.
struct LineForm: Equatable, Sendable {
  /// A number of a line that was read the long way.
  struct Number {
    /// The place of the number in the line.
    var range: Range<Int>
    /// The role of the number: one of `CSVColumns.Role`, `ignored` among them.
    var role: UInt8
  }

  /// Text of at most eight bytes, and the number behind it where there is one.
  private struct Piece: Equatable, Sendable {
    /// The first byte lowest.
    var text: UInt64 = 0
    var mask: UInt64 = 0
    var count = 0
    /// The role of the number behind the text; nil where none follows.
    var role: UInt8?

    mutating func append(_ byte: UInt8) {
      text |= UInt64(byte) << UInt64(8 * count)
      mask |= 0xFF << UInt64(8 * count)
      count += 1
    }

    /// The number of bytes that must be available from the piece's beginning on.
    static let room = 8 + ShortNumber.byteCount
  }

  /// The most pieces of a form; longer lines are read the long way.
  private static let limit = 32
  private var pieces: [Piece] = []
  /// The number of bytes that must be available from the beginning of the line on, its end among them.
  private var room = 0
  /// The roles of its numbers, one bit each.
  private(set) var roles: UInt16 = 0

  /// The form of a line; nil where it has no numbers, two of one role, or too many pieces.
  init?(_ line: Span<UInt8>, _ numbers: [Number]) {
    var (start, roles) = (0, 0 as UInt16)
    for number in numbers {
      let bit: UInt16 = 1 << UInt16(number.role)
      guard number.role == CSVColumns.Role.ignored || roles & bit == 0 else { return nil }
      roles |= bit
      append(line, start..<number.range.lowerBound, role: number.role)
      start = number.range.upperBound
    }
    append(line, start..<line.count, role: nil)
    guard !numbers.isEmpty, pieces.count <= Self.limit else { return nil }
    room = pieces.count * Piece.room + 2
    self.roles = roles & ~(1 << UInt16(CSVColumns.Role.ignored))
  }

  private mutating func append(_ line: Span<UInt8>, _ range: Range<Int>, role: UInt8?) {
    var piece = Piece()
    for index in range {
      if piece.count == 8 {
        pieces.append(piece)
        piece = Piece()
      }
      piece.append(line[index])
    }
    piece.role = role
    pieces.append(piece)
  }

  /// Reads the line that begins at `position`, its end included. False, and the position is where it was, for a line of
  /// another form, one with numbers that are not short, and one behind which little has come; the values are anything
  /// then. Apart, so that all that the loop needs stays in registers.
  @inline(never)
  func read(_ bytes: Span<UInt8>, from position: inout Int, into values: inout RoleValues) -> Bool {
    guard bytes.count &- position >= room else { return false }
    var index = position
    let pieces = pieces.span
    for place in pieces.indices {
      let piece = pieces[unchecked: place]
      guard (bytes.eightBytes(unchecked: index) ^ piece.text) & piece.mask == 0 else { return false }
      index &+= piece.count
      guard let role = piece.role else { continue }
      let number = ShortNumber(bytes, at: index)
      guard number.fault == 0 else { return false }
      values.set(number.value, role)
      index = number.end
    }
    if bytes[index] == .carriageReturn { index &+= 1 }
    guard bytes[index] == .lineFeed else { return false }
    position = index &+ 1
    return true
  }
}

/// Knowledge about the lines of a form that is kept beside it: their units, or the message they make.
protocol LineMeaning: Sendable {
  associatedtype Context
  /// Whether it holds for lines that come now.
  func holds(in context: borrowing Context) -> Bool
}

/// The forms of a stream's lines with what is known of each, in the order in which they came.
struct LineForms<Meaning: LineMeaning>: Sendable {
  private struct Entry: Sendable {
    let form: LineForm
    let meaning: Meaning
    /// The state of the context in which the meaning was found to hold last.
    var state = 0
  }

  /// The number of forms that are kept at once; the oldest are dropped.
  private static var limit: Int { 8 }
  private var entries: [Entry] = []
  /// Lines whose form may still be looked for: a stream of words has no end of them.
  private var triesLeft = 256
  /// The place among the forms at which the next line is looked for first.
  private var place = 0

  /// No form is known.
  @inline(__always)
  var isEmpty: Bool { entries.isEmpty }

  /// Whether the form of a line that is read the long way shall be looked for.
  mutating func isTried() -> Bool {
    guard triesLeft > 0 else { return false }
    triesLeft -= 1
    return true
  }

  /// Keeps the form of a line that was read the long way, unless it is kept with a meaning that holds.
  mutating func learn(_ form: LineForm, _ meaning: Meaning, in context: Meaning.Context) {
    guard !entries.contains(where: { $0.form == form && $0.meaning.holds(in: context) }) else { return }
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(form: form, meaning: meaning))
    place = 0
  }

  /// The meaning at a place that `read` has given. It is looked at where it lies: it is too large to be copied for each
  /// line.
  @inline(__always)
  subscript(place: Int) -> Meaning { _read { yield entries[place].meaning } }

  /// Reads a line of a form that is known and whose meaning holds: the place of that. Nil, and the position is where it
  /// was, for any other.
  /// - Parameter state: another number after each change of the context, so that it is looked at then alone; 0 for one
  ///   that never changes.
  @inline(__always)
  mutating func read(
    _ bytes: Span<UInt8>, from position: inout Int, into values: inout RoleValues,
    in context: @autoclosure () -> Meaning.Context, state: Int = 0
  ) -> Int? {
    for _ in 0..<entries.count {
      if place >= entries.count { place = 0 }
      let at = place
      place &+= 1
      guard entries[at].state == state || holds(at, in: context(), state) else { continue }
      values.clear()
      if entries[at].form.read(bytes, from: &position, into: &values) { return at }
    }
    return nil
  }

  /// Looks whether a meaning holds in a context, and notes in which state of it.
  @inline(never)
  private mutating func holds(_ place: Int, in context: Meaning.Context, _ state: Int) -> Bool {
    guard entries[place].meaning.holds(in: context) else { return false }
    entries[place].state = state
    return true
  }
}
