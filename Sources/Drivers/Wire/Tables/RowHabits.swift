/// The way in which the rows of a table have been written so far, by which one shows that has lost its beginning or its
/// end: the time is that of a clock, and the columns behind the last one that matters are there.
struct RowHabits: Sendable {
  /// First rows that show how many columns there are at least, rows with a clock that make a habit of it, and rows in a
  /// row that break one after which it is none.
  private static let (first, enough, mostBreaks) = (4, 2, 8)
  /// Rows with a clock in a row, the rows that have told the columns, and the fewest columns of these.
  private var (clockCount, lookCount, fewest) = (0, 0, Int.max)
  private var (clockBreaks, countBreaks) = (0, 0)

  /// The time of the last row was that of a clock.
  var haveClock: Bool { clockCount > 0 }

  /// Takes in a row of a table with its time; false where it is not written as those before.
  @inline(__always)
  mutating func fit(_ line: Span<UInt8>, _ time: CSVTable.RowTime, of table: CSVTable) -> Bool {
    if time.isOfClock || clockCount > 0, !fit(time) { return false }
    return table.count == table.columns.roles.count || table.separator == .space || table.isLoose
      || fit(line, table.separator)
  }

  @inline(never)
  private mutating func fit(_ time: CSVTable.RowTime) -> Bool {
    if time.isOfClock {
      (clockCount, clockBreaks) = (min(clockCount + 1, Self.enough), 0)
      return true
    }
    guard time.seconds != nil else { return true }
    clockBreaks += 1
    if clockCount == Self.enough, clockBreaks < Self.mostBreaks { return false }
    clockCount = 0
    return true
  }

  @inline(never)
  private mutating func fit(_ line: Span<UInt8>, _ separator: UInt8) -> Bool {
    let count = line.indices.count { line[$0] == separator }
    if lookCount < Self.first {
      (lookCount, fewest) = (lookCount + 1, min(fewest, count))
      return true
    }
    guard count < fewest else {
      countBreaks = 0
      return true
    }
    countBreaks += 1
    if countBreaks < Self.mostBreaks { return false }
    (fewest, countBreaks) = (count, 0)
    return true
  }
}
