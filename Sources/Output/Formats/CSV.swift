import LodestoneCore

/// Comma-separated values with a header; absent values are empty.
public struct CSVFormat: Format {
  /// `--format csv`.
  public static let name = "csv"
  private let columns: ColumnWriter
  private let header: String

  /// A table of these records. The names carry the units; a change of meaning would change a name.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    columns = ColumnWriter(schema, units: facts.units, reach: [.all]) { _, _ in "" }
    header = schema.columns.filter { $0.reach == .all }.map { $0.title(facts.units) }.joined(separator: ",") + "\n"
  }

  /// The names of the columns.
  public func appendHeader(to text: inout TextBuffer) { text.append(text: header) }

  /// One row.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    columns.appendFields(row, separator: UInt8(ascii: ","), to: &text)
    text.append(byte: UInt8(ascii: "\n"))
  }
}
