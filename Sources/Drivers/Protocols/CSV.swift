import Core

/// Tables of numbers: rows of values between commas, semicolons, tabs or blanks, under a header that names the columns;
/// without one, 3, 4, 6, 9 or 10 bare numbers a line (see `CSVColumns`).
///
/// Lines that begin with `#` are comments. A header may come again at any time. With semicolons the decimal mark may be
/// a comma. A row in which all three axes of a quantity are empty lacks that quantity; any other hole rejects the row.
struct CSV: LineReading {
  static let name = "csv"
  static let proof = WireProof.numbers

  var framer = LineFramer()
  /// Nil until a header or a first row has told.
  private var columns: CSVColumns? { didSet { plainRow = columns.flatMap { PlainRow($0) } } }
  private var plainRow: PlainRow?
  /// The columns were given by the user: a header is passed over.
  private let isPinned: Bool
  private var separator = UInt8.comma
  /// Seconds in one unit of the time column; 0 until the first value has been seen.
  private var timeScale = 0.0
  /// The columns that `encode` has announced (time, field, acceleration, rotation rate, temperature); empty before.
  private var encoded: [Bool] = []

  init() { isPinned = false }

  /// A table whose columns the user names (`mx,my,mz,ax,ay,az`; any other word for a column to ignore), with the unit of
  /// the field where it is known. Nil when the names hold no three axes of one quantity.
  init?(columns names: String, fieldUnit: FieldUnit? = nil) {
    let split = names.split(separator: ",", omittingEmptySubsequences: false)
    var columns = CSVColumns(names: split.map { String($0) })
    guard columns.isUsable else { return nil }
    if let fieldUnit { columns.fieldUnit = fieldUnit }
    self.columns = columns
    plainRow = PlainRow(columns)
    isPinned = true
  }

  /// The columns were named by a header.
  private(set) var hasHeader = false

  /// The time column counts samples instead of telling time.
  var timeIsIndex: Bool { columns?.timeIsIndex ?? false }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> LineMeaning {
    var start = 0
    while start < line.count, line[start].isBlank { start &+= 1 }
    guard start < line.count else { return .other }
    let first = line[start]
    if first == UInt8(ascii: "#") { return .other }
    if first.isLetter || first == .quote || first > 127, let header = readHeader(line) { return header }
    if columns == nil { guessColumns(line) }
    guard let columns else { return .rejected(.unrecognized) }
    return readRow(line, columns, into: &message)
  }

  // MARK: Rows

  /// Rows of plain numbers, which is nearly all there are.
  mutating func nextMessage(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> Bool {
    if let plainRow, !framer.isDropping, timeScale != 0 || !plainRow.hasTime,
      plainRow.read(bytes, from: &position, separator: separator, timeScale: timeScale, into: &message)
    {
      return true
    }
    return readLine(in: bytes, from: &position, into: &message)
  }

  @inline(__always)
  private mutating func readRow(
    _ line: Span<UInt8>, _ columns: CSVColumns, into message: inout WireMessage
  ) -> LineMeaning {
    var values = RoleValues()
    guard readValues(line, columns, into: &values), values.fill(&message),
      message.field != nil || message.acceleration != nil || message.rotationRate != nil
    else { return .rejected(.malformed) }
    message.fieldUnit = columns.fieldUnit
    message.accelerationUnit = columns.accelerationUnit
    message.rotationRateUnit = columns.rotationRateUnit
    message.time = values[CSVColumns.Role.time].map { seconds($0, columns) }
    return .message
  }

  /// Reads a number for each role. False when a column holds something else, or is missing.
  @inline(__always)
  private func readValues(_ line: Span<UInt8>, _ columns: CSVColumns, into values: inout RoleValues) -> Bool {
    let byBlanks = separator == .space
    var index = 0
    for column in columns.roles.indices {
      if column > 0, !byBlanks {
        guard index < line.count else { return false }
        index &+= 1
      }
      skipBlanks(line, &index)
      let role = columns.roles[column]
      if role == CSVColumns.Role.ignored {
        skipField(line, &index)
      } else if !isFieldEnd(line, index) {
        guard let value = number(line, &index) else { return false }
        values.set(value, role)
      }
      if !byBlanks { skipBlanks(line, &index) }
      guard isFieldEnd(line, index) else { return false }
    }
    return true
  }

  @inline(__always)
  private func isFieldEnd(_ line: Span<UInt8>, _ index: Int) -> Bool {
    guard index < line.count else { return true }
    let byte = line[index]
    return byte == separator || (separator == .space && byte == .tab)
  }

  /// Passes blanks over, but no tab that separates.
  @inline(__always)
  private func skipBlanks(_ line: Span<UInt8>, _ index: inout Int) {
    while index < line.count, line[index] == .space || (line[index] == .tab && separator != .tab) { index &+= 1 }
  }

  @inline(__always)
  private func number(_ line: Span<UInt8>, _ index: inout Int) -> Double? {
    let isQuoted = line[index] == .quote
    if isQuoted { index &+= 1 }
    let start = index
    // Between semicolons the decimal mark is a comma; where it is not, the number has ended too early.
    var value = parseDecimal(line, from: &index, decimalMark: separator == .semicolon ? .comma : UInt8(ascii: "."))
    if separator == .semicolon, value == nil || (index < line.count && line[index] == UInt8(ascii: ".")) {
      index = start
      value = parseDecimal(line, from: &index)
    }
    if isQuoted {
      guard index < line.count, line[index] == .quote else { return nil }
      index &+= 1
    }
    return value
  }

  /// Moves to the end of a field whose value does not matter; a separator between quotes does not end it.
  private func skipField(_ line: Span<UInt8>, _ index: inout Int) {
    var isQuoted = false
    while index < line.count, isQuoted || !isFieldEnd(line, index) {
      if line[index] == .quote { isQuoted.toggle() }
      index &+= 1
    }
  }

  @inline(__always)
  private mutating func seconds(_ value: Double, _ columns: CSVColumns) -> Double {
    if timeScale == 0 { timeScale = columns.timeScale ?? CSVColumns.likelyTimeScale(of: value) }
    return value * timeScale
  }

  // MARK: What the columns are

  /// Takes a line of names. Nil when it is none, and not to be passed over either.
  private mutating func readHeader(_ line: Span<UInt8>) -> LineMeaning? {
    let separator = Self.separator(of: line)
    let names = Self.split(line, separator: separator)
    if isPinned {
      guard names.contains(where: { $0.utf8.first?.isLetter == true }) else { return nil }
      self.separator = separator
      return .other
    }
    let found = CSVColumns(names: names)
    guard found.isUsable else { return nil }
    columns = found
    hasHeader = true
    self.separator = separator
    timeScale = 0
    return .other
  }

  private mutating func guessColumns(_ line: Span<UInt8>) {
    let separator = Self.separator(of: line)
    let fields = Self.split(line, separator: separator)
    let values = fields.compactMap { Self.number($0, decimalMark: separator == .semicolon ? .comma : 0x2E) }
    guard values.count == fields.count, let found = CSVColumns(bare: values) else { return }
    columns = found
    self.separator = separator
  }

  private static func number(_ text: String, decimalMark: UInt8) -> Double? {
    let bytes = text.utf8.span
    if let value = Double(decimal: bytes) { return value }
    var index = 0
    let value = parseDecimal(bytes, from: &index, decimalMark: decimalMark)
    return index == bytes.count ? value : nil
  }

  /// Semicolon before comma before tab before blanks.
  private static func separator(of line: Span<UInt8>) -> UInt8 {
    for candidate in [UInt8.semicolon, .comma, .tab] where line.firstIndex(of: candidate) != nil { return candidate }
    return .space
  }

  /// The fields of a line as text, without quotes and blanks around them.
  private static func split(_ line: Span<UInt8>, separator: UInt8) -> [String] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    for index in line.indices {
      let byte = line[index]
      if byte == .quote {
        isQuoted.toggle()
      } else if !isQuoted && (byte == separator || separator == .space && byte.isBlank) {
        fields.append([])
      } else {
        fields[fields.count - 1].append(byte)
      }
    }
    if separator == .space { fields.removeAll { $0.isEmpty } }
    return fields.map { String(decoding: $0, as: UTF8.self).trimmed }
  }
}

extension String {
  /// Without blanks at both ends.
  fileprivate var trimmed: String {
    let blanks: Set<Character> = [" ", "\t", "\u{FEFF}"]
    guard let first = firstIndex(where: { !blanks.contains($0) }), let last = lastIndex(where: { !blanks.contains($0) })
    else { return "" }
    return String(self[first...last])
  }
}

extension CSV {
  /// Writes a recording: the first message decides the columns of the header.
  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    let vectors = [message.microtesla, message.gravities, message.degreesPerSecond]
    if encoded.isEmpty {
      encoded = [message.time != nil] + vectors.map { $0 != nil } + [message.temperature != nil]
      let names: [StaticString] = [
        "time_s", "mx_uT,my_uT,mz_uT", "ax_g,ay_g,az_g", "gx_dps,gy_dps,gz_dps", "temperature_C",
      ]
      for (name, isThere) in zip(names, encoded) where isThere {
        if bytes.last.map({ $0 != .lineFeed }) ?? false { bytes.append(.comma) }
        bytes.append(text: name)
      }
      bytes.append(.lineFeed)
    }
    var isFirst = true
    for index in encoded.indices where encoded[index] {
      if !isFirst { bytes.append(.comma) }
      isFirst = false
      switch index {
      case 0: if let time = message.time { bytes.append(time, decimals: 6) }
      case 4: if let temperature = message.temperature { bytes.append(temperature, decimals: 3) }
      default:
        if let vector = vectors[index - 1] { bytes.append(vector, decimals: 6) } else { bytes.append(text: ",,") }
      }
    }
    bytes.append(.lineFeed)
  }
}
