import LodestoneCore

/// Numbers in quotes between commas, as spreadsheets export columns with parted thousands, `"-13,034","-532","-43,210"`,
/// or with decimal commas, `"-13,03","-0,5","-43,2"`.
extension CSVTable {
  /// Takes note of the axes of a row in quotes for what its commas are.
  func noteCommas(_ line: Span<UInt8>, in commas: inout CommaWatch) {
    for (column, role) in columns.roles.enumerated() where CSVColumns.Role.first(ofAxis: role) != nil {
      let field = place(of: column, in: line)
      guard field.count > 2, line[field.lowerBound] == .quote else { continue }
      commas.note(line.extracting(field.dropFirst().dropLast()))
    }
  }

  /// The numbers of a row of fields in quotes whose commas may part thousands: they are taken to, for three decimals of
  /// microteslas are nanoteslas, too. Nil for any other row.
  static func grouped(_ line: Span<UInt8>) -> [Double]? {
    guard line.quickIndex(of: .quote, in: line.indices) != nil else { return nil }
    var (values, hasGroups) = ([Double](), false)
    for field in TableLine.fields(of: line, separator: .comma) {
      let value = TableLine.number(field.span, decimalMark: UInt8(ascii: "."))
      let whole = value == nil ? CommaWatch.whole(field.span) : nil
      guard let number = value ?? whole else { return nil }
      if whole != nil { hasGroups = true }
      values.append(number)
    }
    return hasGroups ? values : nil
  }
}

extension CommaWatch {
  /// The number in which commas part thousands; nil for any other.
  static func whole(_ text: Span<UInt8>) -> Double? {
    let digits = text.bytes(in: text.indices).filter { $0 != .comma }
    guard let comma = text.firstIndex(of: .comma), mayPartThousands(text, comma) else { return nil }
    return Double(decimal: digits.span)
  }
}
