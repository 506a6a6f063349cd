/// Cuts a stream of JSON into its objects, whatever stands between them: each on its line or over several, one right
/// behind the other, in an array, or in an array of an object that tells of all of them, as a batch is sent. Anything
/// else is a line.
struct ObjectFramer: Framing {
  private var lines = LineFramer()
  /// The brackets around each array of objects that the next one stands in, the innermost last.
  private var arrays: [JSONNesting] = []
  /// Arrays in one another are entered up to this depth.
  private static let arrayLimit = 8
  /// The start of the last object, and the brackets around its first element.
  private var start = 0
  private var nesting = JSONNesting()
  /// The place at which to go on instead of behind the last object.
  private var entry: Int?
  /// The elements of the array are passed over.
  private var isMuted = false
  /// The words before the last object on its line, as a broker's client prints a topic; empty where none stand there.
  private(set) var words: [UInt8] = []
  /// The object behind the words has been given.
  private var wordsAreDone = false

  var isDropping: Bool { lines.isDropping }

  /// Goes on within the last object: with the first element of an array, that many bytes behind the object's beginning.
  /// Muted elements are passed over, all of them.
  mutating func enter(at offset: Int, isMuted: Bool) {
    lines = LineFramer()
    guard arrays.count < Self.arrayLimit else { return }
    entry = start + offset
    self.isMuted = isMuted
    arrays.append(nesting)
  }

  /// The next object or line at or after `position`, and `position` moved past it; nil when none is complete. Of an
  /// object past the limit with objects in an array, what stands before the first of these, and its brace.
  mutating func next(in bytes: Span<UInt8>, from position: inout Int) -> LineFramer.Event? {
    if let entry { (position, self.entry) = (entry, nil) }
    while !lines.isDropping {
      Self.passSeparators(bytes, &position)
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: "{"):
        let event = object(bytes, &position)
        if !isMuted || event == nil { return event }
      case UInt8(ascii: "["):
        var inside = position + 1
        Self.passSeparators(bytes, &inside)
        guard inside < bytes.count else { return nil }
        guard bytes[inside] == UInt8(ascii: "{"), arrays.count < Self.arrayLimit else { return line(bytes, &position) }
        arrays.append(JSONNesting().entered(isArray: true))
        position = inside
      case UInt8(ascii: "]") where !arrays.isEmpty:
        guard leave(bytes, &position) else { return nil }
      default:
        let event = line(bytes, &position)
        guard case .line(let range)? = event, let object = Self.objectBehindWords(bytes, range) else { return event }
        words = bytes.bytes(in: range.lowerBound..<object)
        while words.last?.isBlank == true { words.removeLast() }
        position = object
      }
    }
    return lines.next(in: bytes, from: &position)
  }

  mutating func finish(in bytes: Span<UInt8>, from position: inout Int) -> LineFramer.Event? {
    if let event = next(in: bytes, from: &position) { return event }
    if position < bytes.count, let object = Self.objectBehindWords(bytes, position..<bytes.count) {
      position = object
      if let event = next(in: bytes, from: &position) { return event }
    }
    return lines.finish(in: bytes, from: &position)
  }

  /// The object at the position; nil where it goes on.
  private mutating func object(_ bytes: Span<UInt8>, _ position: inout Int) -> LineFramer.Event? {
    if wordsAreDone { (words, wordsAreDone) = ([], false) }
    let extent = ObjectExtent(bytes, from: position)
    (start, nesting) = (position, extent.nesting)
    if let end = extent.end {
      wordsAreDone = !words.isEmpty
      position = end
      Self.passSeparators(bytes, &position)
      return .line(start..<end)
    }
    guard !extent.isBroken else { return line(bytes, &position) }
    guard bytes.count - position > LineFramer.limit else { return nil }
    guard let elements = extent.elements else { return line(bytes, &position) }
    position = elements + 1
    lines.drop(elements + 1 - start)
    return .line(start..<elements + 1)
  }

  /// The next line: what stands around it is no array of objects.
  private mutating func line(_ bytes: Span<UInt8>, _ position: inout Int) -> LineFramer.Event? {
    arrays.removeAll(keepingCapacity: true)
    (isMuted, words, wordsAreDone) = (false, [], false)
    return lines.next(in: bytes, from: &position)
  }

  /// Passes the end of an array, and the rest of the object that it stands in; false where that goes on.
  private mutating func leave(_ bytes: Span<UInt8>, _ position: inout Int) -> Bool {
    let around = (arrays.last ?? JSONNesting()).left
    let rest = around.depth > 0 ? ObjectExtent(bytes, from: position + 1, within: around) : nil
    if let rest, rest.end == nil, !rest.isBroken, bytes.count - position <= LineFramer.limit { return false }
    arrays.removeLast()
    isMuted = false
    position = rest?.end ?? position + 1
    return true
  }

  /// The start of an object or array behind words, such as the topic that a broker's client prints or the stamp and the
  /// kind that a Signal K server logs (`1714557600000;P;{…`); nil where none does.
  private static func objectBehindWords(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
    let first = bytes[line.lowerBound]
    guard first.isLetter || first.isDigit else { return nil }
    return line.dropFirst().first { index in
      (bytes[index - 1].isBlank || bytes[index - 1] == .semicolon)
        && (bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "["))
    }
  }

  private static func passSeparators(_ bytes: Span<UInt8>, _ position: inout Int) {
    while position < bytes.count, bytes[position].isBlankOrLineEnd || bytes[position] == .comma { position &+= 1 }
  }
}

/// The brackets around a place in JSON.
struct JSONNesting {
  private(set) var depth = 0
  /// The innermost in the lowest bit: whether it is an array's.
  private var arrays: UInt32 = 0

  /// The innermost is an array's.
  var isInArray: Bool { arrays & 1 == 1 }

  /// Inside of one more.
  func entered(isArray: Bool) -> JSONNesting {
    var inner = self
    inner.depth &+= 1
    inner.arrays = arrays << 1 | (isArray ? 1 : 0)
    return inner
  }

  /// Outside of the innermost.
  var left: JSONNesting {
    var outer = self
    outer.depth = max(0, depth &- 1)
    outer.arrays >>= 1
    return outer
  }
}

/// The end of a JSON object, found without reading its values.
struct ObjectExtent {
  /// The place behind its closing brace; nil where it goes on behind the bytes, or is broken.
  private(set) var end: Int?
  /// The start of the first object that stands in an array of it, and the brackets around that.
  private(set) var elements: Int?
  private(set) var nesting = JSONNesting()
  /// Whether it is no JSON.
  private(set) var isBroken = false

  private enum Expected {
    /// A value has ended: a comma or a closing bracket.
    case more
    /// The rest of a number or word, or what follows a value.
    case scalar
    case key, colon, value
  }

  /// The object that begins at `start`, or the outermost of those that `start` lies in, behind a value.
  init(_ bytes: Span<UInt8>, from start: Int, within around: JSONNesting = JSONNesting()) {
    var (index, place) = (start, around)
    var expected = around.depth > 0 ? Expected.more : .value
    // A return before the end of the bytes is for a byte that cannot stand there, unless the object is whole.
    defer { isBroken = isBroken && end == nil }
    isBroken = true
    while index < bytes.count {
      let byte = bytes[index]
      switch (byte, expected) {
      case (.space, _), (.tab, _), (.lineFeed, _), (.carriageReturn, _):
        if expected == .scalar { expected = .more }
      case (.quote, .key), (.quote, .value), (.apostrophe, .key), (.apostrophe, .value):
        index &+= 1
        while index < bytes.count, bytes[index] != byte {
          guard bytes[index] != .lineFeed else { return }
          index &+= bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        expected = expected == .key ? .colon : .more
      case (UInt8(ascii: ":"), .colon): expected = .value
      case (.comma, .more), (.comma, .scalar): expected = place.isInArray ? .value : .key
      case (UInt8(ascii: "{"), .value), (UInt8(ascii: "["), .value), (UInt8(ascii: "("), .value):
        let isArray = byte != UInt8(ascii: "{")
        guard place.depth < 30, place.depth > 0 || !isArray else { return }
        if !isArray, place.isInArray, elements == nil { (elements, nesting) = (index, place) }
        place = place.entered(isArray: isArray)
        expected = isArray ? .value : .key
      case (UInt8(ascii: "}"), .key), (UInt8(ascii: "}"), .more), (UInt8(ascii: "}"), .scalar),
        (UInt8(ascii: "]"), .value), (UInt8(ascii: "]"), .more), (UInt8(ascii: "]"), .scalar),
        (UInt8(ascii: ")"), .more), (UInt8(ascii: ")"), .scalar):
        guard place.isInArray == (byte != UInt8(ascii: "}")) else { return }
        place = place.left
        expected = .more
        if place.depth == 0 {
          end = index + 1
          return
        }
      case (_, .value), (_, .scalar):
        guard byte.isLetter || byte.isDigit || "+-.".utf8.contains(byte) else { return }
        expected = .scalar
      default: return
      }
      index &+= 1
    }
    isBroken = false
  }
}
