/// The separator of a table whose columns the user has named, without what stands between them: a first row with as
/// many fields tells.
struct SeparatorSearch: Sendable {
  /// The count of columns that rows have which have not as many as were named, and how many such rows came in a row.
  private(set) var misnamed: (count: Int, rows: Int)?

  /// The separator of a first row; that of the table where the row leaves it open, and nil for a row with another
  /// count of columns.
  mutating func separator(of line: Span<UInt8>, in table: CSVTable) -> UInt8? {
    let isOfNumbers = TableLine.mayBeNumbers(line)
    if !isOfNumbers, let row = BareRow(line), row.shape.quantity == nil {
      if row.count == table.count { return table.separator }
      note(row.count)
      return nil
    }
    var most = 0
    for separator in TableLine.separators(of: line) {
      var fields = TableLine.fields(of: line, separator: separator)
      guard isOfNumbers || Self.areMixed(fields) else { continue }
      while fields.count > table.count, fields.last?.isEmpty == true { fields.removeLast() }
      if fields.count == table.count { return separator }
      most = max(most, fields.count)
    }
    if let row = BareRow(line), row.hasDecimalCommas, row.count == table.count { return CSVTable.anySeparator }
    guard most > 0 else { return table.separator }
    note(most)
    return nil
  }

  /// A row may have words among its numbers.
  private static func areMixed(_ fields: [[UInt8]]) -> Bool {
    fields.count { TableLine.number($0.span, decimalMark: UInt8(ascii: ".")) != nil } >= 3
  }

  private mutating func note(_ count: Int) {
    misnamed = (count, misnamed?.count == count ? (misnamed?.rows ?? 0) + 1 : 1)
  }
}
