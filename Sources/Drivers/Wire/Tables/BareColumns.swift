/// The columns of bare numbers, found by what they do. Rows wait until they tell them; later ones are watched, because
/// they may tell others.
struct BareColumns: Sendable {
  /// A row of bare numbers.
  struct Row: Sendable {
    var values: [Double]
    /// A comment before it said so.
    var isSaturated: Bool
    /// The time at which it arrived, where somebody said.
    var arrival: Double?
    /// Seconds that a clock before the numbers tells.
    var time: Double?
    /// The number of its bytes, with the end of the line.
    var byteCount: Int

    /// The message of the row under these columns.
    func message(_ table: CSVTable) -> WireMessage {
      var roles = RoleValues()
      var message = WireMessage()
      for (value, role) in zip(values, table.columns.roles) where role != CSVColumns.Role.ignored {
        roles.set(value, role)
      }
      table.fill(&message, with: &roles)
      message.saturated = isSaturated
      message.arrival = arrival
      message.time = message.time ?? time
      return message
    }
  }

  /// Rows that are kept at most; of more the oldest go. A gyroscope in counts is told after a hundred.
  private static let rowLimit = 1024
  /// Rows of a search that are all looked at; of later ones every sixteenth.
  private static let closelyWatched = 200
  /// The number of rows with unclear columns after which the user is told.
  private static let doubtfulRowCount = 10
  /// Rows of another shape in a row that are believed whatever came before.
  private static let mostStrays = 8
  /// The margin by which other columns must explain the rows to take the place of those in force.
  private static let changeMargin = 3.0

  /// The search for the columns; nil for tables with names.
  private var search: TableSearch?
  private var separator = UInt8.comma
  private var rows: [Row] = []
  /// The reason why the columns are still open after many rows.
  private var trouble: WireFault?
  /// Commas within quotes part thousands.
  private var partsThousands = false
  /// The shape of the last rows that are none of the search's, and how many have come in a row.
  private var stray: TableShape?
  private var strayCount = 0
  /// Lines of a number that may be a heading.
  private var loneCount = 0
  /// Rows that were taken in, and whether all were zeros.
  private var takenCount = 0, hasOnlyZeros = true
  /// Bytes of rows that were too many to keep.
  private(set) var forgottenCount = 0
  /// Rows that were read since the columns were found.
  var rowNumber = 0

  init() {}

  private init(_ search: TableSearch, separator: UInt8) { (self.search, self.separator) = (search, separator) }

  /// No row waits.
  @inline(__always)
  var isEmpty: Bool { rows.isEmpty }

  /// The reason why the columns are not known yet.
  var doubt: WireFault? {
    if let trouble { return trouble }
    if let search { return search.rowCount > 1 ? .fewRows(search.columnCount) : nil }
    return loneCount > 1 ? .loneNumbers : nil
  }

  /// The orders that were weighed, the best first.
  var ranking: [WeighedColumns] { search?.ranking ?? [] }

  // MARK: Until they are known

  /// Takes in a row; false for a line that is none.
  /// - Parameter time: what a clock before the numbers tells, in seconds.
  mutating func take(_ line: Span<UInt8>, _ isSaturated: Bool, arrival: Double?, time: Double? = nil) -> Bool {
    guard let row = BareNumbers(line) else {
      if HMR3300.isAlone(line) { loneCount += 1 }
      return false
    }
    if search?.shape != row.shape || separator != row.separator {
      let isOtherSensor = search?.shape.quantity != nil && row.shape.quantity != search?.shape.quantity
      guard let new = TableSearch(row.shape), isOtherSensor || begins(row.shape) else { return false }
      let forgotten = forgottenCount
      self = BareColumns(new, separator: row.separator)
      forgottenCount = forgotten
      if isOtherSensor, row.shape.quantity != nil { trouble = .sensorsInTurn }
    }
    (stray, strayCount) = (nil, 0)
    if row.isGrouped { partsThousands = true }
    weigh(row)
    takenCount += 1
    if rows.count == Self.rowLimit {
      forgottenCount += rows.prefix(Self.rowLimit / 2).reduce(0) { $0 + $1.byteCount }
      rows.removeFirst(Self.rowLimit / 2)
    }
    rows.append(
      Row(values: row.values, isSaturated: isSaturated, arrival: arrival, time: time, byteCount: line.count + 1))
    return true
  }

  /// Whether rows of another shape are those that the board prints: as many of them have come in a row as of the shape
  /// before, or several. One among many is damaged.
  private mutating func begins(_ shape: TableShape) -> Bool {
    guard let search else { return true }
    (stray, strayCount) = (shape, stray == shape ? strayCount + 1 : 1)
    return strayCount >= min(search.rowCount, Self.mostStrays)
  }

  /// Takes a row for what the columns are. Before a sensor measures, rows of zeros tell nothing.
  private mutating func weigh(_ row: BareNumbers) {
    let isZero = row.values.allSatisfy { $0 == 0 }
    if !isZero, hasOnlyZeros { search = TableSearch(row.shape) }
    if !isZero || hasOnlyZeros { search?.add(row.values) }
    hasOnlyZeros = hasOnlyZeros && isZero
  }

  /// The last row may tell the columns. Numbers that stay unclear are looked at now and then: a file of them may be
  /// long. A turn that tells them may last for a dozen rows.
  var isDue: Bool {
    let count = hasOnlyZeros ? takenCount : search?.rowCount ?? 0
    return count <= Self.closelyWatched / 2 || count % (count <= Self.rowLimit ? 8 : 64) == 0
  }

  /// The table that the rows tell; nil where they tell none.
  mutating func table(atEnd: Bool) -> CSVTable? {
    guard let search else { return nil }
    // The last one alone would be taken for what it most likely is.
    if trouble == .sensorsInTurn, search.rowCount < Self.doubtfulRowCount { return nil }
    switch search.verdict(atEnd: atEnd) {
    case .open where search.rowCount < Self.doubtfulRowCount: break
    case .open, .ambiguous: trouble = .ambiguousColumns(search.columnCount, mayLackField: search.mayLackField)
    case .angles(let headingIsFirst): trouble = .angles(headingIsFirst: headingIsFirst)
    case .inTurn: trouble = .sensorsInTurn
    case .unlikely: trouble = .noField
    case .found(let columns, _): return table(of: columns, search)
    }
    return nil
  }

  private func table(of columns: CSVColumns, _ search: TableSearch) -> CSVTable {
    var table = CSVTable(columns: columns, separator: separator, count: search.columnCount, isNamed: false)
    if table.isLoose { table.shape = search.shape }
    table.partsThousands = partsThousands
    table.timeScale = columns.timeScale ?? 1
    guard columns.timeScale == nil, let time = columns.roles.firstIndex(of: CSVColumns.Role.time) else { return table }
    switch TimeSteps.meaning(of: rows.map { $0.values[time] }) {
    case .seconds(let scale): table.timeScale = scale
    case .index: table.columns.timeIsIndex = true
    case nil: break
    }
    return table
  }

  /// The rows, which wait no longer; without the first where that has lost its beginning, as the line may have in whose
  /// middle a port was opened.
  mutating func release() -> [Row] {
    defer { rows = [] }
    return isFirstCut ? Array(rows.dropFirst()) : rows
  }

  /// Rows that show it, how many times farther the first number of the first one is from the next than those from each
  /// other, and the share of the row's largest number that this is at least.
  private static let (cutRows, leap, leastShare) = (4, 5.0, 0.1)

  /// The first row is shorter than the others, and its first number alone is far from theirs.
  private var isFirstCut: Bool {
    guard let first = rows.first, rows.count >= Self.cutRows,
      rows.dropFirst().allSatisfy({ $0.byteCount > first.byteCount })
    else { return false }
    let size = rows[1].values.reduce(0) { max($0, abs($1)) }
    return first.values.indices.allSatisfy { column in
      let steps = zip(rows, rows.dropFirst()).map { abs($1.values[column] - $0.values[column]) }
      let usual = steps.dropFirst().max() ?? 0
      let isFar = steps[0] > Self.leap * usual && steps[0] > Self.leastShare * size
      return isFar == (column == 0)
    }
  }

  /// The rows where they are as many columns as a header names, between the same separators; else none.
  mutating func release(as header: CSVTable) -> [Row] {
    search?.columnCount == header.count && separator == header.separator ? release() : []
  }

  // MARK: Afterwards

  /// The first of more numbers than there are columns are such as these have held.
  func mayBegin(_ values: [Double]) -> Bool {
    guard let search, values.count > search.columnCount else { return false }
    return search.hasHeld(values)
  }

  /// The columns at the start of a stream whose later rows have told them; nil where the first rows do so themselves.
  var foundLate: BareColumns? {
    guard let search, takenCount > Self.closelyWatched else { return nil }
    var columns = BareColumns(search, separator: separator)
    columns.rowNumber = Self.closelyWatched
    return columns
  }

  /// The next row is one of those that are looked at.
  @inline(__always)
  var isWatching: Bool { search != nil && (rowNumber < Self.closelyWatched || rowNumber & 15 == 0) }

  /// Looks whether a later row bears the columns out: the table that takes the place of theirs where it does not.
  mutating func watch(_ line: Span<UInt8>, under table: CSVTable) -> CSVTable? {
    guard let row = BareNumbers(line), row.shape == search?.shape else { return nil }
    search?.add(row.values)
    guard let search, search.rowCount % 16 == 0, case .found(let columns, let margin) = search.verdict(),
      margin >= Self.changeMargin, columns.roles != table.columns.roles
    else { return nil }
    var found = columns
    found.timeIsIndex = table.columns.timeIsIndex
    return CSVTable(
      columns: found, separator: table.separator, count: table.count, isNamed: false, shape: table.shape,
      timeScale: table.timeScale == 0 ? 1 : table.timeScale)
  }

  /// The columns as they were found: their names, empty for those left out, and the seconds in one unit of the time.
  /// Nil where units told them, or a header.
  func assumedColumns(of table: CSVTable) -> AssumedColumns? {
    guard let search, !search.isTold else { return nil }
    var columns = AssumedColumns(columns: table.columns.names(table.count))
    if table.columns.roles.contains(CSVColumns.Role.time), !table.columns.timeIsIndex {
      columns.timeScale = table.timeScale
    }
    return columns
  }
}
