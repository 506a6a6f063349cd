import LodestoneCore

/// Tables of numbers: rows of values between commas, semicolons, tabs or blanks, under a header that names the columns;
/// without one, 3 to 12 bare numbers a line, whose columns are found by what they do (see `TableSearch`) and found
/// again where later rows contradict. A time whose unit is not said is told by its steps. Bare numbers may stand
/// between bars, in brackets and before units (`BareRow`), under a header too.
///
/// Lines that begin with `#` are comments; names in one are the header of a row with as many values. `# saturated` says
/// that in the next row an axis is at the end of the sensor's range. Between semicolons or tabs the decimal mark may be
/// a comma. A quantity with an empty axis is absent from its row; any other hole rejects the row, as does an empty time
/// where each row tells one. A time may be ISO 8601.
///
/// A table that names one column of the field and its unit is that of a probe of one axis (`CSVTable.init(ofProbe:)`).
///
/// A table that names a heading and no field is the device's own headings (`HeadingTable`), and messages that ROS
/// prints as CSV are known by the count of their values (`ROSRows`).
///
/// A line of names is the header where rows have not begun. Later it is one only if the next row bears it out: with as
/// many values as there are names, and another count than before, or names that are nothing but columns. Two rows that
/// make sense under the former header alone bring that back.
struct CSV: LineReading {
  static let name = "csv"
  static let proof = WireProof.numbers

  var framer = LineFramer()
  /// The table of the stream; nil until a header or a row has told.
  var table: CSVTable? { didSet { notePlainRow() } }
  private var plainRow: PlainRow?
  /// The forms that rows between bars, in brackets or with units have had, to read such rows in one pass.
  private var forms = LineForms<Known>()
  private var habits = RowHabits()

  /// A row's form, of which is known only that its numbers are taken as they stand.
  private struct Known: LineMeaning {
    func holds(in context: Void) -> Bool { true }
  }

  /// A header in the middle of rows that the next row must bear out.
  var pending: CSVTable? { didSet { notePlainRow() } }
  /// A header that stands in a comment, which the first row must bear out.
  private var remark: CSVTable?
  /// The table before the last change of columns.
  private var former: CSVTable?
  /// Tables of other sensors in the same file, whose rows begin with other words.
  var siblings: [CSVTable] = []
  /// Tables whose rows begin with a word, where such have come (`TaggedRows`).
  var tagged: [CSVTable] = []
  /// The values of their rows since the last of the table's.
  var beside = WireMessage()
  /// The meaning of commas within quotes, and the number of first rows without any.
  var commas = CommaWatch(), unquotedCount = 0
  /// Rows in a row that only the former table understands.
  private var misfits = 0
  var hasRows = false
  /// The times of day of a table without dates, past midnight.
  var clock = PeriodicClock()
  /// Columns of a clock before bare numbers.
  var clockColumnCount = 0
  /// Whether a comment says of the next row that the sensor is at its end.
  private var isSaturated = false
  var bare = BareColumns()
  /// Messages that wait for the unit of their time, or to be taken.
  var waiting = WaitingMessages()
  /// First rows that have a number more than there are names, and those of a table with two clocks.
  var (surplus, clocks) = (SurplusRows(), ClockChoice())
  /// Rows in a row that are none of a table without names, its rows before them, and the numbers of a row that has too
  /// many.
  var (strayCount, strayPlace, wideCount) = (0, 0, Int?.none)
  var hasEnded = false
  var xsens = XsensHead()
  /// The columns were given by the user: a header is passed over.
  let isPinned: Bool
  private var separation = SeparatorSearch()
  /// The columns that `encode` has announced (time, field, acceleration, rotation rate, temperature); empty before.
  var encoded: [Bool] = []
  /// The number of times that the columns have changed in mid-stream.
  var changeCount = 0

  private var cells = MessageOrigins()
  var origins: MessageOrigins? { cells }
  var otherCompass: String? { table?.otherField }
  var unknownFrame: String? { (table?.unknownFrame ?? rows.unknownFrame).map { $0.harmlessText } }

  private var causes = CauseNames()
  /// A table without a field, whose device tells headings; nil for any other.
  var headings: HeadingTable?
  /// Names of columns none of which is a field's, and whether rows under them have come.
  private(set) var others: OtherHeader?
  var othersHaveCome = false
  var rows = ROSRows()

  init() { isPinned = false }

  mutating func seek(_ causes: CauseNames) {
    self.causes = causes
    table?.seek(causes)
    pending?.seek(causes)
    former?.seek(causes)
  }

  /// A table whose columns the user names (`mx,my,mz,ax,ay,az`; any other word for a column to ignore), with the unit
  /// of the field where it is known. Nil without three axes of one quantity or a probe with its unit.
  init?(columns names: String, fieldUnit: FieldUnit? = nil) {
    let split = names.split(separator: ",", omittingEmptySubsequences: false).map { Array($0.utf8) }
    var columns = CSVColumns(split.map { ColumnName($0.span) })
    if !columns.isUsable {
      guard let probe = CSVColumns(ofProbe: split, byUser: true) else { return nil }
      columns = probe
    }
    if let fieldUnit { columns.fieldUnit = fieldUnit }
    if columns.isOfProbe, columns.fieldUnit == nil { return nil }
    isPinned = true
    table = CSVTable(columns: columns, separator: .comma, count: split.count, isNamed: true)
    table?.names = split
    table?.findCell()
    notePlainRow()
  }

  var doubt: WireFault? {
    guard table == nil else { return nil }
    if othersHaveCome { return .noField }
    return headings?.doubt ?? bare.doubt ?? wideCount.map { .manyColumns($0) }
  }

  var fault: WireFault? {
    if hasEnded, let doubt { return doubt }
    if let misnamed = separation.misnamed, misnamed.rows > 1 || hasEnded, !hasRows, let named = table?.count {
      return .otherColumnCount(named: named, found: misnamed.count)
    }
    guard let missing = table?.columns.missingFieldAxes, !missing.isEmpty else { return nil }
    return .missingFieldAxes(missing)
  }

  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> WireMeaning {
    var start = 0
    while start < line.count, line[start].isBlank { start &+= 1 }
    guard start < line.count else { return .other }
    let first = line[start]
    if first == UInt8(ascii: "/"), line.holds("//", at: start) {
      xsens.read(line)
      return .other
    }
    if first == UInt8(ascii: "#"), !BareRow.isFramed(line) {
      isSaturated = line.holds(Sample.saturatedComment, in: start..<line.count)
      if table == nil, bare.isEmpty {
        remark = CSVTable(remark: line.extracting(start + 1..<line.count), causes) ?? remark
        if tagged.isEmpty { tagged = TaggedRows.tables(by: line) }
      }
      return .other
    }
    let isMarked = isSaturated
    isSaturated = false
    if first.isLetter || first == UInt8(ascii: "*"), MeasurementFile.isOfHeader(line) { return .other }
    if table == nil, tagged.isEmpty, bare.isEmpty { tagged = TaggedRows.tables(by: line) }
    if !tagged.isEmpty, first.isLetter, isOfOther(line) { return .other }
    let isName = first.isLetter || first > 127 || "%\"|,;".utf8.contains(first)
    if isName, let header = readHeader(line) { return header }
    if table == nil, let meaning = readOther(line, isName: isName, into: &message) { return meaning }
    if !siblings.isEmpty, readSibling(line) { return .part }
    if let pending { settle(pending, by: line) }
    if isPinned, !hasRows, !separate(by: line) { return .rejected(.malformed) }
    if table == nil, let remark {
      (table, self.remark) = (remark.borneOut(by: line), nil)
    }
    guard table != nil else { return headings?.hasRows == true ? .rejected(.malformed) : take(bare: line, isMarked) }
    if !hasRows {
      if table?.isDisplaced(by: line) == true { return .rejected(.malformed) }
      if hold(line, isMarked) { return .part }
    }
    return readRow(line, isMarked, into: &message)
  }

  /// Reads a row of a table that is known.
  mutating func readRow(_ line: Span<UInt8>, _ isMarked: Bool, into message: inout WireMessage) -> WireMeaning {
    if isStray(line) { return table == nil ? take(bare: line, isMarked) : .rejected(.malformed) }
    if !hasRows { table = table?.written(as: line) }
    if unquotedCount < Self.mostUnquoted { watchCommas(line) }
    if readRow(line, into: &message) {
      if !siblings.isEmpty { addSiblings(to: &message) }
      hasRows = true
      misfits = 0
      message.saturated = isMarked || table?.isSaturated(line) == true
      if table?.isLoose == true { learnForm(of: line) }
      if let time = xsens.nextTime(), message.time == nil { message.time = time }
      if isWatched() { watch(line) }
      bare.rowNumber &+= 1
      return waiting.hold(message, times: table?.timeScale == 0) ? settleTime() : .message
    }
    return goBack(by: line, into: &message) ? .message : .rejected(.malformed)
  }

  /// Reads the names of a table of headings alone or of a probe, or a row of headings or of ROS; nil for other lines.
  private mutating func readOther(
    _ line: Span<UInt8>, isName: Bool, into message: inout WireMessage
  ) -> WireMeaning? {
    if isName, let header = HeadingTable(header: line) {
      headings = header
      return .other
    }
    if isName, headings == nil, let probe = CSVTable(ofProbe: line, causes) {
      (table, bare, waiting) = (probe, BareColumns(), WaitingMessages(arrival: waiting.arrival))
      return .other
    }
    if isName, bare.isEmpty, let other = OtherHeader(line) {
      others = other
      return .other
    }
    if rows.read(line, into: &message) { return .message }
    return headings?.read(line, into: &message).map { $0 ? .message : .other }
  }

  mutating func notePlainRow() {
    plainRow = pending == nil && xsens.rate == nil && !habits.haveClock ? table.flatMap { PlainRow($0) } : nil
    forms = LineForms()
    timedRun = 0
  }

  mutating func takeJoined(atEnd: Bool, into message: inout WireMessage) -> Bool {
    if waiting.isEmpty, bare.isEmpty, surplus.isEmpty, clocks.isEmpty { return false }
    if atEnd { conclude() }
    return waiting.take(into: &message)
  }

  // MARK: Rows

  /// Rows of plain numbers, which is nearly all there are.
  mutating func next(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> WireStep? {
    let isPlain = waiting.isEmpty && surplus.isEmpty && !isSaturated && !framer.isDropping && !isWatched()
    let isRead = isPlain && plainRow?.read(bytes, from: &position, into: &message) == true
    guard isRead || isPlain && !forms.isEmpty && readForm(in: bytes, from: &position, into: &message) else {
      return nextLine(in: bytes, from: &position, into: &message)
    }
    noteRow()
    return .message
  }

  /// Keeps the form of a row whose numbers are taken as they stand.
  private mutating func learnForm(of line: Span<UInt8>) {
    guard xsens.rate == nil, forms.isTried(), let form = table?.form(of: line) else { return }
    forms.learn(form, Known(), in: ())
  }

  @inline(__always)
  private mutating func noteRow() {
    bare.rowNumber &+= 1
    timedRun &+= 1
    if !hasRows || misfits > 0 { (hasRows, misfits) = (true, 0) }
  }

  /// Reads a row of a form that is known; false for any other.
  @inline(never)
  private mutating func readForm(
    in bytes: Span<UInt8>, from position: inout Int, into message: inout WireMessage
  ) -> Bool {
    var values = RoleValues()
    guard pending == nil, forms.read(bytes, from: &position, into: &values, in: ()) != nil else {
      return false
    }
    message.clear()
    table?.fill(&message, with: &values)
    return true
  }

  /// Reads a row of the table in force. False, and the message is empty, when it is none.
  @inline(__always)
  private mutating func readRow(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool {
    guard var table = self.table, let time = table.read(line, into: &message) else { return false }
    let isTimeless =
      time.seconds == nil && (timedRun > 1 || self.table?.timeScale == 0 && isMissingTime(of: table)) && table.hasTime
    if isTimeless || !habits.fit(line, time, of: table) {
      message = WireMessage()
      return false
    }
    if table.timeScale != self.table?.timeScale { self.table = table }
    if table.cell != nil, message.field != nil {
      message.origin = cells.number(of: table.cellText(of: line), isNamed: true)
    }
    timedRun = time.seconds == nil ? 0 : timedRun &+ 1
    message.time = clock.unwrapped(time)
    return true
  }

  /// A first row without a time would make all that follow be counted instead. A column that stays empty tells none.
  private mutating func isMissingTime(of table: CSVTable) -> Bool {
    guard timelessCount < 10, table.hasTime else { return false }
    timelessCount += 1
    return true
  }

  /// Rows in a row without a hole, and with a time where there is a column of it: after two the time is told with each,
  /// and a hole in it is damage. A time that is told now and then holds for the rows behind it.
  private var timedRun = 0

  /// Rows at the top that were left out because their time is empty.
  private var timelessCount = 0

  /// Takes what separates the columns that the user has named from a first row; false for another count of them.
  private mutating func separate(by line: Span<UInt8>) -> Bool {
    guard let table else { return true }
    guard let separator = separation.separator(of: line, in: table) else { return false }
    if separator != table.separator { self.table?.separator = separator }
    return true
  }

  // MARK: What the columns are

  /// Takes a line of names. Nil when it is none, and not to be passed over either.
  private mutating func readHeader(_ line: Span<UInt8>) -> WireMeaning? {
    let mayBeHeader = TableLine.mayBeHeader(line) && !HeadingTable.isWritten(line)
    if mayBeHeader, !isPinned, let header = CSVTable(header: line, causes, hasXsensUnits: xsens.rate != nil) {
      take(header)
      return .other
    }
    let isOfProbe = table?.columns.isOfProbe == true
    guard isOfProbe || isPinned && mayBeHeader, let separator = TableLine.separator(ofNames: line),
      !isOfProbe || table?.isNamed(by: line, separator) == true
    else { return nil }
    if isPinned { table?.separator = separator }
    return .other
  }

  /// Takes a header; where rows have begun, it waits for the next of them. One that says what the columns are known to
  /// be, or were found to be, changes nothing but the units it names.
  private mutating func take(_ header: CSVTable) {
    settleSurplus(atEnd: true)
    (surplus, clocks) = (SurplusRows(), ClockChoice())
    if hasRows, let table {
      if !table.isNamed, table.agrees(with: header) {
        self.table = header
        (bare, pending) = (BareColumns(), nil)
        return
      }
      pending = table.isNamed(as: header) ? nil : header
    } else {
      table = follow(header)
      readWaiting(by: header)
    }
  }

  /// The first header tells what the rows before it are, too, where they have as many columns.
  private mutating func readWaiting(by header: CSVTable) {
    let rows = bare.release(as: header)
    (bare, waiting) = (BareColumns(), WaitingMessages(arrival: waiting.arrival))
    guard !rows.isEmpty, header.sensor == nil, xsens.rate == nil, header.columns.factors == nil else { return }
    let hasCauses = header.columns.present >> UInt16(CSVColumns.Role.cause) != 0
    guard !header.columns.fieldIsNormalized, !hasCauses else { return }
    if let place = header.columns.roles.firstIndex(of: CSVColumns.Role.time), header.columns.timeScale == nil {
      guard case .seconds(let scale) = TimeSteps.meaning(of: rows.map { $0.values[place] }) else { return }
      table?.timeScale = scale
    } else {
      table?.timeScale = header.columns.timeScale ?? 1
    }
    guard let table else { return }
    for row in rows { waiting.ready(row.message(table)) }
    hasRows = true
  }

  /// Takes the pending header where a row bears it out, and forgets it where a row does not.
  private mutating func settle(_ header: CSVTable, by line: Span<UInt8>) {
    guard let table else { return }
    var message = WireMessage()
    var (new, old) = (header, table)
    let isOld = old.read(line, into: &message) != nil
    let count = TableLine.fields(of: line, separator: header.separator).count
    let isNew = count == header.count && new.read(line, into: &message) != nil
    if isNew, !isOld || count != table.count || header.columns.isExact {
      (former, self.table) = (table, header)
      changeCount += 1
      pending = nil
    } else if isOld {
      pending = nil
    }
  }

  /// Reads a row that makes no sense under the last header as one of the table before it, and goes back to that with
  /// the second of them. The first is left out: a damaged row can look like anything.
  private mutating func goBack(by line: Span<UInt8>, into message: inout WireMessage) -> Bool {
    guard var old = former, let time = old.read(line, into: &message) else { return false }
    misfits += 1
    guard misfits > 1 else {
      message = WireMessage()
      return false
    }
    (former, table) = (table, old)
    misfits = 0
    changeCount += 1
    message.time = clock.unwrapped(time)
    return true
  }
}
