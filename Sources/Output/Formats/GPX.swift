import LodestoneCore

/// A track as GPX 1.1: a track for each trip, a segment after each gap, and in it a point for each fix with its
/// altitude above the sea and its time. Source: the schema at topografix.com/GPX/1/1/gpx.xsd.
public struct GPXFormat: Format {
  /// `--format gpx`.
  public static let name = "gpx"
  /// The values it writes: places.
  public static let needs = "places"
  /// Records with a place.
  public static func suits(_ schema: RecordSchema) -> Bool {
    schema.index(of: "latitude") != nil && schema.index(of: "longitude") != nil
  }

  private let device: String
  private let latitude, longitude, altitude, fixTime, trip, segment: Int?
  /// The trip and the segment that are open.
  private var open: (trip: Int, segment: Int)?

  /// Looks the columns up.
  public init(_ schema: RecordSchema, _ facts: StreamFacts) {
    device = Self.escaped(facts.device)
    latitude = schema.index(of: "latitude")
    longitude = schema.index(of: "longitude")
    altitude = schema.index(of: "sea_level_altitude")
    fixTime = schema.index(of: "fix_time")
    trip = schema.index(of: "trip")
    segment = schema.index(of: "segment")
  }

  /// The text as XML's: what has a meaning there is escaped, what is not harmless left out.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.withoutHarmful.unicodeScalars {
      switch scalar {
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "&": escaped += "&amp;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The document's beginning.
  public func appendHeader(to text: inout TextBuffer) {
    text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    text.append("<gpx version=\"1.1\" creator=\"Lodestone\" xmlns=\"http://www.topografix.com/GPX/1/1\">\n")
  }

  /// A point; nothing without a fix.
  public mutating func append(_ row: borrowing Row, to text: inout TextBuffer) {
    guard let latitude = row[latitude], let longitude = row[longitude] else { return }
    begin(row.integer(trip) ?? 1, row.integer(segment) ?? 1, &text)
    text.append("      <trkpt lat=\"")
    text.append(latitude, decimals: 8)
    text.append("\" lon=\"")
    // 180 is written as −180 there: the schema's longitudes end below it.
    text.append(longitude >= 180 ? longitude - 360 : longitude, decimals: 8)
    text.append("\">")
    if let altitude = row[altitude] {
      text.append("<ele>")
      text.append(altitude, decimals: 2)
      text.append("</ele>")
    }
    if let time = row[fixTime] {
      text.append("<time>")
      text.append(utc: time, decimals: 3, between: "T", zone: "Z")
      text.append("</time>")
    }
    text.append("</trkpt>\n")
  }

  private mutating func begin(_ trip: Int, _ segment: Int, _ text: inout TextBuffer) {
    if let open, open.trip == trip {
      guard open.segment != segment else { return }
      text.append("    </trkseg>\n    <trkseg>\n")
    } else {
      if open != nil { text.append("    </trkseg>\n  </trk>\n") }
      text.append("  <trk>\n")
      if !device.isEmpty { text.append(text: "    <name>\(device)</name>\n") }
      text.append("    <trkseg>\n")
    }
    open = (trip, segment)
  }

  /// The document's end.
  public mutating func appendEnd(to text: inout TextBuffer) {
    if open != nil { text.append("    </trkseg>\n  </trk>\n") }
    open = nil
    text.append("</gpx>\n")
  }
}
