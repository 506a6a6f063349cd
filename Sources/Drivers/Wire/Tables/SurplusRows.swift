/// The first rows of a table that have one number more than its header has names, while they do not tell where the
/// column without a name stands: before all others, as pandas and R print a row's number or its time, or behind them.
struct SurplusRows: Sendable {
  /// A line, and when it arrived, where somebody said.
  struct Line: Sendable {
    let text: [UInt8]
    let isSaturated: Bool
    let arrival: Double?
  }

  /// The place of the column without a name.
  enum Place { case first, last }

  /// Rows after which an even rise is a clock's, and after which any is.
  private static let (few, many) = (8, 64)

  /// The lines so far.
  private(set) var lines: [Line] = []
  private var rows: [[Double]] = []
  /// The rows have told, or there is nothing to tell.
  var areSettled = false
  private var isSure = false

  /// No row waits.
  @inline(__always)
  var isEmpty: Bool { lines.isEmpty }

  /// Takes a first row in; false for one that has as many values as there are names, or holds other things than
  /// numbers.
  mutating func take(_ line: Span<UInt8>, under table: CSVTable, _ isSaturated: Bool, arrival: Double?) -> Bool {
    guard !areSettled, table.isNamed, !table.isLoose, table.sensor == nil, table.cell == nil, table.tag.isEmpty else {
      return false
    }
    let fields = TableLine.fields(of: line, separator: table.separator)
    guard fields.count == table.count + 1 else { return false }
    let mark: UInt8 = table.separator == .semicolon || table.separator == .tab ? .comma : UInt8(ascii: ".")
    let values = fields.compactMap { TableLine.number($0.span, decimalMark: mark) }
    guard values.count == fields.count else { return false }
    // A name in quotes before bare numbers is a row's.
    isSure = isSure || table.isIndented || line[0] == .quote && line.indices.count { line[$0] == .quote } == 2
    rows.append(values)
    lines.append(Line(text: line.bytes(in: line.indices), isSaturated: isSaturated, arrival: arrival))
    return true
  }

  /// The place of the column without a name; nil while the rows leave it open. What rises evenly before the first axis
  /// is it, and so is what rises before a time that rises evenly.
  func place(under columns: CSVColumns, atEnd: Bool) -> Place? {
    guard !rows.isEmpty, rows.count > 1 || atEnd else { return nil }
    if isSure { return rows.count >= Self.few || atEnd ? .first : nil }
    let leading = (0...(columns.roles.first == CSVColumns.Role.time ? 1 : 0)).map { column in
      RisingColumn(rows.map { $0[column] })
    }
    guard leading.allSatisfy({ $0.rises || $0.mayBeClock }) else { return .last }
    let isClear = rows.count >= Self.few && leading.allSatisfy { $0.isClock }
    return isClear || rows.count >= Self.many || atEnd ? .first : nil
  }

  /// The table with its first column named: a time, where none is and it tells seconds.
  func completed(_ table: CSVTable) -> CSVTable {
    var table = table
    let meaning = TimeSteps.meaning(of: rows.compactMap { $0.first })
    var scale: Double?
    if case .seconds(let found) = meaning, !table.hasTime { scale = found }
    table.addUnnamedFirst(timeScale: scale)
    return table
  }
}
