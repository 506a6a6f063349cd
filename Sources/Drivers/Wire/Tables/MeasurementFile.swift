/// The header of LabVIEW's measurement files (.lvm), whose lines come again before each segment of the rows. Source:
/// NI, "Specification for the LabVIEW Measurement File (.lvm)".
enum MeasurementFile {
  private static let keys: [StaticString] = [
    "LabVIEW Measurement", "Writer_Version", "Reader_Version", "Separator", "Decimal_Separator", "Multi_Headings",
    "X_Columns", "Time_Pref", "***End_of_Header***", "X_Dimension", "Y_Dimension", "X_Unit_Label", "Y_Unit_Label",
    "Delta_X",
  ]
  /// The words that may be the names of a table's columns as well, where no number is behind them.
  private static let words: [StaticString] = ["Date", "Time", "Channels", "Samples", "X0"]

  /// The line is one of the header.
  static func isOfHeader(_ line: Span<UInt8>) -> Bool {
    let end = line.indices.first { line[$0] == .tab || line[$0] == .comma || line[$0] == .semicolon } ?? line.count
    if keys.contains(where: { line.holds($0, in: 0..<end) }) { return true }
    return words.contains { line.holds($0, in: 0..<end) } && end + 1 < line.count && line[end + 1].isDigit
  }
}
