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

  /// The names, with the one that LabVIEW's measurement files give their seconds, `X_Value`, called a time.
  static func withTime(_ names: [[UInt8]]) -> [[UInt8]] {
    guard names.first == Array("X_Value".utf8), !names.contains(Array("Y_Value".utf8)) else { return names }
    return [Array("time_s".utf8)] + names.dropFirst()
  }
}
