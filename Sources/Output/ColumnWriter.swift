import LodestoneCore

/// How the values of a row are written, worked out once for a stream so that a line costs neither an allocation nor a
/// search: what stands before each value, and its decimals, divisor and words.
struct ColumnWriter: Sendable {
  /// One column, in numbers alone.
  struct Step: Sendable {
    enum Kind: UInt8, Sendable { case number, heading, integer, word, flags }

    let kind: Kind
    let column: Int
    let decimals: Int
    /// The row's unit in the unit written; 1 where they are the same.
    let divisor: Double
    /// Where the text before the value is.
    let prefix: Piece
    /// Its words begin here.
    let firstWord: Int
    let wordCount: Int
  }

  /// A piece of `bytes`.
  struct Piece: Sendable {
    var start: Int
    var count: Int
  }

  private(set) var steps: [Step] = []
  private var bytes: [UInt8] = []
  private var words: [Piece] = []

  /// The columns of a kind of record that a format writes.
  /// - Parameter prefix: what stands before a value, by its column and its place among those that are written.
  init(
    _ schema: RecordSchema, units: DisplayUnits, reach: [Column.Reach],
    prefix: (_ column: Column, _ place: Int) -> String
  ) {
    for (index, column) in schema.columns.enumerated() where reach.contains(column.reach) {
      add(column, at: index, units: units, prefix: prefix(column, steps.count))
    }
  }

  private mutating func add(_ column: Column, at index: Int, units: DisplayUnits, prefix: String) {
    let scale = column.unit.scale(units)
    let first = words.count
    let kind: Step.Kind
    var decimals = 0
    switch column.kind {
    case .number(let count):
      kind = .number
      decimals = scale?.decimals ?? count
    case .heading(let count):
      kind = .heading
      decimals = count
    case .integer: kind = .integer
    case .word(let all):
      kind = .word
      for word in all { words.append(piece(word)) }
    case .flags(let all):
      kind = .flags
      for word in all { words.append(piece(word)) }
    }
    steps.append(
      Step(
        kind: kind, column: index, decimals: decimals, divisor: scale?.size ?? 1, prefix: piece(prefix),
        firstWord: first, wordCount: words.count - first))
  }

  private mutating func piece(_ text: String) -> Piece {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    return Piece(start: start, count: bytes.count - start)
  }

  // MARK: Writing

  /// Appends what stands before a value.
  @inline(__always)
  func appendPrefix(_ step: Step, to text: inout TextBuffer) { append(step.prefix, to: &text) }

  /// Appends a number of a step of kind `number` or `heading`.
  @inline(__always)
  func appendNumber(_ step: Step, _ value: Double, absent: StaticString, to text: inout TextBuffer) {
    if step.kind == .heading {
      return text.append(headingDegrees: value, decimals: step.decimals, absent: absent)
    }
    let value = step.divisor == 1 ? value : value / step.divisor
    // The usual counts of decimals have their own lines because a constant makes them twice as fast.
    switch step.decimals {
    case 2: text.append(value, decimals: 2, absent: absent)
    case 3: text.append(value, decimals: 3, absent: absent)
    case 6: text.append(value, decimals: 6, absent: absent)
    default: text.append(value, decimals: step.decimals, absent: absent)
    }
  }

  /// Appends the word at a place of a step; nothing for a place that has none.
  @inline(__always)
  func appendWord(_ step: Step, _ place: Int, to text: inout TextBuffer) {
    guard place >= 0, place < step.wordCount else { return }
    append(words[step.firstWord + place], to: &text)
  }

  /// Appends the words whose bits are set.
  func appendFlags(
    _ step: Step, _ bits: Int, between separator: StaticString, around quote: StaticString = "",
    to text: inout TextBuffer
  ) {
    var isFirst = true
    for place in 0..<step.wordCount where bits & (1 << place) != 0 {
      if !isFirst { text.append(separator) }
      isFirst = false
      text.append(quote)
      appendWord(step, place, to: &text)
      text.append(quote)
    }
  }

  @inline(__always)
  private func append(_ piece: Piece, to text: inout TextBuffer) {
    bytes.withUnsafeBytes { all in
      text.append(bytes: UnsafeRawBufferPointer(rebasing: all[piece.start..<(piece.start + piece.count)]))
    }
  }
}

extension Column.Unit {
  /// One of the unit that is written in that of the row, and the decimals that fit it; nil where there is no choice.
  fileprivate func scale(_ units: DisplayUnits) -> (size: Double, decimals: Int)? {
    switch self {
    case .field: (units.field.microtesla, units.field.decimals)
    case .distance: (units.distance.metres, units.distance.decimals)
    default: nil
    }
  }
}
