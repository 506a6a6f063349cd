import LodestoneCore

/// A table of headings that a device or an app has worked out itself, with no field beside them: `time_s,heading_deg`,
/// Sensor Logger's Compass.csv, the compass in a log of a micro:bit. One that another lodestone has written tells their
/// accuracy, pitch and roll as well; its attitudes have a heading beside a field that is corrected already, and its
/// positions are none.
struct HeadingTable: Sendable {
  private let separator: UInt8
  private let count: Int
  /// The columns of a magnetic and of a true heading; nil for the one that is not there.
  private let magnetic, trueNorth: Int?
  /// The names of the columns where another lodestone has written the table; empty for any other.
  private let written: [[UInt8]]
  /// The column of a time; nil where none is, or its name leaves the unit open.
  private let time: (column: Int, scale: Double?)?
  /// A name says that headings are in degrees.
  private let isInDegrees: Bool
  private var unit = HeadingUnit()
  private var clock = PeriodicClock()

  /// Rows of the table have come: what else comes is no table without names.
  private(set) var hasRows = false

  /// The reason why headings are held back; nil where they are not.
  var doubt: WireFault? { unit.doubt }

  /// The table under a line of names, each of which has a letter and none a value; nil where none of two or more is a
  /// heading.
  init?(header line: Span<UInt8>) {
    guard let separator = TableLine.separator(ofNames: line), separator != CSVTable.anySeparator, separator != .space,
      line.firstIndex(of: UInt8(ascii: ":")) == nil, line.firstIndex(of: UInt8(ascii: "=")) == nil
    else { return nil }
    let names = TableLine.names(of: line, separator: separator)
    guard names.count > 1, names.allSatisfy({ name in name.contains { $0.isLetter } }) else { return nil }
    // A longer name is a sentence.
    let labels = names.map { ColumnWord.words(of: $0.span).count <= 4 ? LineLabel.of($0.span) : nil }
    let places = [LineLabel.Meaning.heading, .trueHeading].map { meaning in
      labels.firstIndex { $0?.meaning == meaning }
    }
    written = WrittenReading.mayHold(names) ? names : []
    guard places != [nil, nil] || !written.isEmpty else { return nil }
    (magnetic, trueNorth) = (places[0], places[1])
    (self.separator, count) = (separator, names.count)
    isInDegrees = labels.contains { $0?.isInDegrees == true }
    let columns = names.map { ColumnName($0.span) }
    let times = columns.indices.filter { columns[$0].role == CSVColumns.Role.time }
      .map { (column: $0, scale: columns[$0].timeScale) }
    time = times.first { $0.scale != nil } ?? times.first
  }

  /// A line of names is that of a table whose field, if it has one, is none of a chip.
  static func isWritten(_ line: Span<UInt8>) -> Bool {
    guard let separator = TableLine.separator(ofNames: line) else { return false }
    return WrittenReading.isAttitude(TableLine.names(of: line, separator: separator))
  }

  /// Reads a row. Nil where it is none; false where it has no heading and no place, or a heading that may be in
  /// radians.
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool? {
    if !written.isEmpty { return readWritten(line, into: &message) }
    var fields = Fields(from: 0, to: line.count, separator: separator)
    var (own, moment) = (OwnHeading(), Double?.none)
    for column in 0..<count {
      guard fields.hasMore else { return nil }
      let text = line.extracting(fields.text(in: line))
      let isMagnetic = column == magnetic
      if isMagnetic || column == trueNorth {
        guard let value = number(text) else { continue }
        guard LabelReader.Line.headings.contains(value) else {
          unit.note(past: value)
          return nil
        }
        guard let degrees = unit.degrees(value, isTold: isInDegrees) else { continue }
        if isMagnetic {
          own.magnetic = Heading(degrees: degrees)
        } else {
          own.trueNorth = Heading(degrees: degrees)
        }
      } else if column == time?.column {
        moment = seconds(text)
      }
    }
    guard !fields.hasMore else { return nil }
    guard own.magnetic != nil || own.trueNorth != nil else { return false }
    (message.own, message.time, hasRows) = (own, moment, true)
    return true
  }

  /// Reads a row that another lodestone has written.
  private mutating func readWritten(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool? {
    var fields = Fields(from: 0, to: line.count, separator: separator)
    var (reading, moment) = (WrittenReading(), Double?.none)
    for (column, name) in written.enumerated() {
      guard fields.hasMore else { return nil }
      let text = line.extracting(fields.text(in: line))
      if column == time?.column { moment = seconds(text) }
      if reading.take(number(text), 0..<name.count, name.span) { reading.take(basis: text) }
    }
    guard !fields.hasMore else { return nil }
    if let own = reading.own {
      (message.own, message.time) = (own, moment)
    } else {
      message.position = reading.position
    }
    return message.own != nil || message.position != nil
  }

  /// A number, with the decimal comma that may stand where something else separates columns.
  private func number(_ text: Span<UInt8>) -> Double? {
    TableLine.number(text, decimalMark: separator == .comma ? UInt8(ascii: ".") : .comma)
  }

  /// The time in seconds: of a clock, in the unit that its name says, or since 1970 by its size.
  private mutating func seconds(_ text: Span<UInt8>) -> Double? {
    guard let value = number(text) else { return ClockText(text).map { clock.unwrapped(clock: $0.seconds) } }
    if let scale = time?.scale { return value * scale }
    return abs(value) > 1e9 ? value * CSVColumns.likelyTimeScale(of: value) : nil
  }
}
