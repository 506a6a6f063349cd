import LodestoneCore
import Glibc

extension FieldReading {
  /// The kind of record: a field against a zero-point.
  public static let schema = RecordSchema("field", of: FieldReading.self, line: FieldText.self)

  /// Lists each column with its value.
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.field("dx"), .field("dy"), .field("dz"), difference)
    columns.add(.field("magnitude"), magnitude)
    columns.add(.field("uncertainty"), uncertainty)
    columns.add(.field("peak"), peak)
    columns.add(.field("bx"), .field("by"), .field("bz"), field)
    columns.add(.flags("flags", Flags.words), Int(flags.rawValue))
    columns.add(.field("at_most"), atMost)
    columns.add(.field("at_least"), atLeast)
    columns.add(.field("peak_uncertainty"), peakUncertainty)
    columns.add(.field("peak_at_least"), peakAtLeast)
  }
}

/// A field for people: `12.34 µT ±0.40   x 3.10 y -2.00 z 11.80   peak 15.00   saturated`; `< 0.84 µT` below the noise,
/// and `> 302 µT` where an axis is at the end of its range. Of a probe: `-12.34 µT ±0.40   peak 15.00   one-axis`.
struct FieldText: RecordLine {
  private let unit: FieldDisplayUnit
  private let difference: [Int?]
  private let magnitude, uncertainty, peak, flags, atMost, atLeast, peakUncertainty, peakAtLeast: Int?

  init(_ schema: RecordSchema, units: DisplayUnits) {
    unit = units.field
    difference = ["dx", "dy", "dz"].map { schema.index(of: $0) }
    magnitude = schema.index(of: "magnitude")
    uncertainty = schema.index(of: "uncertainty")
    peak = schema.index(of: "peak")
    flags = schema.index(of: "flags")
    atMost = schema.index(of: "at_most")
    atLeast = schema.index(of: "at_least")
    peakUncertainty = schema.index(of: "peak_uncertainty")
    peakAtLeast = schema.index(of: "peak_at_least")
  }

  func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let decimals = unit.decimals(uncertainty: row[uncertainty])
    let flags = FieldReading.Flags(rawValue: UInt8(truncatingIfNeeded: row.integer(flags) ?? 0))
    let isOfProbe = flags.contains(.oneAxis)
    appendValue(row, isOfProbe ? difference.first ?? nil : magnitude, decimals, to: &text)
    for (label, column) in zip([" x ", " y ", " z "] as [StaticString], difference) where !isOfProbe {
      if column == difference.first { text.append("  ") }
      text.append(label)
      append(row[column], decimals, to: &text)
    }
    appendPeak(row, to: &text)
    let others = flags.subtracting(.belowNoise)
    if !others.isEmpty { text.append(text: "   " + others.names.joined(separator: " ")) }
  }

  private func appendValue(_ row: borrowing Row, _ value: Int?, _ decimals: Int, to text: inout TextBuffer) {
    if let bound = row[atLeast] {
      text.append("> ")
      appendBound(bound, to: &text)
    } else if let limit = row[atMost] {
      text.append("< ")
      append(limit, decimals, to: &text)
    } else {
      append(row[value], decimals, to: &text)
    }
    text.append(" ")
    text.append(text: unit.symbol)
    guard row[atLeast] == nil, row[atMost] == nil else { return }
    text.append(" ±")
    append(row[uncertainty], decimals, to: &text)
  }

  /// Nothing while no peak stands out of the noise.
  private func appendPeak(_ row: borrowing Row, to text: inout TextBuffer) {
    if let bound = row[peakAtLeast] {
      text.append("   peak > ")
      appendBound(bound, to: &text)
    } else if let peak = row[peak] {
      text.append("   peak ")
      append(peak, unit.decimals(uncertainty: row[peakUncertainty]), to: &text)
    }
  }

  /// Three digits, never more than the bound itself.
  private func appendBound(_ microtesla: Double, to text: inout TextBuffer) {
    let decimals = unit.decimals(uncertainty: microtesla / 10)
    let scale = pow(10, Double(decimals))
    text.append((microtesla / unit.microtesla * scale).rounded(.down) / scale, decimals: decimals)
  }

  private func append(_ microtesla: Double?, _ decimals: Int, to text: inout TextBuffer) {
    text.append(microtesla.map { $0 / unit.microtesla }, decimals: decimals)
  }
}
