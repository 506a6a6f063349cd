/// The first rows of a table that names two clocks, while they do not tell whether the first of them stands still
/// between rows, as the date that a logger's clock tells in whole seconds, and the other one goes on:
/// `timestamp,millis,mx,my,mz`.
struct ClockChoice: Sendable {
  /// Rows that tell it: a clock that steps with each of them is as fine as the rows are.
  private static let rowCount = 4

  /// The lines so far.
  private(set) var lines: [SurplusRows.Line] = []
  private var first: [[UInt8]] = []
  private var other: [Double] = []
  /// The place of the other clock.
  private var place = 0
  /// The rows have told, or there is nothing to tell.
  private(set) var isSettled = false

  /// No row waits.
  @inline(__always)
  var isEmpty: Bool { lines.isEmpty }

  /// Takes a first row in; false where no more are needed.
  mutating func take(_ line: Span<UInt8>, under table: CSVTable, _ isSaturated: Bool, arrival: Double?) -> Bool {
    guard !isSettled else { return false }
    guard let place = table.otherClock, let own = table.columns.roles.firstIndex(of: CSVColumns.Role.time) else {
      isSettled = true
      return false
    }
    let fields = TableLine.fields(of: line, separator: table.separator)
    guard fields.count == table.count else { return false }
    let text = fields[place]
    guard let value = TableLine.number(text.span, decimalMark: UInt8(ascii: ".")) else { return false }
    self.place = place
    first.append(fields[own])
    other.append(value)
    lines.append(SurplusRows.Line(text: line.bytes(in: line.indices), isSaturated: isSaturated, arrival: arrival))
    return true
  }

  /// The rows are as many as are needed, or the first clock has stood still already.
  var isClear: Bool { lines.count >= Self.rowCount || stands }

  private var stands: Bool { zip(first, first.dropFirst()).contains { $0 == $1 } }

  /// The table by the finer clock; no more rows are held.
  mutating func settled(_ table: CSVTable) -> CSVTable {
    defer { (self, isSettled) = (ClockChoice(), true) }
    let goesOn = zip(other, other.dropFirst()).allSatisfy { $0 < $1 }
    return stands && goesOn ? table.timed(by: place) : table
  }
}

extension CSVTable {
  /// The place of a clock beside the one that tells the time; nil where there is none.
  var otherClock: Int? {
    guard isNamed, !isLoose, hasTime, tag.isEmpty, !hasDecimalCommas else { return nil }
    return names.indices.first { place in
      guard place >= columns.roles.count || columns.roles[place] == CSVColumns.Role.ignored else { return false }
      let text = names[place]
      let name = ColumnName(text.span)
      return name.role == CSVColumns.Role.time && name.isUnderstood && !name.isIndex && !name.isShort
    }
  }

  /// The names are those of the other table, or mean the same.
  func isNamed(as other: CSVTable) -> Bool { isNamed && (columns == other.columns || names == other.names) }

  /// The table with the time in another column.
  func timed(by place: Int) -> CSVTable {
    var table = self
    let name = names[place]
    table.columns.moveTime(to: place, ColumnName(name.span))
    table.timeScale = 0
    return table
  }
}
