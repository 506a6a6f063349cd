import LodestoneCore

/// A row of numbers without names, as people print it: commas, semicolons, tabs, blanks or bars stand between, brackets
/// around all of it or around each sensor, and a unit behind each number or behind the last of a sensor. A word such as
/// `IMU` may stand before them, the same one in each row; a sensor's name where more than three numbers follow, which
/// may be a time, a field and its length. A colon parts a count from the numbers behind it, `Sample 12: -12.9, 15.7,
/// -43.5`, and strokes may part all of them, where they are no date: `-12.9/15.7/-43.5`, which a teslameter frames as
/// `#-12.9/15.7/-43.5>`.
///
/// A comma between digits is a decimal mark where no point is, and something else separates the numbers.
struct BareRow {
  /// The way in which it is written.
  private(set) var shape = TableShape()
  /// Whether its commas are decimal marks.
  let hasDecimalCommas: Bool
  private var values = InlineArray<12, Double>(repeating: 0)
  private var ranges = InlineArray<12, Range<Int>>(repeating: 0..<0)
  /// The start of the text that holds the numbers.
  private let start: Int

  var count: Int { shape.columnCount }

  subscript(column: Int) -> Double { values[column] }

  /// The place of a column's number.
  func range(of column: Int) -> Range<Int> { ranges[column].lowerBound + start..<ranges[column].upperBound + start }

  /// The numbers of the row.
  var numbers: [Double] { (0..<count).map { values[$0] } }

  /// A row of the numbers in a line. Nil for one that holds anything else, has brackets that do not match or are in one
  /// another more than twice, a hole, or another count of numbers than tables have.
  init?(_ line: Span<UInt8>) {
    hasDecimalCommas = Self.hasDecimalCommas(line)
    let printed = Self.printed(line)
    let line = line.extracting(printed)
    let isFramed = Self.isFramed(line)
    start = printed.lowerBound + (isFramed ? 1 : 0)
    let numbers = isFramed ? line.extracting(1..<line.count - 1) : line.extracting(0..<Self.endOfNumbers(line))
    var scan = Scan(index: takeTag(numbers))
    while scan.index < numbers.count {
      guard step(numbers, &scan) else { return nil }
    }
    guard scan.open.isEmpty, TableSearch.columnCounts.contains(count), areParted(numbers, scan.strokes) else {
      return nil
    }
    if shape.quantity != nil, count == 3 { return nil }
  }

  /// A row without the blanks and line ends at its end, and without what Python prints around bytes or text that it has
  /// read: `b'-12.9,15.7,-43.5\r\n'`.
  private static func printed(_ line: Span<UInt8>) -> Range<Int> {
    let start = line.holds("b'") || line.holds("b\"") ? 2 : line.holds("'") ? 1 : 0
    var last = line.count
    while last > 0, line[last - 1].isBlank { last -= 1 }
    // Docklight writes them out.
    while last > 4, line.holds("<CR>", at: last - 4) || line.holds("<LF>", at: last - 4) { last -= 4 }
    // Serial Studio's marks.
    if line.holds("/*"), last > 4, line.holds("*/", at: last - 2) { return 2..<last - 2 }
    guard start > 0, last > start, line[last - 1] == line[start - 1] else { return 0..<last }
    var end = last - 1
    while end > start + 1, line[end - 2] == UInt8(ascii: "\\"), "rnt".utf8.contains(line[end - 1]) { end -= 2 }
    return start..<end
  }

  /// The marks that a row may stand between.
  private static let frames: [[UInt8]] = ["#>", "<>", "$;", "$*", "@#"].map { Array($0.utf8) }

  /// A row between `#` and `>`, as CH-Hall's CH-330 sends its three axes, or other marks, and no remark.
  static func isFramed(_ line: Span<UInt8>) -> Bool {
    guard line.count > 3, "#<$@".utf8.contains(line[0]), frames.contains([line[0], line[line.count - 1]]) else {
      return false
    }
    return "+-.0123456789".utf8.contains(line[1])
  }

  /// No strokes stand between the numbers, or all of them and none in a date: one has a point or a sign.
  private func areParted(_ line: Span<UInt8>, _ strokes: Int) -> Bool {
    guard strokes > 0 else { return true }
    return strokes == count - 1 && line.indices.contains { ".-".utf8.contains(line[$0]) }
  }

  /// Words before rows that say nothing of the numbers' order. Those that name a quantity are labels, and any other one
  /// may name what is none of ours.
  private static let tags: Set<ColumnWord> = [
    "imu", "marg", "data", "raw", "sensor", "sensors", "value", "values", "sample", "reading", "measurement", "array",
    "tensor",
    "mpu9250", "lsm9ds1", "icm20948",
  ]

  /// Words at the end of rows that tell how good the numbers are, as SparkFun's examples for the BNO080 print them, or
  /// the direction that a sketch has worked out of them.
  private static let grades: Set<ColumnWord> = [
    "unreliable", "low", "medium", "high", "n", "ne", "e", "se", "s", "sw", "w", "nw", "north", "northeast", "east",
    "southeast", "south", "southwest", "west", "northwest",
  ]

  /// The place of the comma before such a word; the line's end where none stands there.
  private static func endOfNumbers(_ line: Span<UInt8>) -> Int {
    guard let last = line.indices.last, line[last].isLetter else { return line.count }
    var start = last
    while start > 0, line[start - 1].isLetter { start -= 1 }
    var end = start
    while end > 0, line[end - 1].isBlank { end -= 1 }
    // Last the words, which are many.
    guard end > 0, line[end - 1] == .comma, grades.contains(ColumnWord(line.extracting(start..<line.count))) else {
      return line.count
    }
    return end - 1
  }

  /// The place behind the words that stand before the numbers, and behind what parts them from these; 0 where none do.
  private mutating func takeTag(_ line: Span<UInt8>) -> Int {
    guard !line.isEmpty, line[0].isLetter else { return 0 }
    var end = 0
    while end < line.count, line[end].isLetter || line[end].isDigit || line[end] == UInt8(ascii: "_") { end += 1 }
    let text = line.extracting(0..<end)
    let words = ColumnWord.words(of: text)
    guard words.allSatisfy({ Self.tags.contains($0) }) || takeSensor(text, words) else { return 0 }
    shape.tag = words.reduce(ColumnWord(), +)
    if end < line.count, ":=,;".utf8.contains(line[end]) { end += 1 }
    return end
  }

  /// Takes a word that names a sensor, and says no unit; false for any other.
  private mutating func takeSensor(_ text: Span<UInt8>, _ words: [ColumnWord]) -> Bool {
    guard words.count == 1, text.count > 2, !words.contains(where: { ColumnName.isUnit($0) }) else { return false }
    let name = ColumnName(text)
    guard name.axis == nil else { return false }
    switch name.quantity {
    case .field: shape.quantity = .field
    case .acceleration: shape.quantity = .acceleration
    case .rotationRate: shape.quantity = .rotation
    case .time, .temperature, nil: return false
    }
    return true
  }

  /// The state of the scan.
  private struct Scan {
    var index = 0
    /// Brackets that are open, the innermost last, as their closing bytes.
    var open = Brackets()
    /// Counts brackets and bars: numbers between two of them are a group.
    var group = 0
    /// Whether something has stood between the last number and here; what, besides blanks and brackets.
    var isApart = true, hasComma = false, hasBar = false
    /// The number of strokes that have come.
    var strokes = 0
  }

  /// At most two brackets, by their closing bytes.
  private struct Brackets {
    private var bytes: UInt16 = 0

    var isEmpty: Bool { bytes == 0 }

    mutating func push(_ closing: UInt8) -> Bool {
      guard bytes <= 0xFF else { return false }
      bytes = bytes << 8 | UInt16(closing)
      return true
    }

    mutating func pop(_ closing: UInt8) -> Bool {
      guard bytes & 0xFF == UInt16(closing) else { return false }
      bytes >>= 8
      return true
    }
  }

  private mutating func step(_ line: Span<UInt8>, _ scan: inout Scan) -> Bool {
    let byte = line[scan.index]
    switch byte {
    case .space, .tab, .apostrophe, .quote: scan.isApart = true
    case .comma, .semicolon:
      guard count > 0, !scan.hasComma else { return false }
      (scan.isApart, scan.hasComma) = (true, true)
    case UInt8(ascii: "/"):
      guard count > 0, !scan.hasComma else { return false }
      (scan.isApart, scan.hasComma, scan.strokes) = (true, true, scan.strokes + 1)
    case UInt8(ascii: ":"):
      // Behind the first number, and no clock.
      guard count == 1, !scan.hasComma, scan.index + 1 < line.count, !line[scan.index + 1].isDigit else { return false }
      (scan.isApart, scan.hasComma) = (true, true)
      scan.group += 1
    case .bar:
      guard !scan.hasBar else { return false }
      (scan.isApart, scan.hasBar) = (true, true)
      scan.group += 1
    case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
      // Two places on in ASCII, but for the round ones.
      let closing = byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : byte + 2
      if count > 0, !scan.hasComma, let end = Self.endOfUnit(line, scan.index + 1), end < line.count,
        line[end] == closing
      {
        defer { scan.index = end + 1 }
        return takeUnit(line.extracting(scan.index + 1..<end))
      }
      guard scan.open.push(closing) else { return false }
      scan.isApart = true
      scan.group += 1
    case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
      guard count > 0, scan.open.pop(byte) else { return false }
      scan.isApart = true
      scan.group += 1
    default:
      if byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".") {
        return takeNumber(line, &scan)
      }
      if let start = NumPyText.end(ofTypeAt: scan.index, in: line) { return takeTyped(line, from: start, &scan) }
      guard count > 0, !scan.hasComma, !scan.hasBar, let end = Self.endOfUnit(line, scan.index) else { return false }
      defer { scan.index = end }
      scan.isApart = true
      return takeUnit(line.extracting(scan.index..<end))
    }
    scan.index += 1
    return true
  }

  private mutating func takeNumber(_ line: Span<UInt8>, _ scan: inout Scan) -> Bool {
    guard scan.isApart, count < TableShape.limit, scan.group < 16 else { return false }
    let start = scan.index
    let mark = hasDecimalCommas ? UInt8.comma : UInt8(ascii: ".")
    let grouped = hasDecimalCommas ? nil : GroupedNumber.parse(line, from: &scan.index, isInList: true)
    guard let value = grouped ?? parseDecimal(line, from: &scan.index, decimalMark: mark), scan.index > start else {
      return false
    }
    values[count] = value
    ranges[count] = start..<scan.index
    shape.append(group: scan.group)
    (scan.isApart, scan.hasComma, scan.hasBar) = (false, false, false)
    return true
  }

  /// Takes a number with its type around it.
  private mutating func takeTyped(_ line: Span<UInt8>, from start: Int, _ scan: inout Scan) -> Bool {
    scan.index = start
    guard start < line.count, takeNumber(line, &scan), scan.index < line.count, line[scan.index] == UInt8(ascii: ")")
    else { return false }
    scan.index += 1
    return true
  }

  private mutating func takeUnit(_ text: Span<UInt8>) -> Bool { ColumnUnit(text).map { shape.take($0) } ?? false }

  /// The end of a word that may be a unit; nil where none begins.
  private static func endOfUnit(_ line: Span<UInt8>, _ start: Int) -> Int? {
    guard start < line.count else { return nil }
    let first = line[start]
    guard first.isLetter || first >= 0x80 || first == UInt8(ascii: "%") else { return nil }
    var end = start
    while end < line.count {
      switch line[end] {
      case .space, .tab, .comma, .semicolon, .bar, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        return end
      default: end += 1
      }
    }
    return end
  }

  /// Whether there is no point, commas stand between digits, never two of them in one run of digits, and something else
  /// separates the numbers, be it a comma with a blank beside it.
  static func hasDecimalCommas(_ line: Span<UInt8>) -> Bool {
    var hasComma = false, isInRun = false, isSeparated = false
    for index in line.indices {
      let byte = line[index]
      if byte == UInt8(ascii: ".") { return false }
      if byte == .comma {
        guard index > 0, index + 1 < line.count else { return false }
        if line[index - 1].isBlank || line[index + 1].isBlank {
          isInRun = false
          continue
        }
        guard line[index - 1].isDigit, line[index + 1].isDigit, !isInRun else { return false }
        (hasComma, isInRun) = (true, true)
      } else if !byte.isDigit {
        if hasComma, byte.isBlank || byte == .semicolon || byte == .bar { isSeparated = true }
        isInRun = false
      }
    }
    return hasComma && isSeparated
  }
}

/// The numbers of a line while it is not known what its columns are: of a plain table, whose rows are then read as
/// such, or of a `BareRow`.
struct BareNumbers {
  let values: [Double]
  /// The separator of the numbers; `CSVTable.anySeparator` for a `BareRow`.
  let separator: UInt8
  let shape: TableShape
  /// Commas within quotes part thousands.
  let isGrouped: Bool

  /// A scan of a line; nil where it holds anything else.
  init?(_ line: Span<UInt8>) {
    guard !line.endsInHexDump else { return nil }
    if TableLine.mayBeNumbers(line) {
      if let values = CSVTable.grouped(line), TableSearch.columnCounts.contains(values.count) {
        self.init(values, .comma, TableShape(columnCount: values.count), isGrouped: true)
        return
      }
      let hasDecimalCommas = BareRow.hasDecimalCommas(line)
      for separator in TableLine.separators(of: line) where separator != .comma || !hasDecimalCommas {
        if let values = TableLine.plainNumbers(of: line, separator: separator),
          TableSearch.columnCounts.contains(values.count)
        {
          self.init(values, separator, TableShape(columnCount: values.count))
          return
        }
        let fields = TableLine.fields(of: line, separator: separator)
        let mark: UInt8 = separator == .semicolon || separator == .tab ? .comma : UInt8(ascii: ".")
        let values = fields.compactMap { TableLine.number($0.span, decimalMark: mark) }
        if values.count == fields.count, TableSearch.columnCounts.contains(values.count) {
          self.init(values, separator, TableShape(columnCount: values.count))
          return
        }
      }
    }
    guard let row = BareRow(line) else { return nil }
    self.init(row.numbers, CSVTable.anySeparator, row.shape)
  }

  private init(_ values: [Double], _ separator: UInt8, _ shape: TableShape, isGrouped: Bool = false) {
    (self.values, self.separator, self.shape, self.isGrouped) = (values, separator, shape, isGrouped)
  }
}
