import LodestoneCore

/// The columns of a table, and how its rows are read.
struct CSVTable: Sendable {
  var columns: CSVColumns
  var separator: UInt8
  /// The number of columns, with those after the last that matters.
  var count: Int
  /// Named by a header, not guessed from numbers.
  var isNamed: Bool
  /// The names of the columns; empty for bare numbers.
  var names: [[UInt8]] = []
  /// The way in which rows of bare numbers are written, where that is not the plain way: they are read as such then.
  var shape: TableShape?
  /// The word that rows of the table begin with, where its first name says so; empty for any other table.
  var tag: [UInt8] = []
  /// Whether its names stand behind blanks, as where the column before them has none.
  private(set) var isIndented = false
  /// The column that says which sensor a row of x, y, z is of.
  var sensor: Int?
  /// The column that may tell which of several sensors a row is of.
  private(set) var cell: Int?
  /// The column of words that may say that an axis is at the end of the sensor's range.
  private(set) var flags: Int?
  /// Another magnetometer among its columns, which is passed over; nil where there is none.
  private(set) var otherField: String?
  /// The frame of ROS along whose axes its vectors are; nil where none is named.
  var frame: ROSFrame?
  /// The name of that frame, where it does not tell its axes.
  var unknownFrame: [UInt8]?
  /// Commas separate its numbers and are their decimal marks as well: each number but a time in front is two fields.
  private(set) var hasDecimalCommas = false
  /// The time in front has no decimals then.
  private(set) var timeIsWhole = false
  /// Commas within quotes part thousands.
  var partsThousands = false
  /// The time is a SampleTimeFine, whose unit its steps tell.
  private(set) var timeIsFine = false
  /// Seconds in one unit of the time column; 0 until the first value has been seen.
  var timeScale = 0.0

  /// The separator that stands for whatever separates bare numbers.
  static let anySeparator: UInt8 = 0

  /// A column tells the time.
  var hasTime: Bool { columns.roles.contains(CSVColumns.Role.time) }

  /// Adds the columns of a clock before bare numbers.
  mutating func addClock(columnCount: Int) {
    columns.addUnnamedFirst(count: columnCount, isTime: true)
    count += columnCount
  }

  /// Whether its rows are bare numbers between whatever separates them.
  var isLoose: Bool { separator == Self.anySeparator }

  /// The other one finds the same in the same columns, and times are worth the same where both know.
  func agrees(with other: CSVTable) -> Bool {
    separator == other.separator && count == other.count && columns.roles == other.columns.roles
      && (other.columns.timeScale == nil || timeScale == 0 || timeScale == other.columns.timeScale)
  }

  /// Takes the columns of causes for these.
  mutating func seek(_ causes: CauseNames) { if !causes.isEmpty { columns.seek(causes, among: names) } }

  /// The names of columns without a meaning here.
  var columnsNotRead: [String] {
    names.indices.filter {
      !names[$0].isEmpty && $0 != sensor
        && ($0 >= columns.roles.count || columns.roles[$0] == CSVColumns.Role.ignored)
    }.map { String(decoding: names[$0], as: UTF8.self) }
  }

  // MARK: Rows

  /// The time of a row in seconds; nil where the row tells none.
  struct RowTime {
    var seconds: Double?
    /// A clock tells it, which may pass midnight, or only the time since the full hour.
    var isOfClock = false, isOfHour = false
  }

  /// Reads a row into a message, which is empty where it is none: nil then. What was open about its time may be known
  /// after.
  @inline(__always)
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> RowTime? {
    var values = RoleValues()
    var time = RowTime()
    guard isTagged(line) else { return nil }
    guard isLoose ? readLoose(line, into: &values) : readValues(line, into: &values, &time) else { return nil }
    // A quantity with an empty axis is absent.
    _ = values.fill(&message)
    if let sensor, !assign(&message, by: sensor, of: line) { return nil }
    message.fieldIsNormalized = columns.fieldIsNormalized && message.field != nil
    message.fieldIsCounts = columns.fieldIsCounts && message.field != nil
    if columns.isOfProbe { message.alongProbe = values[CSVColumns.Role.field] }
    guard
      message.field != nil || message.acceleration != nil || message.rotationRate != nil || message.alongProbe != nil
    else {
      message = WireMessage()
      return nil
    }
    message.fieldUnit = columns.fieldUnit
    message.accelerationUnit = columns.accelerationUnit
    message.rotationRateUnit = columns.rotationRateUnit
    if let value = values[CSVColumns.Role.time] {
      if timeScale == 0, let known = columns.timeScale { timeScale = known }
      time.seconds = value * (timeScale == 0 ? 1 : timeScale)
    } else if timeScale == 0 {
      timeScale = 1  // it tells none, or a moment
    }
    return time
  }

  /// Reads the numbers of a row by whatever separates them.
  @inline(never)
  private func readLoose(_ line: Span<UInt8>, into values: inout RoleValues) -> Bool {
    guard let row = BareRow(line), isWritten(like: row.shape) else { return false }
    for (column, role) in columns.roles.enumerated() where role != CSVColumns.Role.ignored {
      values.set(columns.factors.map { row[column] * $0[Int(role)] } ?? row[column], role)
    }
    return true
  }

  /// A row of this shape is one of the table's.
  private func isWritten(like shape: TableShape) -> Bool {
    self.shape.map { $0 == shape } ?? (shape.columnCount == count)
  }

  /// The text of a loose row around its numbers; nil where its numbers are not taken as they stand, or not all known.
  func form(of line: Span<UInt8>) -> LineForm? {
    guard isLoose, !columns.isOfProbe, cell == nil, timeScale != 0, columns.factors == nil, !columns.fieldIsNormalized,
      sensor == nil, let row = BareRow(line), !row.hasDecimalCommas, isWritten(like: row.shape)
    else { return nil }
    let roles = columns.roles
    let numbers = (0..<row.count).map {
      LineForm.Number(range: row.range(of: $0), role: $0 < roles.count ? roles[$0] : CSVColumns.Role.ignored)
    }
    return LineForm(line, numbers)
  }

  /// Puts the numbers of a row into an empty message, by their roles.
  @inline(__always)
  func fill(_ message: inout WireMessage, with values: inout RoleValues) {
    _ = values.fill(&message)
    message.fieldUnit = columns.fieldUnit
    message.accelerationUnit = columns.accelerationUnit
    message.rotationRateUnit = columns.rotationRateUnit
    message.time = values[CSVColumns.Role.time].map { $0 * timeScale }
  }

  /// Gives the x, y and z of a row to the sensor that its own column names; false for a sensor of no interest.
  private func assign(_ message: inout WireMessage, by column: Int, of line: Span<UInt8>) -> Bool {
    let field = place(of: column, in: line)
    guard let first = field.first, line[first].isLetter || line[first] == .quote else { return true }
    let vector = message.field
    switch ColumnName(line.extracting(Self.trimmed(line, field))).quantity {
    case .field: return true
    case .acceleration: (message.field, message.acceleration) = (nil, vector)
    case .rotationRate: (message.field, message.rotationRate) = (nil, vector)
    case .time, .temperature, nil: return false
    }
    return true
  }

  /// The place of a column's field in a row.
  func place(of column: Int, in line: Span<UInt8>) -> Range<Int> {
    var start = 0
    for _ in 0..<column {
      skipBlanks(line, &start)
      skipField(line, &start)
      start = min(start &+ 1, line.count)
    }
    skipBlanks(line, &start)
    var end = start
    skipField(line, &end)
    return start..<end
  }

  /// The cell of a row that may tell its sensor among several, as it is written; empty where no column does.
  func cellText(of line: Span<UInt8>) -> [UInt8] {
    guard let cell else { return [] }
    if isLoose { return BareRow(line).map { cell < $0.count ? line.bytes(in: $0.range(of: cell)) : [] } ?? [] }
    return line.bytes(in: Self.trimmed(line, place(of: cell, in: line)))
  }

  /// Reads a number for each role. False when a column holds something else, or is missing.
  @inline(__always)
  private func readValues(_ line: Span<UInt8>, into values: inout RoleValues, _ time: inout RowTime) -> Bool {
    let byBlanks = separator == .space
    let factors = columns.factors
    var index = 0
    guard !hasDecimalCommas || isPaired(line, timeIsWhole: timeIsWhole) else { return false }
    for column in columns.roles.indices {
      if column > 0, !byBlanks {
        guard index < line.count else { return false }
        index &+= 1
      }
      skipBlanks(line, &index)
      let role = columns.roles[column]
      if role == CSVColumns.Role.ignored {
        skipField(line, &index)
        if hasDecimalCommas {
          index = min(index &+ 1, line.count)
          skipField(line, &index)
        }
      } else if !isFieldEnd(line, index) {
        let start = index
        let value = timeIsWhole && column == 0 ? parseDecimal(line, from: &index) : number(line, &index)
        if let value, isFieldEnd(line, index) || (index < line.count && line[index].isBlank) {
          values.set(factors.map { value * $0[Int(role)] } ?? value, role)
        } else {
          index = start
          skipField(line, &index)
          let text = line.extracting(Self.trimmed(line, start..<index))
          if role < CSVColumns.Role.cause, role == CSVColumns.Role.time || !MissingNumber.isWord(text) {
            guard role == CSVColumns.Role.time, !byBlanks else { return false }
            let clock = ClockText(text)
            guard let told = clock ?? ClockText(sinceHour: text) else { return false }
            (time.seconds, time.isOfClock, time.isOfHour) = (told.seconds, true, clock == nil)
          }
        }
      }
      if !byBlanks { skipBlanks(line, &index) }
      guard isFieldEnd(line, index) else { return false }
    }
    return true
  }

  /// A field without the quotes and blanks around it.
  private static func trimmed(_ line: Span<UInt8>, _ field: Range<Int>) -> Range<Int> {
    var range = field
    while let first = range.first, line[first].isBlank || line[first] == .quote { range = range.dropFirst() }
    while let last = range.last, line[last].isBlank || line[last] == .quote { range = range.dropLast() }
    return range
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
    // Between semicolons, tabs and quotes the decimal mark is a comma; where it is not, the number has ended too early.
    let mayBeComma = isQuoted || separator == .semicolon || separator == .tab || hasDecimalCommas
    var value = parseDecimal(line, from: &index, decimalMark: mayBeComma ? .comma : UInt8(ascii: "."))
    if mayBeComma, value == nil || (index < line.count && line[index] == UInt8(ascii: ".")) {
      index = start
      value = parseDecimal(line, from: &index)
    }
    if mayBeComma, index < line.count, line[index] != separator, line[index] != .quote {
      var end = start
      if let whole = GroupedNumber.parse(line, from: &end), end > index { (value, index) = (whole, end) }
    }
    if isQuoted, partsThousands { value = CommaWatch.whole(line.extracting(start..<index)) ?? value }
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
}

// MARK: Headers

extension CSVTable {
  /// The table under a line of names; nil where that names no quantity.
  /// - Parameters:
  ///   - causes: their columns are taken for these.
  ///   - hasXsensUnits: it is in what Xsens' programs export, whose headers name no units.
  init?(header line: Span<UInt8>, _ causes: CauseNames, hasXsensUnits: Bool) {
    for separator in TableLine.headerSeparators(of: line) {
      let names = Self.withTime(TableLine.names(of: line, separator: separator))
      let sensors = TableSensors(names)
      let found = CSVColumns(sensors.columns)
      guard found.isHeader || (found.isExact && !found.missingFieldAxes.isEmpty) else { continue }
      self.init(columns: found, separator: separator, count: names.count, isNamed: true, names: names)
      otherField = sensors.otherField
      tag = Self.tag(of: names)
      isIndented = separator == .space && line[0].isBlank
      timeIsFine = columns.leaveFineTimeOpen()
      if hasXsensUnits { columns.takeXsensUnits() }
      // Beside a w, x, y and z are a quaternion's.
      if columns.fieldIsNameless, names.contains(where: { $0 == [UInt8(ascii: "w")] }) {
        columns.drop(CSVColumns.Role.field)
      }
      if let (message, tellsUnits) = AutopilotMessage.ofTable(names) {
        columns.turn(from: AutopilotMessage.axes)
        if tellsUnits { columns.takeUnits(of: message) }
      }
      seek(causes)
      sensor = names.firstIndex { Self.sensorNames.contains(String(decoding: $0, as: UTF8.self).lowercased()) }
      findCell()
      return
    }
    return nil
  }

  /// Finds the column that may tell which of several sensors a row is of, and that of flags, by their names.
  mutating func findCell() {
    flags = names.firstIndex { $0 == Array("flags".utf8) }
    cell = names.indices.first { place in
      guard place >= columns.roles.count || columns.roles[place] == CSVColumns.Role.ignored else { return false }
      let name = names[place]
      return MessageOrigins.areNamed(by: ColumnWord.words(of: name.span))
    }
  }

  /// The table of names in a comment (`# t mx my mz`, as NumPy writes them); nil for any other words.
  init?(remark: Span<UInt8>, _ causes: CauseNames) {
    guard TableLine.mayBeHeader(remark) else { return nil }
    self.init(header: remark, causes, hasXsensUnits: false)
  }

  /// The table as a first row is written that stands between other marks than the names, has units behind its numbers,
  /// or decimal commas where commas separate the names; nil for any other row.
  func loosened(by line: Span<UInt8>) -> CSVTable? {
    var (table, message) = (self, WireMessage())
    if separator == .comma, sensor == nil, cell == nil, !hasDecimalCommas {
      table.timeIsWhole = columns.roles.first == CSVColumns.Role.time && isPaired(line, timeIsWhole: true)
      if table.timeIsWhole || isPaired(line, timeIsWhole: false) {
        table.hasDecimalCommas = true
        return table
      }
    }
    guard isNamed, !isLoose, sensor == nil, let row = BareRow(line), row.count == count,
      separator == .comma && row.hasDecimalCommas || table.read(line, into: &message) == nil
    else { return nil }
    (table.separator, table.shape) = (Self.anySeparator, row.shape)
    table.columns.takeUnits(of: row.shape)
    return table
  }

  /// Adds a column without a name before all others: a time, where seconds in one unit of it are given.
  mutating func addUnnamedFirst(timeScale: Double?) {
    columns.addUnnamedFirst(isTime: timeScale != nil)
    (count, names) = (count + 1, [[]] + names)
    if let timeScale { self.timeScale = timeScale }
  }

  /// The row has two whole numbers for each column (`-9,83,13,50,-40,11` under three names), the second of them without
  /// a sign and always as long: commas are decimal marks as well.
  /// - Parameter timeIsWhole: the first column has one.
  private func isPaired(_ line: Span<UInt8>, timeIsWhole: Bool) -> Bool {
    let first = timeIsWhole ? 1 : 0
    let fields = line.bytes(in: 0..<line.count).split(separator: .comma, omittingEmptySubsequences: false)
    guard count > 2, fields.count == 2 * count - first else { return false }
    let decimals = fields.indices.filter { $0 >= first && ($0 - first) % 2 == 1 }
    let hasOwnLength = !timeIsWhole && columns.roles.first == CSVColumns.Role.time
    guard Set(decimals.dropFirst(hasOwnLength ? 1 : 0).map { fields[$0].count }).count == 1 else { return false }
    return fields.indices.allSatisfy { place in
      let isSigned = !decimals.contains(place) && fields[place].first.map { $0 == UInt8(ascii: "-") } ?? false
      let digits = fields[place].dropFirst(isSigned ? 1 : 0)
      return !digits.isEmpty && digits.allSatisfy { $0.isDigit }
    }
  }

  /// The table as a first row separates its columns; nil where that has another count of numbers.
  func borneOut(by line: Span<UInt8>) -> CSVTable? {
    guard sensor == nil, let row = BareNumbers(line), row.values.count == count else { return nil }
    var table = self
    table.separator = row.separator
    if table.isLoose { table.shape = row.shape }
    return table
  }

  /// The names of the column that says which sensor a row is of.
  private static let sensorNames: Set<String> = ["attribute", "sensor", "sensor type", "sensor_type"]
}
