import LodestoneCore

/// Signal K deltas, one a line: headings, deviation, variation and attitude in radians, as Signal K 1.7 wants them: the
/// deviation is added to the magnetic and the true heading, and the compass's own stands beside them where one is
/// known. What is not known is left out.
public struct SignalKFormat: HeadingFormat {
  /// `--format signalk`.
  public static let name = "signalk"
  private let facts: StreamFacts
  private let places: HeadingPlaces

  /// Stamps each delta with UTC where the stream tells when it began.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    self.facts = facts
    places = HeadingPlaces(schema)
  }

  /// One delta; nothing where no value is known.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    let start = text.count
    text.append("{\"context\":\"vessels.self\",\"updates\":[{\"source\":{\"label\":\"lodestone\"},")
    if let time = row[0], let begin = facts.start(of: time) {
      text.append("\"timestamp\":\"")
      text.append(utc: begin + time)
      text.append("\",")
    }
    text.append("\"values\":[")
    let before = text.count
    append("navigation.headingMagnetic", heading: places.deviated(places.magnetic, row), to: &text, first: before)
    append("navigation.headingTrue", heading: places.deviated(places.trueNorth, row), to: &text, first: before)
    if let deviation = row[places.deviation] {
      append("navigation.headingCompass", heading: row[places.magnetic], to: &text, first: before)
      append("navigation.magneticDeviation", degrees: deviation, to: &text, first: before)
    }
    if let magnetic = row[places.magnetic], let trueHeading = row[places.trueNorth] {
      let variation = Angle.shortestTurn(from: magnetic, to: trueHeading)
      append("navigation.magneticVariation", degrees: variation, to: &text, first: before)
    }
    append("navigation.rateOfTurn", degrees: row[places.rateOfTurn], to: &text, first: before)
    if let pitch = row[places.pitch], let roll = row[places.roll] {
      if text.count > before { text.append(",") }
      text.append("{\"path\":\"navigation.attitude\",\"value\":{\"roll\":")
      text.append(Angle.radians(roll), decimals: 6)
      text.append(",\"pitch\":")
      text.append(Angle.radians(pitch), decimals: 6)
      text.append("}}")
    }
    guard text.count > before else { return text.truncate(to: start) }
    text.append("]}]}\n")
  }

  private func append(_ path: StaticString, heading: Double?, to text: inout TextBuffer, first: Int) {
    append(path, degrees: heading.map { Angle.wrapped(degrees: $0) }, to: &text, first: first)
  }

  private func append(_ path: StaticString, degrees: Double?, to text: inout TextBuffer, first: Int) {
    guard let degrees else { return }
    if text.count > first { text.append(",") }
    text.append("{\"path\":\"")
    text.append(path)
    text.append("\",\"value\":")
    text.append(Angle.radians(degrees), decimals: 6)
    text.append("}")
  }
}
