import LodestoneCore

/// The form of a row's values, worked out once for a stream so that a line costs neither an allocation nor a search:
/// the text before each value, its decimals, divisor and words.
struct ColumnWriter: Sendable {
  /// One column, in numbers alone.
  struct Step: Sendable {
    enum Kind: UInt8, Sendable { case number, heading, integer, word, flags }

    let kind: Kind
    let column: Int
    let form: NumberForm
    /// The numbers and words that a cursor can write; an empty range for other kinds.
    let range: (least: Double, limit: Double)
    /// The row's unit in the unit written; 1 where they are the same, and need not be divided by.
    let divisor: Double
    let isScaled: Bool
    /// The text before the value.
    let prefix: Piece
    /// The place of its first word in the writer's words.
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
  private let digits = DigitTable()

  /// The columns of a kind of record that a format writes.
  /// - Parameter prefix: what stands before a value, by its column and its place among those that are written.
  init(
    _ schema: RecordSchema, units: DisplayUnits, reach: [Column.Reach],
    prefix: (_ column: Column, _ place: Int) -> String
  ) {
    for (index, column) in schema.columns.enumerated() where reach.contains(column.reach) {
      add(column, at: index, units: units, prefix: prefix(column, steps.count))
    }
    // A cursor reads past the last word.
    bytes += [UInt8](repeating: 0, count: TextCursor.wordByteCount)
  }

  private mutating func add(_ column: Column, at index: Int, units: DisplayUnits, prefix: String) {
    let scale = column.unit.scale(units)
    let first = words.count
    let kind: Step.Kind
    var decimals = 0
    switch column.kind {
    case .number(let count):
      kind = .number
      decimals = count + (scale?.moreDecimals ?? 0)
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
        kind: kind, column: index, form: NumberForm(decimals: decimals, isHeading: kind == .heading),
        range: Self.range(kind, decimals: decimals, wordCount: words.count - first),
        divisor: scale?.size ?? 1, isScaled: scale.map { $0.size != 1 } ?? false, prefix: piece(prefix),
        firstWord: first, wordCount: words.count - first))
  }

  /// The values that a cursor can write.
  private static func range(_ kind: Step.Kind, decimals: Int, wordCount: Int) -> (least: Double, limit: Double) {
    switch kind {
    case .number where decimals < 8: (-.infinity, .infinity)
    case .heading: (0, 360)
    case .word: (0, Double(wordCount))
    case .number, .integer, .flags: (.infinity, -.infinity)
    }
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

  /// Appends the values of a row with a separator between two, and nothing for those that are absent.
  func appendFields(_ row: borrowing Row, separator: UInt8, to text: inout TextBuffer) {
    let (steps, digits) = (steps.span, digits.entries.span)
    var cursor = text.cursor(atMost: Self.room &* steps.count)
    for index in steps.indices {
      if index > 0 { cursor.append(byte: separator) }
      if appendUsual(steps[index], row, digits, to: &cursor) { continue }
      text.finish(cursor)
      cursor = appendOther(index, row, to: &text)
    }
    text.finish(cursor)
  }

  /// The most bytes of a value and the separator before it.
  private static let room = max(TextCursor.numberByteCount, TextCursor.wordByteCount) + 1

  /// Appends what `appendUsual` leaves, and makes room for the values that follow.
  @inline(never)
  private func appendOther(_ index: Int, _ row: borrowing Row, to text: inout TextBuffer) -> TextCursor {
    let step = steps[index]
    switch step.kind {
    case .number, .heading: appendNumber(step, row[step.column] ?? .nan, absent: "", to: &text)
    case .integer: if let value = row.integer(step.column) { text.append(value) }
    case .word: if let place = row.integer(step.column) { appendWord(step, place, to: &text) }
    case .flags: appendFlags(step, row.integer(step.column) ?? 0, between: " ", to: &text)
    }
    return text.cursor(atMost: Self.room &* (steps.count &- index))
  }

  /// Appends a number or a word; false, with nothing appended, for the values that a cursor cannot write.
  @inline(__always)
  private func appendUsual(
    _ step: Step, _ row: borrowing Row, _ digits: Span<UInt32>, to cursor: inout TextCursor
  ) -> Bool {
    let value = row.number(step.column)
    guard value >= step.range.least, value < step.range.limit else { return value.isNaN }
    if step.kind == .word { return appendWord(step, value, to: &cursor) }
    return cursor.append(step.isScaled ? value / step.divisor : value, as: step.form, digits)
  }

  /// Appends the word at a place of a step, a whole number in its range: its sum with 2⁵² holds it in the last bits.
  @inline(__always)
  private func appendWord(_ step: Step, _ place: Double, to cursor: inout TextCursor) -> Bool {
    let wholes = 4_503_599_627_370_496.0
    let place = Int(truncatingIfNeeded: (place + wholes).bitPattern &- wholes.bitPattern)
    let word = words[step.firstWord &+ place]
    guard word.count <= TextCursor.wordByteCount else { return false }
    bytes.withUnsafeBytes { all in
      if let first = all.baseAddress { cursor.append(word: first + word.start, count: word.count) }
    }
    return true
  }

  /// Appends a number of a step of kind `number` or `heading`.
  func appendNumber(_ step: Step, _ value: Double, absent: StaticString, to text: inout TextBuffer) {
    guard step.kind == .number else {
      return text.append(headingDegrees: value, decimals: step.form.decimals, absent: absent)
    }
    text.append(step.isScaled ? value / step.divisor : value, decimals: step.form.decimals, absent: absent)
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
  /// The size of the unit that is written, in the row's unit, and how many decimals more it takes; nil where there is
  /// no choice.
  fileprivate func scale(_ units: DisplayUnits) -> (size: Double, moreDecimals: Int)? {
    switch self {
    case .field: (units.field.microtesla, units.field.decimals - FieldUnit.microtesla.decimals)
    case .distance: (units.distance.metres, units.distance.decimals - DistanceUnit.metre.decimals)
    case .volume: (units.volume.litres, units.volume.decimals - VolumeUnit.litre.decimals)
    default: nil
    }
  }
}
