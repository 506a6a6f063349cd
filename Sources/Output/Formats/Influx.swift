import LodestoneCore

/// InfluxDB line protocol: `heading,device=sim magnetic_heading_deg=82.10,quality="good" 1772357401250000000`. Times
/// are nanoseconds since 1970-01-01 UTC; where a recording does not tell when it began, its own seconds are the field
/// `time_s`. Absent values are left out. Source: "Line protocol", InfluxDB v2 documentation.
public struct InfluxFormat: Format {
  /// `--format influx`.
  public static let name = "influx"
  private let columns: ColumnWriter
  private let head: String
  private let facts: StreamFacts

  /// Points of a measurement named after the kind of record, with the device as a tag.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    columns = ColumnWriter(schema, units: facts.units, reach: [.all, .objects]) { column, place in
      column.title(facts.units) + "="
    }
    let device = Self.escaped(facts.device)
    head = schema.name + (device.isEmpty ? "" : ",device=" + device) + " "
    self.facts = facts
  }

  /// A tag's value: comma, equals sign and space are escaped. A backslash stands for itself, but not at the end, where
  /// it would escape what follows; what is not harmless has no place in a tag.
  static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.withoutHarmful.unicodeScalars {
      if ",= ".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar)
    }
    while escaped.last == "\\" { escaped.removeLast() }
    return String(escaped)
  }

  /// One point; nothing where no value is known.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let start = text.count
    text.append(text: head)
    let empty = text.count
    let steps = columns.steps.span
    for index in steps.indices.dropFirst() { append(steps[index], row, to: &text, first: empty) }
    guard text.count > empty else { return text.truncate(to: start) }
    if let stamp = stamp(row[0]) {
      text.append(" ")
      text.append(stamp)
    } else if let time = steps.indices.first {
      append(steps[time], row, to: &text, first: empty)
    }
    text.append("\n")
  }

  private func append(_ step: ColumnWriter.Step, _ row: borrowing Row, to text: inout TextBuffer, first: Int) {
    guard let value = row[step.column], let whole = step.kind.isNumber ? 0 : row.integer(step.column) else { return }
    if step.kind == .flags, whole == 0 { return }
    if text.count > first { text.append(",") }
    columns.appendPrefix(step, to: &text)
    switch step.kind {
    case .number, .heading: columns.appendNumber(step, value, absent: "0", to: &text)
    case .integer:
      text.append(whole)
      text.append("i")
    case .word, .flags:
      text.append("\"")
      if step.kind == .word {
        columns.appendWord(step, whole, to: &text)
      } else {
        columns.appendFlags(step, whole, between: " ", to: &text)
      }
      text.append("\"")
    }
  }

  /// Nanoseconds since 1970. Whole seconds and the rest apart: together they would be good to 200 ns only.
  private func stamp(_ time: Double?) -> Int? {
    guard let time, let begin = facts.start(of: time), abs(begin) < 9e9, abs(time) < 9e9, abs(begin + time) < 9e9 else {
      return nil
    }
    let (start, offset) = (begin.rounded(.down), time.rounded(.down))
    let rest = ((begin - start + (time - offset)) * 1e9).rounded()
    return (Int(start) + Int(offset)) * 1_000_000_000 + Int(rest)
  }
}

extension ColumnWriter.Step.Kind {
  fileprivate var isNumber: Bool { self == .number || self == .heading }
}
