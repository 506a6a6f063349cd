import LodestoneCore
import Testing

/// A row takes as many values as it has columns, whatever a record lists.
@Suite struct RowTests {
  /// A record with a column for each whole number.
  private struct Numbers: Record {
    static let schema = RecordSchema("numbers", of: Numbers.self)
    var time = 0.5
    var count = 0

    func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
      for number in 0..<count { columns.add(.integer("n\(number)"), number) }
    }
  }

  /// Rows have room for 64 values without a look.
  @Test(arguments: [1, 3, 63, 64, 65, 100], [0, 2, 62, 63, 64, 65, 200])
  func valuesThatNoColumnIsLeftForAreDropped(_ columns: Int, _ values: Int) {
    let schema = Numbers.schema.with((0..<columns).map { .integer("n\($0)") })
    var row = Row(schema)
    let count = schema.columns.count
    #expect(row.count == count)
    row.take(Numbers(count: 200))
    row.take(Numbers(count: values))
    #expect(row[0] == 0.5)
    for column in 1..<max(count, 2) {
      #expect(row[column] == (column < count && column <= values ? Double(column - 1) : nil))
    }
    #expect(row[count] == nil && row.number(count).isNaN)
  }
}
