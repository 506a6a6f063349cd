import LodestoneCore

/// Tables of several sensors in one file, whose rows begin with a word for each (`CSVTable.tag`): `ACCE;…`, `MAGN;…`.
/// The values of the others go with the next row of the last header's table.
extension CSV {
  /// Tables that are kept beside that of the last header.
  private static let limit = 8

  /// The table of a header that stands before all rows. That of the header before is kept where rows of both come, and
  /// what is known of the same one stays known.
  mutating func follow(_ header: CSVTable) -> CSVTable {
    guard let table else { return header }
    var header = header
    if table.names == header.names { header.partsThousands = table.partsThousands }
    guard !table.tag.isEmpty, !header.tag.isEmpty else { return header }
    siblings.removeAll { $0.tag == header.tag || $0.tag == table.tag }
    if table.tag != header.tag, siblings.count < Self.limit { siblings.append(table) }
    return header
  }

  /// Puts the table in force whose rows begin as this line does: the first that has a field, and beside it those
  /// without. True where the line is of neither.
  mutating func isOfOther(_ line: Span<UInt8>) -> Bool {
    if let table, table.tag.isEmpty { return false }
    guard let found = tagged.first(where: { $0.isTagged(line) }) else { return table != nil || !siblings.isEmpty }
    if siblings.contains(where: { $0.tag == found.tag }) || table?.tag == found.tag { return false }
    let hasField = found.columns.isComplete(CSVColumns.Role.field)
    if hasField, table == nil { table = found } else if !hasField { siblings.append(found) }
    return hasField && table?.tag != found.tag
  }

  // MARK: Rows

  /// Reads a row of another sensor than the table's; false for any other.
  mutating func readSibling(_ line: Span<UInt8>) -> Bool {
    guard line[0].isLetter else { return false }
    for place in siblings.indices where siblings[place].isTagged(line) {
      var message = WireMessage()
      guard siblings[place].read(line, into: &message) != nil else { continue }
      if message.field != nil { (beside.field, beside.fieldUnit) = (message.field, message.fieldUnit) }
      if let force = message.acceleration {
        (beside.acceleration, beside.accelerationUnit) = (force, message.accelerationUnit)
      }
      if let rate = message.rotationRate {
        (beside.rotationRate, beside.rotationRateUnit) = (rate, message.rotationRateUnit)
      }
      return true
    }
    return false
  }

  /// Adds what the others have told since the last row.
  mutating func addSiblings(to message: inout WireMessage) {
    if message.field == nil { (message.field, message.fieldUnit) = (beside.field, beside.fieldUnit) }
    if message.acceleration == nil {
      (message.acceleration, message.accelerationUnit) = (beside.acceleration, beside.accelerationUnit)
    }
    if message.rotationRate == nil {
      (message.rotationRate, message.rotationRateUnit) = (beside.rotationRate, beside.rotationRateUnit)
    }
    beside = WireMessage()
  }

  /// Rows without quotes after which none have any.
  static var mostUnquoted: Int { 8 }

  /// Looks whether commas within quotes part thousands.
  mutating func watchCommas(_ line: Span<UInt8>) {
    guard let table, table.separator == .comma, !table.partsThousands,
      line.quickIndex(of: .quote, in: line.indices) != nil
    else { return unquotedCount += 1 }
    table.noteCommas(line, in: &commas)
    if commas.shows() { self.table?.partsThousands = true }
  }

  /// A header in the middle of rows tells the columns of those before it, too, and so do many rows that told them late.
  func fromStart() -> CSV {
    var start = CSV()
    start.headings = headings
    guard tagged.isEmpty else {
      start.tagged = tagged
      return start
    }
    guard changeCount == 0, pending == nil, var table, !isPinned, xsens.rate == nil else { return start }
    if table.isNamed {
      table.timeScale = 0
    } else if let late = bare.foundLate {
      (start.bare, start.clockColumnCount, start.hasRows) = (late, clockColumnCount, true)
    } else {
      return start
    }
    start.table = table
    start.notePlainRow()
    return start
  }
}
