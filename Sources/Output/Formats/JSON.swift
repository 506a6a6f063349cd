import LodestoneCore

/// One JSON object a line; absent values are null.
public struct JSONFormat: Format {
  /// `--format json`.
  public static let name = "json"
  private let columns: ColumnWriter

  /// Objects with the columns' names as keys.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    columns = ColumnWriter(schema, units: facts.units, reach: [.all, .objects]) { column, place in
      "\(place == 0 ? "{" : ",")\"\(column.title(facts.units))\":"
    }
  }

  /// One object a record.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let steps = columns.steps.span
    for index in steps.indices {
      let step = steps[index]
      columns.appendPrefix(step, to: &text)
      switch step.kind {
      case .number, .heading: columns.appendNumber(step, row[step.column] ?? .nan, absent: "null", to: &text)
      case .integer:
        if let value = row.integer(step.column) { text.append(value) } else { text.append("null") }
      case .word:
        guard let place = row.integer(step.column) else {
          text.append("null")
          continue
        }
        text.append("\"")
        columns.appendWord(step, place, to: &text)
        text.append("\"")
      case .flags:
        text.append("[")
        columns.appendFlags(step, row.integer(step.column) ?? 0, between: ",", around: "\"", to: &text)
        text.append("]")
      }
    }
    text.append("}\n")
  }
}
