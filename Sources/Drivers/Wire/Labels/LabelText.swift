import LodestoneCore

/// The classes of bytes in lines with names.
extension LabelReader {
  /// A digit, or a sign or point before one.
  func isNumber(_ line: Span<UInt8>, _ index: Int) -> Bool {
    var index = index
    if line[index] == UInt8(ascii: "-") || line[index] == UInt8(ascii: "+") { index += 1 }
    if index < line.count, line[index] == UInt8(ascii: ".") { index += 1 }
    return index < line.count && line[index].isDigit
  }

  /// The line is the numbers of the sensor that the line before has named.
  func awaits(_ line: Span<UInt8>) -> Bool {
    context.awaitsNumbers && isNumber(line, 0) && TableLine.mayBeNumbers(line)
  }

  func isOpening(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ":"), UInt8(ascii: "="): true
    default: false
    }
  }

  /// A letter alone is a name, and no unit, where a dash or a bracket stands between blanks behind it: `G - 1, 2, 3`.
  func isLetterBeforeMark(_ line: Span<UInt8>, _ word: Range<Int>) -> Bool {
    let next = word.upperBound + 1
    guard word.count == 1, "agm".utf8.contains(line[word.lowerBound] | 0x20), next < line.count, line[next - 1].isBlank
    else {
      return false
    }
    if line[next] == UInt8(ascii: "-") { return next + 1 < line.count && line[next + 1].isBlank }
    return isOpening(line[next])
  }

  /// An equals sign stands there, perhaps behind blanks: the words before it are a name.
  func isEqualled(_ line: Span<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < line.count, line[index].isBlank { index += 1 }
    return index < line.count && line[index] == UInt8(ascii: "=")
  }

  /// Passes over a value that is a word or stands between quotes: `level=info msg="a field" mx=1`.
  func skipText(_ line: Span<UInt8>, _ state: inout Line) {
    guard state.index < line.count, line[state.index].isLetter || line[state.index] == .quote else { return }
    let isQuoted = line[state.index] == .quote
    var end = state.index + 1
    while end < line.count, isQuoted ? line[end] != .quote : !line[end].isBlank && !Self.ends(line[end]) { end += 1 }
    guard isQuoted || end == line.count || !isOpening(line[end]) else { return }
    if state.label?.tellsSensor == true, state.count == 0 {
      (state.cell, state.cellIsNamed) = (line.bytes(in: state.index..<end), true)
    }
    state.index = min(end + 1, line.count)
  }

  /// A number may tell which of several sensors the line is of: a short one before all else (`[1] X: …`), or what
  /// stands behind a name for it (`id=1 x=…`, `addr: 0x1e`). It belongs to the form of the line then.
  mutating func takeCell(_ line: Span<UInt8>, _ state: inout Line) -> Bool {
    guard !origins.areCounts, state.count == 0 else { return false }
    var end = state.index
    while end < line.count, line[end].isDigit || line[end].isLetter { end += 1 }
    let range = state.index..<end
    guard !range.isEmpty, end == line.count || line[end] != UInt8(ascii: ".") else { return false }
    if state.label?.tellsSensor == true, state.label?.source.isEmpty == true {
      (state.cell, state.cellIsNamed, state.count) = (line.bytes(in: range), true, 1)
    } else {
      let isClosed = end < line.count && line[end] == UInt8(ascii: "]")
      guard state.labelRange == nil, state.label == nil || isClosed, range.count < 4,
        range.allSatisfy({ line[$0].isDigit }), !isOfClock(line, range),
        !(0..<range.lowerBound).contains(where: { line[$0].isDigit || line[$0].isLetter })
      else { return false }
      state.cell += line.bytes(in: range)
      var index = range.lowerBound
      if let value = parseDecimal(line, from: &index) { _ = takeNameless(value, line, range, &state, isCell: true) }
    }
    state.index = max(state.index, end)
    return true
  }

  /// A sign stands apart from its number, or within: `X: - 12.9`, and `-12.-92`, as C prints the two parts of a
  /// negative number with `%d.%02d`. The digits behind such a point are none to rely on.
  func isSignApart(_ line: Span<UInt8>, _ number: Range<Int>) -> Bool {
    let minus = UInt8(ascii: "-"), point = UInt8(ascii: ".")
    var end = number.upperBound
    if end < line.count, line[end] == point { end += 1 }
    if end + 1 < line.count, line[end - 1] == point, line[end] == minus, line[end + 1].isDigit { return true }
    var start = number.lowerBound
    while start > 0, line[start - 1].isBlank { start -= 1 }
    guard start > 1, start < number.lowerBound, line[start - 1] == minus else { return false }
    start -= 1
    while start > 0, line[start - 1].isBlank { start -= 1 }
    return start > 0 && (line[start - 1] == UInt8(ascii: ":") || line[start - 1] == UInt8(ascii: "="))
  }

  /// The hours or minutes of a clock.
  func isOfClock(_ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let end = range.upperBound
    return end + 1 < line.count && line[end] == UInt8(ascii: ":") && line[end + 1].isDigit
  }

  /// A colon follows there, perhaps behind a bracket that closes: the words before it are a name.
  func isColoned(_ line: Span<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < line.count, " \t])".utf8.contains(line[index]) { index += 1 }
    return index < line.count && line[index] == UInt8(ascii: ":")
  }

  /// Whether a label is one of three axes in the line that have their numbers right behind them, `x-12.5uT y3.1uT
  /// z-43.5uT`; no name that ends in a number, as `x1: 5`.
  func isAxisBeforeNumber(_ line: Span<UInt8>, _ index: Int) -> Bool {
    guard Self.isAxis(line[index]), isGlued(line, index) else { return false }
    return (UInt8(ascii: "x")...UInt8(ascii: "z")).allSatisfy { axis in
      line.indices.contains { line[$0] | 0x20 == axis && isGlued(line, $0) }
    }
  }

  private static func isAxis(_ byte: UInt8) -> Bool { (UInt8(ascii: "x")...UInt8(ascii: "z")).contains(byte | 0x20) }

  /// A number begins right behind a letter that begins a word, and a unit, if anything, ends it.
  private func isGlued(_ line: Span<UInt8>, _ index: Int) -> Bool {
    guard index + 1 < line.count, index == 0 || line[index - 1].isBlank || endsName(line[index - 1]),
      isNumber(line, index + 1)
    else { return false }
    var end = index + 1
    guard parseDecimal(line, from: &end) != nil else { return false }
    while end < line.count, line[end].isLetter || line[end] >= 0x80 { end += 1 }
    return end == line.count || line[end].isBlank || endsName(line[end])
  }

  /// The marks that part a name from its number in a table without a header: `MAG,-12.9,15.7,-43.5`.
  func endsName(_ byte: UInt8) -> Bool { byte == .comma || byte == .semicolon }

  static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "\\"), .comma, .semicolon:
      true
    default: false
    }
  }

  /// Whether a label is one axis, and no time or heading.
  func isOfSensor(_ label: LineLabel?) -> Bool {
    if case .axis = label?.meaning { return true }
    return label?.quantity != nil
  }

  /// Seconds in one unit of the time since 1970, by its digits from 2001 to 2286.
  static let dateScales = [13: 1e-3, 16: 1e-6, 19: 1e-9]

  /// The place at which words go on behind the unit of a number that stands before them, behind the dash of
  /// Arduino_BHY2's `XYZ values - X`, behind the bracket of DFRobot's `acc analog: (unit mg)  X`, or behind a count,
  /// `Reading #12X`; nil where they begin with none.
  func endOfUnit(_ line: Span<UInt8>, _ words: Range<Int>) -> Int? {
    if line.holds("unit ", at: words.lowerBound) { return words.first { line[$0] == UInt8(ascii: ")") } }
    if words.count > 13, line.holds("XYZ values - ", at: words.lowerBound) { return words.lowerBound + 12 }
    if let mark = words.last(where: { line[$0] == UInt8(ascii: "#") }), mark + 1 < words.upperBound {
      let end = words.dropFirst(mark + 1 - words.lowerBound).first { !line[$0].isDigit } ?? words.upperBound
      return end > mark + 1 && end < words.upperBound ? end - 1 : nil
    }
    var start = words.lowerBound
    while start > 0, line[start - 1].isBlank { start -= 1 }
    guard start > 0, line[start - 1].isDigit, let end = words.first(where: { line[$0].isBlank }),
      ColumnUnit(line.extracting(words.lowerBound..<end)) != nil
    else { return nil }
    return end
  }

  /// The value behind a stamp, as Teleplot has it in milliseconds: `>mx:12395:-12.9`; nil where there is no stamp.
  func numberBehindStamp(_ line: Span<UInt8>, _ index: Int) -> (Double, Range<Int>)? {
    guard index + 1 < line.count, line[index] == UInt8(ascii: ":"), isNumber(line, index + 1) else { return nil }
    var end = index + 1
    return parseDecimal(line, from: &end).map { ($0, index + 1..<end) }
  }

  /// The meaning of words. Those that mean nothing together may begin with the unit of the number before them, or with
  /// the type of what its brackets hold: `12 ms x 1.2`, `vector3(x=1.2`.
  mutating func label(_ line: Span<UInt8>, _ words: Range<Int>) -> LineLabel {
    let label = labels.label(line, words)
    if label.isIndex, let bracket = words.last(where: { isOpening(line[$0]) }) {
      // `Sample(mag=(…`: a type's name is no time.
      let inner = labels.label(line, bracket + 1..<words.upperBound)
      if inner.quantity != nil { return inner }
    }
    guard label.meaning == .nothing, label.otherSensor == nil,
      let inner = words.last(where: { isOpening(line[$0]) }) ?? endOfUnit(line, words)
    else { return label }
    return labels.label(line, inner + 1..<words.upperBound)
  }

  /// A name for another sensor that is not read: without its axis.
  static func name(_ text: [UInt8]?) -> String {
    guard var text else { return "a second one" }
    if let last = text.lastIndex(where: { $0.isBlank || $0 == UInt8(ascii: "_") }), text.count - last < 4,
      text[(last + 1)...].allSatisfy({ $0.isLetter })
    {
      text.removeSubrange(last...)
    }
    return text.prefix(48).harmlessText
  }
}
