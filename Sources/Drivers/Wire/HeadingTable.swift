import LodestoneCore

/// A table of headings that a device or an app has worked out itself, with no field beside them: `time_s,heading_deg`, Sensor
/// Logger's Compass.csv, the compass in a log of a micro:bit. One that another lodestone has written tells their accuracy, pitch
/// and roll as well.
struct HeadingTable: Sendable {
  private let separator: UInt8
  private let count: Int
  /// The columns of a magnetic and of a true heading; nil for the one that is not there.
  private let magnetic, trueNorth: Int?
  /// The columns of what another lodestone tells of a heading; nil for those that are not there.
  private let accuracy, pitch, roll: Int?
  /// The column of a time; nil where none is, or its name leaves the unit open.
  private let time: (column: Int, scale: Double?)?
  /// A name says that headings are in degrees.
  private let isInDegrees: Bool
  private var unit = HeadingUnit()
  private var clock = PeriodicClock()

  /// Headings have come that may be in degrees or in radians.
  var isOpen: Bool { unit.isOpen }

  /// The table under a line of names, each of which has a letter and none a value; nil where none of two or more is a heading.
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
    guard places != [nil, nil] else { return nil }
    (magnetic, trueNorth) = (places[0], places[1])
    (self.separator, count) = (separator, names.count)
    func column(_ name: String) -> Int? { names.firstIndex { $0 == Array(name.utf8) } }
    let isOurs = column("magnetic_heading_deg") != nil
    accuracy = isOurs ? column("accuracy_deg") : nil
    (pitch, roll) = isOurs ? (column("pitch_deg"), column("roll_deg")) : (nil, nil)
    isInDegrees = labels.contains { $0?.isInDegrees == true }
    let columns = names.map { ColumnName($0.span) }
    let times = columns.indices.filter { columns[$0].role == CSVColumns.Role.time }
      .map { (column: $0, scale: columns[$0].timeScale) }
    time = times.first { $0.scale != nil } ?? times.first
  }

  /// Reads a row. Nil where it is none; false where it has no heading, or one that may be in radians.
  mutating func read(_ line: Span<UInt8>, into message: inout WireMessage) -> Bool? {
    var fields = Fields(from: 0, to: line.count, separator: separator)
    var (own, moment) = (OwnHeading(), Double?.none)
    for column in 0..<count {
      guard fields.hasMore else { return nil }
      let text = line.extracting(fields.text(in: line))
      let isMagnetic = column == magnetic
      if isMagnetic || column == trueNorth {
        guard let value = number(text) else { continue }
        guard (-180...360).contains(value) else { return nil }
        guard let degrees = unit.degrees(value, isTold: isInDegrees) else { continue }
        if isMagnetic {
          own.magnetic = Heading(degrees: degrees)
        } else {
          own.trueNorth = Heading(degrees: degrees)
        }
      } else if column == time?.column {
        moment = seconds(text)
      } else if column == accuracy {
        own.accuracy = number(text).flatMap { (0...180).contains($0) ? $0 : nil }
      } else if column == pitch {
        own.pitch = number(text)
      } else if column == roll {
        own.roll = number(text)
      }
    }
    guard !fields.hasMore else { return nil }
    guard own.magnetic != nil || own.trueNorth != nil else { return false }
    (message.own, message.time) = (own, moment)
    return true
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
