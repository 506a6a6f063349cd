/// A line of names that leaves too few columns for the axes of a field: `temp,humidity,light`, `yaw,pitch,roll,ms`.
/// Rows below it with as many numbers hold none, whatever their sizes.
struct OtherHeader: Sendable {
  private let count: Int

  /// The header in a line; nil for any other line. Between blanks every word must be a name of something, for a
  /// sentence has blanks too.
  init?(_ line: Span<UInt8>) {
    guard let separator = TableLine.separator(ofNames: line),
      line.firstIndex(of: UInt8(ascii: ":")) == nil, line.firstIndex(of: UInt8(ascii: "=")) == nil
    else { return nil }
    let names = TableLine.names(of: line, separator: separator)
    guard names.count > 2, names.allSatisfy({ name in name.contains { $0.isLetter } }) else { return nil }
    let unknown = names.count { !Self.isOther($0.span) }
    guard separator == .space ? unknown == 0 : unknown < 3 && names.count - unknown > 1 else { return nil }
    count = names.count
  }

  /// A row has a number for each name.
  func holds(_ row: Span<UInt8>) -> Bool { BareNumbers(row)?.values.count == count }

  /// The name is of something that is no axis.
  private static func isOther(_ name: Span<UInt8>) -> Bool {
    switch ColumnName(name).role {
    case CSVColumns.Role.time, CSVColumns.Role.temperature: true
    default: ColumnWord.words(of: name).contains { others.contains($0) }
    }
  }

  private static let others: Set<ColumnWord> = [
    "yaw", "pitch", "roll", "heading", "hdg", "azimuth", "bearing", "course", "direction", "tilt", "angle",
    "humidity", "hum", "rh", "pressure", "press", "baro", "altitude", "alt", "lat", "latitude", "lon", "lng",
    "longitude", "speed", "sats", "satellites", "light", "lux", "voltage", "volts", "vbat", "battery", "batt", "bat",
    "current", "amps", "power", "distance", "dist", "rssi", "co2", "tvoc", "gas", "moisture", "rpm", "weight", "steps",
    "id", "date", "count", "idx", "north", "east", "down",
  ]
}
