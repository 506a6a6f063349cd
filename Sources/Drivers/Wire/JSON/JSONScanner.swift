import LodestoneCore

/// Walks through the values of one JSON object, without building anything: each scalar with its key and the
/// key of the object or array it stands in. Strings stay where they are, escapes and all; they may stand between
/// apostrophes, as Python prints a dictionary, and its tuples in round brackets are arrays. Nesting past three levels
/// is walked through but not told apart; the values of objects in arrays are passed over.
struct JSONScanner {
  /// A scalar and where it stands.
  struct Item {
    /// The key of the enclosing object or array; empty at the top.
    var parent: Range<Int>
    /// The key of the object around that; empty where there is none.
    var outer: Range<Int>
    /// The item's own key; empty in an array.
    var key: Range<Int>
    /// The item's place in an array; −1 in an object.
    var index: Int
    /// The number; nil for anything else.
    var number: Double?
    /// The place of a string, without its quotes; nil for anything else.
    var string: Range<Int>?

    /// The number, be it between quotes; nil for anything else.
    func value(in line: Span<UInt8>) -> Double? {
      guard let string else { return number }
      let text = line.extracting(string)
      var index = 0
      guard let value = parseDecimal(text, from: &index), index == text.count else { return nil }
      return value
    }
  }

  /// Objects in an array.
  struct Elements {
    /// The start of the first element.
    var start: Int
    /// The key of the array.
    var parent: Range<Int>
  }

  /// The place of the scanner, behind the last item.
  private(set) var position: Int
  /// The start of the last number.
  private(set) var numberStart = 0
  private var depth = 0
  private var (outer, parent) = (0..<0, 0..<0)
  /// The round bracket that is open is that of a number's type.
  private var isTyped = false
  /// The place in the array we are in; −1 in an object.
  private var index = -1
  /// Bit n is set where the value that opened depth n is an array.
  private var arrays: UInt32 = 0
  /// The outermost object has been closed, and nothing followed.
  private(set) var isComplete = false
  /// The first objects that stand in an array; nil where none do.
  private(set) var elements: Elements?
  /// The depth of the array whose objects are passed over; 0 outside of one.
  private var passedDepth = 0

  /// The values of objects in arrays are not passed over.
  private let entersElements: Bool

  /// A walk that begins at a byte, and enters the objects in arrays, or passes them over.
  init(at position: Int = 0, entersElements: Bool = false) {
    self.position = position
    self.entersElements = entersElements
  }

  /// The next scalar. Nil at the end, or where it stops being JSON: `isComplete` tells which.
  @inline(__always)
  mutating func next(in line: Span<UInt8>) -> Item? {
    var item = step(line)
    while passedDepth > 0, item != nil { item = step(line) }
    return item
  }

  private mutating func step(_ line: Span<UInt8>) -> Item? {
    var key = 0..<0
    while let byte = peek(line) {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): guard open(byte, key) else { return nil }
      case UInt8(ascii: ")") where isTyped:
        isTyped = false
        position &+= 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ")"):
        guard close(byte) else { return nil }
        if depth == 0 {
          isComplete = peek(line) == nil
          return nil
        }
      case .comma:
        position &+= 1
      case .quote, .apostrophe:
        guard depth > 0, let text = string(line) else { return nil }
        guard key.isEmpty, index < 0 else { return item(key, string: text) }
        guard peek(line) == UInt8(ascii: ":") else { return nil }
        position &+= 1
        key = text
        continue
      default:
        guard depth > 0, !key.isEmpty || index >= 0 else { return nil }
        if byte.isLetter {
          if let end = NumPyText.end(ofTypeAt: position, in: line), end < line.count {
            isTyped = line[end] != UInt8(ascii: "[")
            position = isTyped ? end : end &- 1  // around an array they are an array's, too
            continue
          }
          while position < line.count, line[position].isLetter { position &+= 1 }
          return item(key)
        }
        numberStart = position
        guard let number = parseDecimal(line, from: &position) else { return nil }
        return item(key, number: number)
      }
      key = 0..<0
    }
    return nil
  }

  /// The next byte that is no blank.
  @inline(__always)
  private mutating func peek(_ line: Span<UInt8>) -> UInt8? {
    while position < line.count, line[position].isBlankOrLineEnd { position &+= 1 }
    return position < line.count ? line[position] : nil
  }

  private mutating func open(_ byte: UInt8, _ key: Range<Int>) -> Bool {
    guard depth < 30, depth > 0 || byte == UInt8(ascii: "{"), depth == 0 || !key.isEmpty || index >= 0 else {
      return false
    }
    if index >= 0, byte == UInt8(ascii: "{"), passedDepth == 0 {
      if !entersElements { passedDepth = depth }
      if elements == nil { elements = Elements(start: position, parent: parent) }
    }
    depth &+= 1
    let isArray = byte != UInt8(ascii: "{")
    arrays = isArray ? arrays | 1 << UInt32(depth) : arrays & ~(1 << UInt32(depth))
    index = isArray ? 0 : -1
    if !key.isEmpty { (outer, parent) = (parent, key) }
    position &+= 1
    return true
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    guard depth > 0, (arrays >> UInt32(depth) & 1 == 1) == (byte != UInt8(ascii: "}")) else { return false }
    depth &-= 1
    if depth < passedDepth { passedDepth = 0 }
    index = arrays >> UInt32(depth) & 1 == 1 ? 0 : -1
    (outer, parent) = (0..<0, 0..<0)
    position &+= 1
    return true
  }

  /// A string at the position: where it lies without quotes; nil when it does not end.
  @inline(__always)
  private mutating func string(_ line: Span<UInt8>) -> Range<Int>? {
    let (mark, start) = (line[position], position &+ 1)
    var at = start
    while at < line.count, line[at] != mark { at &+= line[at] == UInt8(ascii: "\\") ? 2 : 1 }
    guard at < line.count else { return nil }
    position = at &+ 1
    return start..<at
  }

  @inline(__always)
  private mutating func item(_ key: Range<Int>, number: Double? = nil, string: Range<Int>? = nil) -> Item {
    defer { if index >= 0 { index &+= 1 } }
    return Item(parent: parent, outer: outer, key: key, index: index, number: number, string: string)
  }
}
