import LodestoneCore

/// The separator of a table whose columns the user has named, without what stands between them: a first row with as many
/// fields tells.
struct SeparatorSearch: Sendable {
  /// The count of columns that rows have which have not as many as were named, and how many such rows came in a row.
  private(set) var misnamed: (count: Int, rows: Int)?

  /// The separator of a first row; that of the table where the row leaves it open, and nil for a row of numbers with another
  /// count of columns.
  mutating func separator(of line: Span<UInt8>, in table: CSVTable) -> UInt8? {
    guard TableLine.mayBeNumbers(line) else {
      guard let row = BareRow(line), row.count != table.count else { return table.separator }
      note(row.count)
      return nil
    }
    var most = 0
    for separator in TableLine.separators(of: line) {
      var fields = TableLine.fields(of: line, separator: separator)
      while fields.count > table.count, fields.last?.isEmpty == true { fields.removeLast() }
      if fields.count == table.count { return separator }
      most = max(most, fields.count)
    }
    note(most)
    return nil
  }

  private mutating func note(_ count: Int) {
    misnamed = (count, misnamed?.count == count ? (misnamed?.rows ?? 0) + 1 : 1)
  }
}
