import LodestoneCore

/// Lines of a device that tells values beside a field and no field itself: a current sensor, a throttle, a rudder. They
/// are rows under a header (`time_s,current_A`), JSON objects, `Current: 1.23 A` or `current=1.23`, and where one value
/// alone is sought, bare numbers with or without a unit. Of all of them only the values that are sought are taken.
struct ValueLines: LineReading {
  static let name = "values"
  /// Anybody prints lines like these: it is chosen, never found.
  static let proof = WireProof.request

  var framer = LineFramer()
  private var causes = CauseNames()
  private var table: Table?
  /// The columns were given by the user.
  private var isPinned = false
  private(set) var fault: WireFault?
  private var clock = PeriodicClock()

  /// The places of the values in a row.
  private struct Table: Sendable {
    let names: [[UInt8]]
    /// The column of each cause.
    var places: [Int?]
    let time: Int?
    let timeScale: Double?

    init(_ names: [[UInt8]], _ causes: CauseNames) {
      self.names = names
      places = causes.places(in: names)
      let columns = names.map { ColumnName($0.span) }
      time = columns.firstIndex { $0.role == CSVColumns.Role.time }
      timeScale = time.flatMap { columns[$0].timeScale }
    }
  }

  init() {}

  /// Rows whose columns the user names.
  init(columns names: String) {
    let split = names.split(separator: ",", omittingEmptySubsequences: false).map { Array($0.utf8) }
    table = Table(split, causes)
    isPinned = true
  }

  mutating func seek(_ causes: CauseNames) {
    self.causes = causes
    if let names = table?.names { table?.places = causes.places(in: names) }
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    var start = 0
    while start < line.count, line[start].isBlank { start &+= 1 }
    guard start < line.count, line[start] != UInt8(ascii: "#") else { return .other }
    if line[start] == UInt8(ascii: "{") { return readObject(line.extracting(start..<line.count), &message) }
    for separator in TableLine.separators(of: line) {
      let fields = TableLine.fields(of: line, separator: separator)
      if let meaning = readRow(fields, separator, &message) { return meaning }
    }
    return readLabels(line, &message) ? meaning(of: message) : .rejected(.unrecognized)
  }

  private func meaning(of message: WireMessage) -> WireMeaning { message.causes.isEmpty ? .other : .message }

  // MARK: Rows

  /// Reads a row; nil for what is neither a row nor a header.
  private mutating func readRow(
    _ fields: [[UInt8]], _ separator: UInt8, _ message: inout WireMessage
  ) -> WireMeaning? {
    let mark: UInt8 = separator == .comma ? UInt8(ascii: ".") : .comma
    let values = fields.map { $0.isEmpty ? nil : TableLine.number($0.span, decimalMark: mark) }
    if let table, fields.count >= table.names.count - 1, values.contains(where: { $0 != nil }) {
      take(fields, values, by: table, &message)
      return meaning(of: message)
    }
    if values.allSatisfy({ $0 == nil }) {
      guard !isPinned, fields.allSatisfy({ Self.isName($0) }) else { return nil }
      let found = Table(fields, causes)
      guard found.places.contains(where: { $0 != nil }) || found.time != nil && fields.count > 1 else { return nil }
      table = found
      return .other
    }
    guard table == nil, values.allSatisfy({ $0 != nil }) else { return nil }
    guard fields.count == 1, causes.names.count == 1 else {
      let remedy = "name the columns at the end of the address: ?columns=time_s,current_A"
      fault = .unreadable("rows of numbers without names", remedy: remedy)
      return .rejected(.malformed)
    }
    message.causes[0] = values[0]
    return .message
  }

  /// Whether it may be the name of a column: it begins with a letter, and no value follows.
  private static func isName(_ field: [UInt8]) -> Bool {
    guard let first = field.first, first.isLetter || first > 127 else { return false }
    return !field.contains(UInt8(ascii: ":")) && !field.contains(UInt8(ascii: "="))
  }

  private mutating func take(
    _ fields: [[UInt8]], _ values: [Double?], by table: Table, _ message: inout WireMessage
  ) {
    for (place, column) in table.places.enumerated() {
      if let column, column < values.count { message.causes[place] = values[column] }
    }
    guard let column = table.time, column < fields.count else { return }
    if let value = values[column] {
      message.time = value * (table.timeScale ?? CSVColumns.likelyTimeScale(of: value))
    } else {
      let text = fields[column]
      message.time = ClockText(text.span).map { clock.unwrapped(clock: $0.seconds) }
    }
  }

  // MARK: Names beside values

  private mutating func readObject(_ line: Span<UInt8>, _ message: inout WireMessage) -> WireMeaning {
    var scanner = JSONScanner()
    while let item = scanner.next(in: line) {
      guard item.index < 0 else { continue }
      var name = line.bytes(in: item.key)
      guard let number = item.value(in: line) else {
        if let text = item.string, ColumnName(name.span).role == CSVColumns.Role.time {
          message.time = ClockText(line.extracting(text)).map { clock.unwrapped(clock: $0.seconds) }
        }
        continue
      }
      take(number, of: name, &message)
      guard !item.parent.isEmpty else { continue }
      name = line.bytes(in: item.parent) + [UInt8(ascii: "_")] + name
      take(number, of: name, &message)
    }
    return scanner.isComplete ? meaning(of: message) : .rejected(.malformed)
  }

  private func take(_ number: Double, of name: [UInt8], _ message: inout WireMessage) {
    if let place = causes.place(of: name) {
      message.causes[place] = number
      return
    }
    let column = ColumnName(name.span)
    guard column.role == CSVColumns.Role.time else { return }
    message.time = number * (column.timeScale ?? CSVColumns.likelyTimeScale(of: number))
  }

  /// `Current: 1.23 A, Voltage: 5.0 V`; a number alone with its unit is the only value that is sought. False where
  /// there is neither.
  private func readLabels(_ line: Span<UInt8>, _ message: inout WireMessage) -> Bool {
    var (index, found) = (0, false)
    while index < line.count {
      while index < line.count, !line[index].isLetter, !line[index].isDigit, !Self.isSign(line[index]) { index &+= 1 }
      let start = index
      while index < line.count, line[index] != UInt8(ascii: ":"), line[index] != UInt8(ascii: "=") { index &+= 1 }
      guard index < line.count else {
        return found || readAlone(line.extracting(start..<line.count), &message)
      }
      let name = line.bytes(in: start..<index)
      index &+= 1
      while index < line.count, line[index].isBlank { index &+= 1 }
      guard index < line.count, let number = parseDecimal(line, from: &index) else { continue }
      found = true
      take(number, of: name, &message)
      passUnit(line, &index)
    }
    return found
  }

  private static func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }

  /// Passes over the word behind a number, unless it is the next name.
  private func passUnit(_ line: Span<UInt8>, _ index: inout Int) {
    var end = index
    while end < line.count, line[end].isBlank { end &+= 1 }
    while end < line.count, !line[end].isBlank, line[end] != .comma, line[end] != .semicolon {
      if line[end] == UInt8(ascii: ":") || line[end] == UInt8(ascii: "=") { return }
      end &+= 1
    }
    index = end
  }

  private func readAlone(_ line: Span<UInt8>, _ message: inout WireMessage) -> Bool {
    var index = 0
    guard causes.names.count == 1, index < line.count, let number = parseDecimal(line, from: &index) else {
      return false
    }
    while index < line.count, line[index].isBlank { index &+= 1 }
    guard index < line.count, !line[index].isDigit, line.count - index <= 4 else { return false }
    message.causes[0] = number
    return true
  }

  // MARK: Writing

  mutating func encode(_ message: WireMessage, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    func put(_ name: [UInt8], _ value: Double) {
      if !isFirst { bytes.append(.comma) }
      isFirst = false
      bytes.append(.quote)
      bytes += name.filter { $0 >= 0x20 && $0 != .quote && $0 != UInt8(ascii: "\\") }
      bytes.append(.quote)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(value, decimals: 6)
    }
    if let time = message.time { put(Array("time_s".utf8), time) }
    for (place, name) in causes.names.enumerated() {
      if let value = message.causes[place] { put(Array(name.utf8), value) }
    }
    bytes.append(UInt8(ascii: "}"))
    bytes.append(.lineFeed)
  }
}
