import LodestoneCore

/// Reads the fields of a line from left to right. A field that is empty or missing is nil; one that holds something
/// other than what was asked for marks the line as malformed.
struct Fields {
  /// The start of the next field; past `end` when there is none.
  private(set) var position: Int
  /// The end of the last field.
  let end: Int
  /// The separator of two fields.
  let separator: UInt8
  /// A field was not what was asked for.
  private(set) var isMalformed = false

  /// The fields in `start ..< end`.
  init(from start: Int, to end: Int, separator: UInt8 = .comma) {
    position = start
    self.end = end
    self.separator = separator
  }

  /// Whether there is another field, be it an empty one.
  var hasMore: Bool { position <= end }

  /// The next field as a number.
  @inline(__always)
  mutating func number(in line: Span<UInt8>) -> Double? { isEmpty(in: line) ? nil : readNumber(line) }

  /// A field that is not empty.
  private mutating func readNumber(_ line: Span<UInt8>) -> Double? {
    let text = line.extracting(..<end)
    var index = position
    if let value = parseShortDecimal(text, from: &index), index >= end || line[index] == separator {
      position = index &+ 1
      return value
    }
    return readOther(line)
  }

  /// A field with blanks, a long number, or none.
  @inline(never)
  private mutating func readOther(_ line: Span<UInt8>) -> Double? {
    let text = line.extracting(..<end)
    var index = position
    skipBlanks(line, &index)
    if index >= end || line[index] == separator {
      position = index &+ 1
      return nil
    }
    let value = parseDecimal(text, from: &index)
    skipBlanks(line, &index)
    if value == nil || (index < end && line[index] != separator) {
      isMalformed = true
      skip(in: line)
      return nil
    }
    position = index &+ 1
    return value
  }

  /// Whether the next field is empty, which is passed over then.
  @inline(__always)
  private mutating func isEmpty(in line: Span<UInt8>) -> Bool {
    guard position < end, line[position] == separator else { return false }
    position &+= 1
    return true
  }

  /// The next field as a number; one outside a range is malformed.
  @inline(__always)
  mutating func number(in line: Span<UInt8>, within range: ClosedRange<Double>) -> Double? {
    guard let value = number(in: line) else { return nil }
    guard range.contains(value) else {
      isMalformed = true
      return nil
    }
    return value
  }

  /// Says that a field made no sense to the reader.
  mutating func markMalformed() { isMalformed = true }

  /// The next field as a single letter.
  @inline(__always)
  mutating func letter(in line: Span<UInt8>) -> UInt8? { isEmpty(in: line) ? nil : readLetter(line) }

  private mutating func readLetter(_ line: Span<UInt8>) -> UInt8? {
    guard position < end else {
      position &+= 1
      return nil
    }
    let (letter, next) = (line[position], position &+ 1)
    guard letter.isLetter, next >= end || line[next] == separator else {
      isMalformed = true
      skip(in: line)
      return nil
    }
    position = next &+ 1
    return letter
  }

  /// The place of the next field.
  mutating func text(in line: Span<UInt8>) -> Range<Int> {
    let start = min(position, end)
    skip(in: line)
    return start..<max(start, min(position &- 1, end))
  }

  /// Three fields as a vector; nil when all are empty, malformed when only some are.
  mutating func vector(in line: Span<UInt8>) -> Vector3? {
    let x = number(in: line), y = number(in: line), z = number(in: line)
    if let x, let y, let z { return Vector3(x, y, z) }
    if x != nil || y != nil || z != nil { isMalformed = true }
    return nil
  }

  /// Passes the next field over.
  mutating func skip(in line: Span<UInt8>) {
    var index = position
    while index < end, line[index] != separator { index &+= 1 }
    position = index &+ 1
  }

  @inline(__always)
  private func skipBlanks(_ line: Span<UInt8>, _ index: inout Int) {
    while index < end, line[index].isBlank, line[index] != separator { index &+= 1 }
  }
}
