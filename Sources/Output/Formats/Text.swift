import LodestoneCore

/// One line for people, as the kind of record words it; otherwise names and values one after the other, and behind them
/// those of objects that are there.
public struct TextFormat: Format {
  /// `--format text`.
  public static let name = "text"
  private let line: (any RecordLine)?
  private let columns, others: ColumnWriter

  /// Lines of these records.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    line = schema.line?.init(schema, units: facts.units)
    columns = ColumnWriter(schema, units: facts.units, reach: [.all]) { column, place in
      (place == 0 ? "" : "   ") + column.title(facts.units) + " "
    }
    others = ColumnWriter(schema, units: facts.units, reach: [.objects]) { column, _ in
      "   " + column.title(facts.units) + " "
    }
  }

  /// One line.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    if let line { line.append(row, to: &text) } else { appendColumns(row, to: &text) }
    text.append("\n")
  }

  private func appendColumns(_ row: borrowing Row, to text: inout TextBuffer) {
    for step in columns.steps { append(step, of: columns, row, to: &text) }
    for step in others.steps {
      let isThere = if case .flags = step.kind { (row.integer(step.column) ?? 0) != 0 } else { row[step.column] != nil }
      if isThere { append(step, of: others, row, to: &text) }
    }
  }

  private func append(
    _ step: ColumnWriter.Step, of columns: ColumnWriter, _ row: borrowing Row, to text: inout TextBuffer
  ) {
    columns.appendPrefix(step, to: &text)
    let whole = row.integer(step.column)
    switch step.kind {
    case .number, .heading: columns.appendNumber(step, row[step.column] ?? .nan, absent: "-", to: &text)
    case .integer: if let whole { text.append(whole) } else { text.append("-") }
    case .word: if let whole { columns.appendWord(step, whole, to: &text) } else { text.append("-") }
    case .flags: columns.appendFlags(step, whole ?? 0, between: " ", to: &text)
    }
  }
}
