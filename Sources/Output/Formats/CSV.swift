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
    let steps = columns.steps.span
    for index in steps.indices {
      let step = steps[index]
      if index > 0 { text.append(byte: UInt8(ascii: ",")) }
      switch step.kind {
      case .number, .heading: columns.appendNumber(step, row[step.column] ?? .nan, absent: "", to: &text)
      case .integer: if let value = row.integer(step.column) { text.append(value) }
      case .word: if let place = row.integer(step.column) { columns.appendWord(step, place, to: &text) }
      case .flags: columns.appendFlags(step, row.integer(step.column) ?? 0, between: " ", to: &text)
      }
    }
    text.append(byte: UInt8(ascii: "\n"))
  }
}
