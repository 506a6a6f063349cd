import LodestoneCore

extension HeadingReading {
  /// The kind of record.
  public static let schema = RecordSchema("heading", of: HeadingReading.self, line: HeadingText.self)

  /// Lists each column with its value.
  @inlinable @inline(__always)
  public func list<Columns: RecordColumns & ~Copyable>(in columns: inout Columns) {
    columns.add(.heading("magnetic_heading"), magneticHeading?.degrees)
    columns.add(.heading("true_heading"), trueHeading?.degrees)
    columns.add(.number("accuracy", .degrees, decimals: 2), accuracy)
    columns.add(.word("quality", Quality.allCases.map { $0.rawValue }), quality.place)
    columns.add(.field("field"), field?.strength)
    columns.add(.number("inclination", .degrees, decimals: 2), inclination)
    columns.add(.number("pitch", .degrees, decimals: 2), pitch)
    columns.add(.number("roll", .degrees, decimals: 2), roll)
    columns.add(.word("orientation", Orientation.allCases.map { $0.rawValue }), orientation.place)
    columns.add(
      .field("bx", reach: .objects), .field("by", reach: .objects), .field("bz", reach: .objects), field?.microtesla)
    columns.add(.number("rate_of_turn", .degreesPerSecond, decimals: 2, reach: .byName), rateOfTurn)
    columns.add(.number("deviation", .degrees, decimals: 1, reach: .byName), deviation)
  }
}

extension HeadingReading.Quality {
  /// The place among all cases, without making a list of them.
  @inlinable var place: Int {
    switch self {
    case .good: 0
    case .fair: 1
    case .poor: 2
    case .disturbed: 3
    case .uncalibrated: 4
    case .device: 5
    }
  }
}

extension Orientation {
  /// The place among all cases, without making a list of them.
  @inlinable var place: Int {
    switch self {
    case .portrait: 0
    case .portraitUpsideDown: 1
    case .landscapeLeft: 2
    case .landscapeRight: 3
    case .faceUp: 4
    case .faceDown: 5
    case .unknown: 6
    }
  }
}

/// A heading for people: `  123.4° magnetic   127.6° true   ±0.8°   good   48.2 µT   pitch 1.2° roll 0.3°`.
struct HeadingText: RecordLine {
  private let unit: FieldDisplayUnit
  private let magnetic, trueNorth, accuracy, quality, field, pitch, roll: Int?

  init(_ schema: RecordSchema, units: DisplayUnits) {
    unit = units.field
    magnetic = schema.index(of: "magnetic_heading")
    trueNorth = schema.index(of: "true_heading")
    accuracy = schema.index(of: "accuracy")
    quality = schema.index(of: "quality")
    field = schema.index(of: "field")
    pitch = schema.index(of: "pitch")
    roll = schema.index(of: "roll")
  }

  func append(_ row: borrowing Row, to text: inout TextBuffer) {
    appendHeading(row[magnetic], "° magnetic", to: &text)
    if let degrees = row[trueNorth] {
      text.append("  ")
      appendHeading(degrees, "° true", to: &text)
    }
    if let degrees = row[accuracy] {
      text.append("   ±")
      text.append(degrees, decimals: 1)
      text.append("°")
    }
    text.append("   ")
    let qualities = HeadingReading.Quality.allCases
    if let place = row.integer(quality), qualities.indices.contains(place) {
      text.append(text: qualities[place] == .device ? "(the device's own)" : qualities[place].rawValue)
    }
    if let strength = row[field] {
      text.append("   ")
      text.append(strength / unit.microtesla, decimals: unit.decimals(uncertainty: 1))
      text.append(" ")
      text.append(text: unit.symbol)
    }
    if let pitch = row[pitch], let roll = row[roll] {
      text.append("   pitch ")
      text.append(pitch, decimals: 1)
      text.append("° roll ")
      text.append(roll, decimals: 1)
      text.append("°")
    }
  }

  /// Right-aligned in five columns.
  private func appendHeading(_ degrees: Double?, _ unit: StaticString, to text: inout TextBuffer) {
    let start = text.count
    text.append(headingDegrees: degrees, decimals: 1, absent: "  -.-")
    let width = text.count - start
    if width < 5 {
      text.truncate(to: start)
      for _ in width..<5 { text.append(byte: UInt8(ascii: " ")) }
      text.append(headingDegrees: degrees, decimals: 1, absent: "  -.-")
    }
    text.append(unit)
  }
}
