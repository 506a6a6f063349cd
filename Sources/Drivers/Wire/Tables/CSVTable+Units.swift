/// A row of units between the names and the first row, as Shimmer's programs and Campbell Scientific's loggers write
/// one: `ms, m/(s^2), …, deg/s, …`.
extension CSVTable {
  /// The table as a first line below its names shows it to be.
  func written(as line: Span<UInt8>) -> CSVTable {
    united(by: line) ?? closed(by: line) ?? loosened(by: line) ?? turned(byFrameOf: line)
  }

  /// The table with the units in a line; nil for a line that holds anything else than a word for each name, or fewer
  /// than two units.
  func united(by line: Span<UInt8>) -> CSVTable? {
    guard isNamed, !isLoose, tag.isEmpty else { return nil }
    let fields = TableLine.fields(of: line, separator: separator)
    let areWords = fields.allSatisfy { TableLine.number($0.span, decimalMark: .comma) == nil }
    guard fields.count == names.count, areWords else { return nil }
    let units = fields.map { field in field.filter { !"()[]".utf8.contains($0) } }
    let areKnown = units.map { unit in
      let word = ColumnWord.words(of: unit.span).reduce(ColumnWord(), +)
      return ColumnName.isUnit(word) || ColumnName.timeScales[word] != nil
    }
    guard areKnown.count(where: { $0 }) > 1 else { return nil }
    let united = names.indices.map { names[$0] + (areKnown[$0] ? Array(" (".utf8) + units[$0] + Array(")".utf8) : []) }
    let table = CSVTable(
      header: Array(united.joined(separator: [separator])).span, CauseNames(), hasXsensUnits: false)
    return table.flatMap { $0.count == count ? $0 : nil }
  }

  /// Whether its time is called `t`, which may as well be a temperature.
  var timeMayBeTemperature: Bool { timeName.map { $0 | 0x20 } == UInt8(ascii: "t") }

  /// Whether it is called `T`, as times seldom are.
  var timeIsCapital: Bool { timeName == UInt8(ascii: "T") }

  /// The name of the time where that is one letter, and no other column is a temperature.
  private var timeName: UInt8? {
    guard let place = columns.roles.firstIndex(of: CSVColumns.Role.time), place < names.count,
      names[place].count == 1, !columns.roles.contains(CSVColumns.Role.temperature)
    else { return nil }
    return names[place].first
  }

  /// Takes the column of times for temperatures.
  mutating func takeTimeForTemperature() {
    columns.takeTimeForTemperature()
    timeScale = 1
  }
}
