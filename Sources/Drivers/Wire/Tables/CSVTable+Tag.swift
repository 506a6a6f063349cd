/// Tables of a file with a header for each sensor, whose rows begin with the sensor's short name, as those of
/// GetSensorData and of
/// the IPIN competitions: `% Magnetometer data:  MAGN;AppTimestamp(s);…`, then `MAGN;1.237;…`.
extension CSVTable {
  /// The last word of a first name that has a colon before it; empty for any other name.
  static func tag(of names: [[UInt8]]) -> [UInt8] {
    guard let name = names.first, let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return [] }
    let word = Array(name[(colon + 1)...].drop { $0.isBlank })
    return word.allSatisfy { $0.isCapital || $0.isDigit } ? word : []
  }

  /// A row begins with the table's word, where it has one, or with a number.
  @inline(__always)
  func isTagged(_ line: Span<UInt8>) -> Bool { tag.isEmpty || beginsWithTag(line) }

  @inline(never)
  private func beginsWithTag(_ line: Span<UInt8>) -> Bool {
    guard !line.isEmpty, line[0].isLetter else { return true }
    return line.count > tag.count && line.holds(tag, in: 0..<tag.count) && line[tag.count] == separator
  }

  /// A first row begins with a word that stands under no name, `app: 1 2 3`: blanks would shift what is behind it.
  func isDisplaced(by line: Span<UInt8>) -> Bool {
    guard isNamed, separator == .space, tag.isEmpty, sensor == nil,
      let start = line.indices.first(where: { !line[$0].isBlank })
    else {
      return false
    }
    return line[start].isLetter && TableLine.fields(of: line, separator: separator).count == count + 1
  }

  /// The table without the empty name among its others, of which a first row has one fewer: the header that GetSensorData
  /// writes has two semicolons behind `Mag_X(uT)`. Nil where there is none, or a row of another count.
  func closed(by line: Span<UInt8>) -> CSVTable? {
    guard isNamed, separator == .comma || separator == .semicolon, isTagged(line),
      let place = names.firstIndex(of: []), place > 0, place < names.count - 1
    else { return nil }
    // A row of an empty column is cut off.
    let fields = TableLine.fields(of: line, separator: separator)
    guard fields.count == names.count - 1, !fields[place].isEmpty else { return nil }
    let rest = names[..<place] + names[(place + 1)...]
    return CSVTable(header: Array(rest.joined(separator: [separator])).span, CauseNames(), hasXsensUnits: false)
  }

  /// The names, with the one that LabVIEW's measurement files give their seconds, `X_Value`, called a time.
  static func withTime(_ names: [[UInt8]]) -> [[UInt8]] {
    guard names.first == Array("X_Value".utf8), !names.contains(Array("Y_Value".utf8)) else { return names }
    return [Array("time_s".utf8)] + names.dropFirst()
  }
}
