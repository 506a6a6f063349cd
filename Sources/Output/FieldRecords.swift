import Core
import Navigation

/// The numbers of a field reading in the order that CSV and JSON share.
struct FieldColumns {
  /// Names without their unit.
  static let names: [StaticString] = ["dx", "dy", "dz", "magnitude", "uncertainty", "peak", "bx", "by", "bz"]

  /// The value of a column in µT.
  static func value(_ column: Int, of reading: FieldReading) -> Double {
    switch column {
    case 0: reading.difference.x
    case 1: reading.difference.y
    case 2: reading.difference.z
    case 3: reading.magnitude
    case 4: reading.uncertainty
    case 5: reading.peak
    case 6: reading.field.x
    case 7: reading.field.y
    default: reading.field.z
    }
  }
}

/// Comma-separated values with a header.
public struct CSVFields: FieldFormat {
  /// `--format csv`.
  public static let name = "csv"
  private let unit: FieldUnit

  /// Writes in this unit.
  public init(unit: FieldUnit) { self.unit = unit }

  /// The names end in the unit.
  public func appendHeader(to text: inout TextBuffer) {
    text.append("time_s")
    for name in FieldColumns.names {
      text.append(",")
      text.append(name)
      text.append("_")
      text.append(unit.suffix)
    }
    text.append(",flags\n")
  }

  /// One row.
  public mutating func append(_ reading: FieldReading, to text: inout TextBuffer) {
    text.append(reading.time, decimals: 6)
    for column in 0..<FieldColumns.names.count {
      text.append(",")
      text.append(FieldColumns.value(column, of: reading) / unit.microtesla, decimals: unit.decimals)
    }
    text.append(",")
    reading.flags.append(to: &text)
    text.append("\n")
  }
}

/// One JSON object a line.
public struct JSONFields: FieldFormat {
  /// `--format json`.
  public static let name = "json"
  private let unit: FieldUnit

  /// Writes in this unit.
  public init(unit: FieldUnit) { self.unit = unit }

  /// Nothing.
  public func appendHeader(to text: inout TextBuffer) {}

  /// One object.
  public mutating func append(_ reading: FieldReading, to text: inout TextBuffer) {
    text.append("{\"time_s\":")
    text.append(reading.time, decimals: 6, absent: "null")
    for column in 0..<FieldColumns.names.count {
      text.append(",\"")
      text.append(FieldColumns.names[column])
      text.append("_")
      text.append(unit.suffix)
      text.append("\":")
      text.append(
        FieldColumns.value(column, of: reading) / unit.microtesla, decimals: unit.decimals, absent: "null")
    }
    text.append(",\"flags\":[")
    var isFirst = true
    for (flag, word) in FieldReading.Flags.words where reading.flags.contains(flag) {
      text.append(isFirst ? "\"" : ",\"")
      text.append(word)
      text.append("\"")
      isFirst = false
    }
    text.append("]}\n")
  }
}
