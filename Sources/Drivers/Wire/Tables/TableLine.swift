import LodestoneCore

/// A line of a table, while it is not known yet what its columns are.
enum TableLine {
  /// Printable, with the letters of three axes: what every header is, told before any work is done.
  static func mayBeHeader(_ line: Span<UInt8>) -> Bool {
    var axes = 0
    for index in line.indices {
      let byte = line[index]
      guard byte >= 0x20 || byte == .tab else { return false }
      let letter = (byte | 0x20) &- UInt8(ascii: "x")
      if letter < 3 { axes |= 1 << Int(letter) }
      if byte == UInt8(ascii: "["), index + 2 < line.count, line[index + 2] == UInt8(ascii: "]") {
        let number = line[index + 1] &- UInt8(ascii: "0")
        if number < 3 { axes |= 1 << Int(number) }
      }
    }
    return axes.nonzeroBitCount >= 2
  }

  /// Whether it is nothing but what numbers and separators are made of.
  static func mayBeNumbers(_ line: Span<UInt8>) -> Bool {
    for index in line.indices {
      switch line[index] {
      case 0x2B...0x2E, 0x30...0x39, .space, .tab, .semicolon, .quote, UInt8(ascii: "e"), UInt8(ascii: "E"): continue
      default: return false
      }
    }
    return true
  }

  /// A number with a point or this decimal mark; nil where the bytes are something else.
  static func number(_ bytes: Span<UInt8>, decimalMark: UInt8) -> Double? {
    if let value = Double(decimal: bytes) { return value }
    var index = 0
    let value = parseDecimal(bytes, from: &index, decimalMark: decimalMark)
    return index == bytes.count ? value : nil
  }

  /// The numbers of a line whose fields are numbers with points and no quotes; nil for any other.
  static func plainNumbers(of line: Span<UInt8>, separator: UInt8) -> [Double]? {
    var values: [Double] = []
    values.reserveCapacity(TableShape.limit)
    var index = 0
    func skipBlanks() {
      while index < line.count, line[index].isBlank, line[index] != separator { index &+= 1 }
    }
    while true {
      skipBlanks()
      guard let value = parseDecimal(line, from: &index) else { return nil }
      values.append(value)
      skipBlanks()
      guard index < line.count else { return values }
      guard line[index] == separator else { return nil }
      index &+= 1
    }
  }

  /// The possible separators of a line's fields: semicolon before comma before tab before bar before blanks.
  static func separators(of line: Span<UInt8>) -> [UInt8] {
    let found = [UInt8.semicolon, .comma, .tab, .bar].filter { line.quickIndex(of: $0, in: 0..<line.count) != nil }
    return found.isEmpty ? [.space] : found
  }

  /// The possible separators of a header's names: where bars part groups of names, anything.
  static func headerSeparators(of line: Span<UInt8>) -> [UInt8] {
    let found = separators(of: line)
    guard found.contains(.bar), found.count > 1 || isFramed(line) else { return found }
    if let other = found.first, other != .bar, areMagnitudes(line, separator: other) { return [other] }
    return [CSVTable.anySeparator]
  }

  /// Whether its bars are around single names, as those of a magnitude are: `|B| (mT)`.
  private static func areMagnitudes(_ line: Span<UInt8>, separator: UInt8) -> Bool {
    fields(of: line, separator: separator).allSatisfy { name in
      guard name.contains(.bar) else { return true }
      return name.first == .bar && name.count > 2 && !name[1].isBlank && name.filter { $0 == .bar }.count == 2
    }
  }

  /// Whether it begins or ends with a bar.
  private static func isFramed(_ line: Span<UInt8>) -> Bool {
    let ends = [line.indices.first { !line[$0].isBlank }, line.indices.last { !line[$0].isBlank }]
    return ends.contains { $0.map { line[$0] == .bar } ?? false }
  }

  /// The names of a header. Between anything, there are no empty ones.
  static func names(of line: Span<UInt8>, separator: UInt8) -> [[UInt8]] {
    guard separator == CSVTable.anySeparator else { return fields(of: line, separator: separator) }
    var names = [[]] as [[UInt8]]
    for index in line.indices {
      switch line[index] {
      case .bar, .comma, .semicolon, .tab: names.append([])
      default: names[names.count - 1].append(line[index])
      }
    }
    return names.map { trimmed($0) }.filter { !$0.isEmpty }
  }

  /// The separator of a line of names, whatever they are; nil for a line without a word.
  static func separator(ofNames line: Span<UInt8>) -> UInt8? {
    for separator in headerSeparators(of: line) {
      if names(of: line, separator: separator).contains(where: { $0.first?.isLetter == true }) { return separator }
    }
    return nil
  }

  /// The fields of a line, without quotes and blanks around them.
  static func fields(of line: Span<UInt8>, separator: UInt8) -> [[UInt8]] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    for index in line.indices {
      let byte = line[index]
      if byte == .quote {
        isQuoted.toggle()
      } else if !isQuoted && (byte == separator || separator == .space && byte.isBlank) {
        fields.append([])
      } else {
        fields[fields.count - 1].append(byte)
      }
    }
    if separator == .space { fields.removeAll { $0.isEmpty } }
    return fields.map { trimmed($0) }
  }

  /// The field without blanks at both ends, nor the mark of a text's byte order.
  private static func trimmed(_ field: [UInt8]) -> [UInt8] {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = field[...]
    while let first = rest.first {
      if first.isBlank { rest.removeFirst() } else if rest.starts(with: mark) { rest.removeFirst(3) } else { break }
    }
    while let last = rest.last, last.isBlank { rest.removeLast() }
    return rest.count == field.count ? field : Array(rest)
  }
}
