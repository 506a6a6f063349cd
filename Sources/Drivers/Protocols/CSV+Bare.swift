/// Bare numbers, rows that have more numbers than names, and messages that wait for the unit of their time.
extension CSV {
  static var endsAlike: Bool { true }

  mutating func hear(at arrival: Double) { waiting.arrival = arrival }

  /// A header is more than numbers, and so are brackets, bars and units that come again.
  var evidence: WireProof {
    guard !isPinned, let table else { return headings == nil && !rows.haveCome ? Self.proof : .signature }
    return table.isNamed || table.shape?.isMarked == true ? .signature : Self.proof
  }

  var forgottenCount: Int { table == nil ? 0 : bare.forgottenCount }

  /// Takes in a row of numbers without names; its columns may be told by this one.
  mutating func take(bare line: Span<UInt8>, _ isMarked: Bool) -> WireMeaning {
    if others?.holds(line) == true {
      othersHaveCome = true
      return .rejected(.unrecognized)
    }
    let before = ClockBefore(line)
    let numbers = line.extracting((before?.end ?? 0)..<line.count)
    let count = before?.columnCount ?? 0
    if count != clockColumnCount {
      guard BareNumbers(numbers) != nil else { return reject(bare: line) }
      (bare, clockColumnCount) = (BareColumns(), count)
    }
    let time = before.map { clock.unwrapped(clock: $0.seconds) }
    guard bare.take(numbers, isMarked, arrival: waiting.arrival, time: time) else { return reject(bare: line) }
    if bare.isDue { begin(atEnd: false) }
    return .part
  }

  /// Takes note of a row that has too many numbers for their order to be found.
  private mutating func reject(bare line: Span<UInt8>) -> WireMeaning {
    if wideCount == nil, TableLine.mayBeNumbers(line) {
      let counts = TableLine.separators(of: line).compactMap { TableLine.plainNumbers(of: line, separator: $0)?.count }
      wideCount = counts.first { $0 > TableShape.limit }
    }
    return .rejected(.unrecognized)
  }

  /// Reads the rows that waited, where they tell their columns.
  private mutating func begin(atEnd: Bool) {
    guard var found = bare.table(atEnd: atEnd), clockColumnCount == 0 || !found.isLoose else { return }
    for row in bare.release() { waiting.ready(row.message(found)) }
    hasRows = true
    if clockColumnCount > 0 { found.addClock(columnCount: clockColumnCount) }
    table = found
  }

  /// Rows of another count of numbers in a row after which a board is believed to have changed what it prints.
  private static let mostStrays = 8

  /// A row with another count of numbers than a table without names has is none of it, unless it only goes on behind
  /// what the table's columns have held so far. After several in a row the columns are sought anew, in rows like the
  /// last.
  @inline(never)
  mutating func isStray(_ line: Span<UInt8>) -> Bool {
    guard let table, !table.isNamed, !isPinned, clockColumnCount == 0 else { return false }
    // Nearly all rows have as many separators as the table.
    guard table.separator == .space || line.indices.count(where: { line[$0] == table.separator }) + 1 != table.count,
      let row = BareNumbers(line), row.shape.columnCount != table.count, !bare.mayBegin(row.values)
    else { return false }
    strayCount = strayPlace == bare.rowNumber ? strayCount + 1 : 1
    strayPlace = bare.rowNumber
    guard strayCount == Self.mostStrays else { return true }
    if waiting.holdsTimes { settle(timeScale: waiting.foundTimeScale(isFine: false, atEnd: true) ?? 1) }
    (self.table, bare, strayCount) = (nil, BareColumns(), 0)
    changeCount += 1
    return true
  }

  /// Keeps a first row that has a number more than there are names, until rows tell which of them has none; false for
  /// any other row.
  mutating func hold(_ line: Span<UInt8>, _ isMarked: Bool) -> Bool {
    guard var table, !isPinned else { return false }
    let isHeld = surplus.take(line, under: table, isMarked, arrival: waiting.arrival)
    var message = WireMessage()
    if isHeld || !surplus.isEmpty && table.read(line, into: &message) != nil { settleSurplus(atEnd: !isHeld) }
    if isHeld { return true }
    let tellsClock = clocks.take(line, under: table, isMarked, arrival: waiting.arrival)
    if !tellsClock || clocks.isClear { settleClocks() }
    return tellsClock
  }

  /// Reads the rows that were kept to tell which of two clocks is the finer one.
  mutating func settleClocks() {
    guard !clocks.isEmpty, let table else { return }
    let lines = clocks.lines
    self.table = clocks.settled(table)
    readAgain(lines)
  }

  /// Reads the rows that have more numbers than names, where they tell which number has none.
  mutating func settleSurplus(atEnd: Bool) {
    guard let table, let place = surplus.place(under: table.columns, atEnd: atEnd) else { return }
    if place == .first { self.table = surplus.completed(table) }
    let lines = surplus.lines
    surplus = SurplusRows()
    surplus.areSettled = true
    readAgain(lines)
  }

  private mutating func readAgain(_ lines: [SurplusRows.Line]) {
    let arrival = waiting.arrival
    for line in lines {
      var message = WireMessage()
      waiting.arrival = line.arrival
      if case .message = readRow(line.text.span, line.isSaturated, into: &message) { waiting.ready(message) }
    }
    waiting.arrival = arrival
  }

  /// The next row is one of those that are looked at.
  @inline(__always)
  mutating func isWatched() -> Bool { bare.isWatching && isUnnamedTable() }

  /// Whether the table has no names. Apart, because a look at it copies it, and one that changes nothing is given a
  /// copy.
  @inline(never)
  private mutating func isUnnamedTable() -> Bool { table?.isNamed == false }

  /// Looks whether a later row bears the columns out.
  mutating func watch(_ line: Span<UInt8>) {
    guard let table, let other = bare.watch(line, under: table) else { return }
    self.table = other
    changeCount += 1
  }

  /// The columns as they were found, where no header named them: their names, empty for those left out, and the seconds
  /// in one unit of the time.
  var assumedColumns: AssumedColumns? { table.flatMap { $0.isNamed ? nil : bare.assumedColumns(of: $0) } }

  /// The orders of the columns that were weighed, the best first.
  var weighedOrders: [WeighedColumns] { table?.isNamed == true ? [] : bare.ranking }

  /// The unit of the time, where the rows that wait for it tell it.
  mutating func settleTime() -> WireMeaning {
    guard let areTemperatures = areTemperatures(atEnd: false) else { return .part }
    if areTemperatures {
      takeTemperatures()
      return .part
    }
    if let scale = waiting.foundTimeScale(isFine: table?.timeIsFine == true) { settle(timeScale: scale) }
    return .part
  }

  /// Rows that tell whether a column called `t` is a time or a temperature, and fewer that do where it rises evenly.
  private static let (tellingRows, evenRows) = (6, 4)

  /// The times that wait are temperatures: a `T` that does not rise, and a `t` that falls, or stands still for long.
  /// Nil while too few rows have come to tell.
  private func areTemperatures(atEnd: Bool) -> Bool? {
    guard let table, table.timeMayBeTemperature else { return false }
    let times = waiting.times, column = RisingColumn(times)
    let isEnough = times.count >= Self.tellingRows || atEnd
    guard !table.timeIsCapital else { return isEnough ? !column.rises : nil }
    guard times.allSatisfy({ WaitingMessages.temperatures.contains($0) }) else { return false }
    guard isEnough || times.count >= Self.evenRows && column.isClock else { return nil }
    if zip(times, times.dropFirst()).contains(where: { $0 > $1 }) { return true }
    guard waiting.standStill, waiting.areTooFewToStand else { return waiting.standStill }
    return atEnd ? false : nil
  }

  private mutating func takeTemperatures() {
    table?.takeTimeForTemperature()
    waiting.releaseTemperatures()
  }

  private mutating func settle(timeScale: Double) {
    table?.timeScale = timeScale
    waiting.release(timeScale: timeScale)
  }

  /// The stream has ended: what waits is taken for what it most likely is.
  mutating func conclude() {
    settleSurplus(atEnd: true)
    settleClocks()
    if table == nil {
      begin(atEnd: true)
    } else if waiting.holdsTimes, areTemperatures(atEnd: true) == true {
      takeTemperatures()
    } else if waiting.holdsTimes {
      let isFine = table?.timeIsFine == true
      let likely = waiting.times.first.map { CSVColumns.likelyTimeScale(of: $0) } ?? 1
      settle(timeScale: isFine ? TimeSteps.fine : waiting.foundTimeScale(isFine: false, atEnd: true) ?? likely)
    }
    hasEnded = true
  }

  var timeIsAssumed: Bool {
    guard let table, table.columns.timeScale == nil else { return false }
    return table.hasTime
  }

  var openTimeScale: Double? { waiting.unitIsOpen ? table?.timeScale : nil }

  // MARK: What is told of the columns

  /// The names of columns without a meaning here.
  var columnsNotRead: [String] { isPinned ? [] : table?.columnsNotRead ?? [] }

  /// The time column counts samples instead of telling time.
  var timeIsIndex: Bool { table?.columns.timeIsIndex ?? false }

  var fieldNaming: FieldNaming {
    guard let table, table.isNamed, table.columns.isComplete(CSVColumns.Role.field) else { return .unsaid }
    return table.columns.fieldIsNameless && table.sensor == nil ? .axes : .table
  }

  /// Whether the columns are nothing but axes in an arbitrary unit.
  var isUnnamed: Bool { table?.columns.isUnnamed ?? false }
}
